"""A program before it runs: its last value is kept, its lines stay where they were typed, its grammar is judged."""

import ast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.sandbox.program import MAX_CHARACTERS, VALUE_NAME, Program, ProgramError, prepare_program


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("1 + 1", 2),
        ("a = 3; a  # so", 3),
        ("(1 +\n2)", 3),
        ("'é'; 'éé' + 'x'", "ééx"),
        ("*[1], 2", (1, 2)),
        ("def f():\n    return 3\nf()", 3),
        ("'''\n\x0b\u2028'''", "\n\x0b\u2028"),
        ("a = 1\r\na\r\n", 1),
        ("a = 1", None),
        ("if True:\n    3", None),
        ("", None),
        ("# nothing", None),
    ],
)
def test_value_of_the_last_line_is_kept(code: str, value: object) -> None:
    program = prepare_program(code)
    assert isinstance(program, Program)
    names: dict[str, object] = {}
    exec(program.source, names)
    assert names[VALUE_NAME] == value


@pytest.mark.parametrize(
    ("code", "line", "message"),
    [
        ("for each in range(3)\n    print(each)", 1, "expected ':'"),
        ("a = 1\n  b = 2", 2, "unexpected indent"),
        ("print('a'", 1, "never closed"),
        ("return 'a' * 50_000_000", 1, "'return' outside function"),
        ("a = 1\nwhile a:\n    try:\n        pass\n    except ValueError:\n        return 5", 6, "'return' outside"),
        ("class A:\n    return 5", 2, "'return' outside function"),
        ("match 3:\n    case 3:\n        return 5", 3, "'return' outside function"),
        ("a = '\x00'", None, "SyntaxError"),
        ("'\ud800'", None, "not allowed in a program"),
        ("-" * 9_000 + "1", None, "too many nested"),
        ("a" * (MAX_CHARACTERS + 1), None, "10,000 characters"),
    ],
)
def test_fault_of_grammar_is_told_with_its_line(code: str, line: int | None, message: str) -> None:
    """C7: what is too deep, too long or no program is never run."""
    found = prepare_program(code)
    assert isinstance(found, ProgramError)
    assert (found.kind, found.line if line else None) == ("syntax", line)
    assert message in found.message


@given(st.text(alphabet="ab=(+1)\n\r;:'\"\\ \t#[]{}.,éifdelrtun", max_size=60))
@settings(max_examples=150, deadline=None)
def test_whatever_is_typed_is_prepared_or_told(code: str) -> None:
    found = prepare_program(code)
    if isinstance(found, Program):
        *_, last = ast.parse(found.source).body
        assert isinstance(last, ast.Assign)
        assert found.lines <= found.source.count("\n") + 1
