"""What the sandbox lacks is said in words, and told apart from a program's own errors."""

import pytest

from agents.sandbox.error_messages import program_error


@pytest.mark.parametrize(
    ("name", "message", "words"),
    [
        ("NotImplementedError", "The monty syntax parser does not yet support class inheritance and metaclasses", "inherit"),
        ("NotImplementedError", "The monty syntax parser does not yet support yield expressions", "use yield"),
        ("NotImplementedError", "The monty syntax parser does not yet support something new", "small version of Python"),
        ("NotImplementedError", "Wildcard imports (`from ... import *`) are not supported", "Import each name"),
        ("NameError", "name 'input' is not defined", "Nobody can type"),
        ("NameError", "name 'super' is not defined", "super is part of Python"),
        ("ModuleNotFoundError", "No module named 'enum'", "enum is part of Python"),
        ("ModuleNotFoundError", "No module named 'numpy'", "not installed here"),
        ("AttributeError", "module 'os' has no attribute 'fork'", "cannot use"),
        ("PermissionError", "Permission denied: '/etc/passwd'", "cannot use"),
        ("RuntimeError", "'os.environ' is not supported in this environment", "cannot use"),
        ("RuntimeError", "Internal error in monty: exceptions can only be called with zero or one string argument", "only one message"),
        ("EOFError", "EOF when reading a line", "Nobody can type"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_in_words(name: str, message: str, words: str) -> None:
    error = program_error(name, message, 3)
    assert (error.kind, error.line) == ("missing", 3)
    assert words in error.hint
    assert "monty" not in error.message + error.hint


@pytest.mark.parametrize(
    ("name", "message", "said"),
    [
        ("NameError", "name 'y' is not defined", "NameError: name 'y' is not defined"),
        ("ZeroDivisionError", "division by zero", "ZeroDivisionError: division by zero"),
        ("NotImplementedError", "", "NotImplementedError"),
        ("ValueError", "a" * 1_000, "ValueError: " + "a" * 288),
    ],
)
def test_error_of_the_program_is_as_python_says_it(name: str, message: str, said: str) -> None:
    error = program_error(name, message, None)
    assert (error.kind, error.message, error.hint) == ("error", said, "")


def test_endless_recursion_is_the_programs_own_and_explained() -> None:
    error = program_error("RecursionError", "maximum recursion depth exceeded", 1)
    assert (error.kind, bool(error.hint)) == ("error", True)
