"""Judging programs by their outcomes, and what is said to be printed. Nothing runs here."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import CodeKey, TraceKey, grade, key_from_json, key_to_json, programs_to_run
from tutoring.grading.programs.keys import ProgramCase
from tutoring.grading.programs.outcomes import Outcome, is_same_value, programs_of

DOUBLE = ProgramCase(call="double(3)", value="6")
ZERO = ProgramCase(call="double(0)", value="0", says="What is twice 0?")
KEY = CodeKey(solution="def double(n):\n    return 2 * n", cases=(DOUBLE, ZERO), starter="def double(n):\n    ...")
PRINTS = CodeKey(solution="print(6)", cases=(ProgramCase(prints="6"),))
SOLUTION = KEY.solution


def ran(code: str, *outcomes: Outcome) -> dict[str, Outcome]:
    """Return outcomes of the program alone, and of each case."""
    return dict(zip(programs_of(code, KEY.cases), outcomes, strict=False))


@pytest.mark.parametrize(
    ("printed", "said", "verdict", "reason"),
    [
        ("5\n1", "5\n1", "correct", ""),
        ("5\n1", "5  \n1\n\n", "correct", ""),
        ("5\n1", "```\n5\n1\n```", "correct", ""),
        ("5\n1", "5 1", "wrong", "one_line"),
        ("5\n1", "5\n2", "wrong", "line 2"),
        ("5\n1", "5", "wrong", "line 2"),
        ("5", "'5'", "wrong", "quotes"),
        ("'5'", "5", "wrong", "quotes"),
        ("Hello", "hello", "wrong", "case"),
        ("[1, 2]", "[1,2]", "equivalent_not_in_form", "spacing"),
        ("12", "1 2", "equivalent_not_in_form", "spacing"),
        ("5", "6", "wrong", ""),
        ("5", "  ", "unparsable", "empty"),
        ("5", "5" * 10_001, "unparsable", "too_long"),
    ],
)
def test_output_is_compared_line_by_line(printed, said, verdict, reason):
    judgement = grade(TraceKey(program="", prints=printed), said)
    assert (judgement.verdict, judgement.reason) == (verdict, reason)


def test_program_that_passes_all_cases_is_right():
    outcomes = ran(SOLUTION, Outcome(), Outcome(value="6"), Outcome(value="0"))
    assert grade(KEY, f"```python\n{SOLUTION}\n```", outcomes=outcomes).is_correct


def test_first_failing_case_is_told_and_half_of_them_is_partly_right():
    code = "def double(n):\n    return n + 3"
    judgement = grade(KEY, code, outcomes=ran(code, Outcome(), Outcome(value="6"), Outcome(value="3")))
    assert (judgement.verdict, judgement.score, judgement.reason) == ("partial", 0.5, "value")
    assert judgement.failure is not None
    assert (judgement.failure.call, judgement.failure.expected_value, judgement.failure.value) == (
        "double(0)",
        "0",
        "3",
    )
    assert (judgement.failure.says, judgement.failure.passed, judgement.failure.of) == ("What is twice 0?", 1, 2)


@pytest.mark.parametrize(
    ("outcome", "reason"),
    [
        (Outcome(value="None"), "returns_nothing"),
        (Outcome(value="None", output="6\n"), "prints_instead"),
        (Outcome(value="'6'"), "quotes"),
        (Outcome(value="7"), "value"),
        (Outcome(problem="error", error="TypeError: no"), "error"),
        (Outcome(problem="timeout", error="TimeoutError"), "timeout"),
        (Outcome(problem="memory", error="MemoryError"), "memory"),
        (Outcome(problem="output", error="It printed too much."), "output"),
    ],
)
def test_kind_of_failure_is_named_and_counts_as_a_wrong_try(outcome, reason):
    code = "def double(n):\n    return 1"
    judgement = grade(KEY, code, outcomes=ran(code, Outcome(), outcome, outcome))
    assert (judgement.verdict, judgement.reason) == ("wrong", reason)


@pytest.mark.parametrize("problem", ["syntax", "missing", "not_run"])
def test_what_is_no_fault_of_the_program_is_no_try(problem):
    code = "def double(n):\n    return 1"
    assert grade(KEY, code, outcomes=ran(code, Outcome(problem=problem, error="x"))).verdict == "unparsable"


def test_program_without_outcomes_is_no_try():
    assert grade(KEY, SOLUTION).reason == "not_run"


@pytest.mark.parametrize(
    ("answer", "reason"),
    [("", "empty"), ("```\n```", "empty"), (KEY.starter + "\n", "unchanged"), ("x" * 10_001, "too_long")],
)
def test_what_needs_no_run_is_not_run(answer, reason):
    assert grade(KEY, answer).reason == reason
    assert reason == "unchanged" or not programs_to_run(KEY, answer)


@pytest.mark.parametrize(
    ("output", "reason"),
    [("", "prints_nothing"), ("7\n", "prints"), ("'6'\n", "prints_quotes"), (" 6", "prints_spacing")],
)
def test_printed_output_is_told_apart(output, reason):
    judgement = grade(PRINTS, "x = 1", outcomes={"x = 1": Outcome(output=output)})
    assert (judgement.verdict, judgement.reason) == ("wrong", reason)


def test_only_what_the_call_prints_counts_for_it():
    key = CodeKey(solution="", cases=(ProgramCase(call="hi()", prints="hi"),))
    outcomes = {"code": Outcome(output="test\n"), "code\nhi()": Outcome(output="test\nhi\n")}
    assert grade(key, "code", outcomes=outcomes).is_correct


@pytest.mark.parametrize(
    ("needs", "without", "reason"),
    [
        (("return",), (), ""),
        (("for",), (), "needs for"),
        ((), ("return",), "without return"),
        ((), ("double",), "without double"),
        (("index",), (), "needs index"),
        ((), ("print",), ""),
    ],
)
def test_required_words_are_a_matter_of_form(needs, without, reason):
    key = CodeKey(solution=SOLUTION, cases=KEY.cases, needs=needs, without=without)
    code = f"{SOLUTION}  # print for index"
    judgement = grade(key, code, outcomes=ran(code, Outcome(), Outcome(value="6"), Outcome(value="0")))
    assert judgement.reason == reason
    assert judgement.verdict == ("equivalent_not_in_form" if reason else "correct")


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("6", "6.0", True),
        ("0.3", "0.30000000000000004", True),
        ("5", "'5'", False),
        ("1", "True", False),
        ("{1, 2}", "{2, 1}", True),
        ("{'a': 1, 'b': 2}", "{'b': 2, 'a': 1}", True),
        ("[1, 2]", "(1, 2)", False),
        ("[1, 2]", "[1, 2, 3]", False),
        ("'a'", '"a"', True),
        ("A(1)", "A(1)", True),
        ("A(1)", "A(2)", False),
        ("(" * 5_000, "1", False),
    ],
)
def test_values_are_compared_as_python_would(first, second, same):
    assert is_same_value(first, second) is same


@pytest.mark.parametrize("key", [KEY, PRINTS, TraceKey(program="print(1)", prints="1")])
def test_keys_come_back_from_json(key):
    assert key_from_json(key_to_json(key)) == key


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=100, deadline=None)
@given(value=VALUES)
def test_every_value_is_the_same_as_itself_written_again(value):
    assert is_same_value(repr(value), repr(value))
    assert is_same_value(repr([value]), repr([value]))


@settings(max_examples=200, deadline=None)
@given(expected=st.text(max_size=60), shown=st.text(max_size=60), output=st.text(max_size=60))
def test_any_outcome_is_judged_without_an_error(expected, shown, output):
    key = CodeKey(solution="", cases=(ProgramCase(call="f()", value=expected, prints=output[::-1]),))
    code = shown + "#"
    outcomes = dict.fromkeys(
        programs_of("#", key.cases) + programs_to_run(key, code), Outcome(value=shown, output=output)
    )
    assert grade(key, code, outcomes=outcomes).verdict in ("correct", "partial", "wrong", "unparsable")


@settings(max_examples=200, deadline=None)
@given(prints=st.text(min_size=1, max_size=80), answer=st.text(max_size=80))
def test_any_text_is_judged_and_the_output_itself_is_right(prints, answer):
    key = TraceKey(program="", prints=prints)
    grade(key, answer)
    if prints.strip() and "`" not in prints and "~~~" not in prints:
        assert grade(key, prints).is_correct


@settings(max_examples=200, deadline=None)
@given(answer=st.text(max_size=200))
def test_any_program_text_is_read_without_an_error(answer):
    key = CodeKey(solution="", cases=KEY.cases, needs=("for",), without=("print",))
    programs = programs_to_run(key, answer)
    judgement = grade(key, answer, outcomes=dict.fromkeys(programs, Outcome(value="6")))
    assert 0 <= judgement.score <= 1
