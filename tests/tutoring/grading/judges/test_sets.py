"""Sets of values, and expressions that must be multiplied out."""

import pytest

from tutoring.grading import ExpressionKey, SetKey, grade
from tutoring.grading.judges.sets import contains_values

VALUES = SetKey(values=("1/2", "3/4", "2"))
WRITTEN = SetKey(values=("2/4", "3/6"), form="as_written")
SIMPLE = SetKey(values=("1/2", "2/3"), form="simplified")


@pytest.mark.parametrize("answer", ["1/2, 3/4, 2", "2; 0.5; 75%", "3/4 and 1/2 and 2", "1/2\n3/4\n2", "{2, 1/2, 6/8}"])
def test_values_come_in_any_order_and_spelling(answer: str) -> None:
    assert grade(VALUES, answer).verdict == "correct"


@pytest.mark.parametrize(
    ("key", "answer", "verdict"),
    [
        (VALUES, "1/2, 3/4", "partial"),
        (VALUES, "1/2, 3/4, 2, 5", "partial"),
        (VALUES, "1/3, 5", "wrong"),
        (VALUES, "banana", "unparsable"),
        (VALUES, "1 2 3", "unparsable"),
        (VALUES, "", "unparsable"),
        (WRITTEN, "3/6, two quarters", "correct"),
        (WRITTEN, "3/6 2/4", "correct"),
        (WRITTEN, "1/2", "wrong"),
        (WRITTEN, "1/2, 2/4", "partial"),
        (SIMPLE, "2/3, 1/2", "correct"),
        (SIMPLE, "2/4, 2/3", "equivalent_not_in_form"),
    ],
)
def test_what_is_missing_or_too_much_is_seen(key: SetKey, answer: str, verdict: str) -> None:
    assert grade(key, answer).verdict == verdict


def test_equal_values_ask_for_as_many_spellings() -> None:
    halves = SetKey(values=("1/2", "2/4", "3/6"))
    assert [grade(halves, answer).verdict for answer in ("5/10, 1/2, 6/12", "1/2, 1/2, 1/2")] == ["correct", "partial"]


def test_values_of_a_mistake_are_found_in_the_answer() -> None:
    assert contains_values(VALUES, "1/2, 6/8, 5", ("3/4", "5"))
    assert not contains_values(VALUES, "1/2, 5", ("3/4", "5"))
    assert not contains_values(WRITTEN, "1/2, 3/6", ("2/4",))
    assert not contains_values(VALUES, "banana", ("2",))


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        ("3x + 6", "correct"),
        ("6 + 3*x", "correct"),
        ("3(x + 2)", "equivalent_not_in_form"),
        ("x + 2x + 6", "equivalent_not_in_form"),
        ("3x + 2*3", "equivalent_not_in_form"),
        ("3x + 5", "wrong"),
    ],
)
def test_multiplied_out_is_a_form(answer: str, verdict: str) -> None:
    assert grade(ExpressionKey(value="3x + 6", form="expanded"), answer).verdict == verdict


def test_powers_and_products_of_letters_are_like_terms() -> None:
    key = ExpressionKey(value="x^2 + 2xy - y/2", form="expanded")
    assert grade(key, "x^2 - y/2 + 2xy").verdict == "correct"
    assert grade(key, "x*x + xy + yx - y/2").verdict == "equivalent_not_in_form"
