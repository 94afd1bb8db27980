"""Hostile answers: bounded work and a verdict, whatever is typed."""

import sys
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import (
    AnswerKey,
    ChoiceKey,
    ExpressionKey,
    Idea,
    MultiKey,
    NumericKey,
    SetKey,
    TextKey,
    grade,
    numbers_in,
)

KEYS: tuple[AnswerKey, ...] = (
    NumericKey(value="1/2"),
    ExpressionKey(value="12x^3-20x^2+12x"),
    ExpressionKey(value="x=5 or x=9"),
    SetKey(values=("1", "2", "3")),
    ChoiceKey(right="A", options=(("A", "1/2"), ("B", "2/3"))),
    MultiKey(right=frozenset("AC"), options=(("A", "1"), ("B", "2"), ("C", "3"))),
    TextKey(ideas=(Idea(any=("same size", "equal.*parts.*whole")),), contradicts=(r"(\w+\s*)+bigger",)),
    TextKey(references=("The parts are the same size.",), question="Why?"),
)
HOSTILE = {
    "tower": "9^9^9^9",
    "parentheses": "(" * 300 + "1" + ")" * 300,
    "long number": "9" * 100_000,
    "long word": "a" * 10_000,
    "NUL": "1\x00/3\x00",
    "lone surrogate": "\ud800\udfff1/3",
    "right to left": "\u202e4/3\u202c",
    "Arabic digits": "\u0663/\u0664\u0665",
    "fractions": "\\frac" * 80,
    "nested fractions": "\\frac{" * 60 + "1" + "}{2}" * 60,
    "factorial": "99999999!",
    "factorials": "5" + "!" * 300,
    "huge power of ten": "1e400",
    "tiny power of ten": "1e-400",
    "left": "\\left(" * 70 + "1" + "\\right)" * 70,
    "powers": "((((9^64)^64)^64)^64)^64",
    "minus signs": "-" * 399 + "1",
    "bars": "|" * 300,
    "boxes": "\\boxed{" * 2_000,
    "roots": "\\sqrt[99999]{2}" + "\\sqrt{" * 60,
    "many members": ",".join(str(number) for number in range(130)),
    "matrix": "\\begin{matrix}" + "1&" * 150,
    "ten thousand blanks": " " * 10_000,
    "same word again": "same size equal parts " * 450,
}
# Function calls and returns inside one judgement; the worst case above needs about a fifth of it.
MOST_CALLS = 150_000


def calls_during(work: Callable[[], object]) -> int:
    count = 0

    def count_call(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(count_call)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_answer_is_judged_with_bounded_work(name: str) -> None:
    """Goal 9."""
    for key in KEYS:
        assert calls_during(lambda key=key: grade(key, HOSTILE[name])) < MOST_CALLS


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_answer_is_never_right(name: str) -> None:
    """Goal 9."""
    assert {grade(key, HOSTILE[name]).verdict for key in KEYS[:4]} <= {"wrong", "unparsable", "partial"}


@pytest.mark.parametrize("name", HOSTILE)
def test_numbers_are_found_in_hostile_text_with_bounded_work(name: str) -> None:
    assert calls_during(lambda: numbers_in(HOSTILE[name])) < 10 * MOST_CALLS


@pytest.mark.parametrize("reason", ["too_long", "too_deep", "too_big"])
def test_bounds_are_reported(reason: str) -> None:
    answers = {"too_long": "1+" * 300 + "1", "too_deep": "(" * 80 + "1" + ")" * 80, "too_big": "9^999"}
    assert grade(NumericKey(value="1"), answers[reason]).reason == reason


@settings(deadline=None)
@given(st.text(max_size=300))
def test_no_text_makes_the_grader_raise(text: str) -> None:
    for key in KEYS:
        assert 0 <= grade(key, text).score <= 1
    numbers_in(text)


PIECES = ["1", "2", "x", "+", "-", "*", "/", "^", "(", ")", "[", "]", "{", "}", ",", "=", "<", "\\frac", "\\sqrt", "±", "|", "%",
          "!", " ", "and", "half", "\\{", "\\}", "\\begin{matrix}", "\\\\", "&", "_", "'", "sin", "e", "i", "∞", "0", "."]  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=30).map("".join))
def test_no_formula_makes_the_grader_raise(text: str) -> None:
    for key in KEYS:
        grade(key, text)
    grade(ExpressionKey(value=text), text)
    grade(ExpressionKey(value=text), "x = 1")
