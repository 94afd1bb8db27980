"""Numbers: every sensible spelling, and the form a question asks for."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import ExpressionKey, Form, NumericKey, grade, numbers_in, numeric_key, parse
from tutoring.grading.algebra.equality import are_equal, exact_value
from tutoring.grading.judges.amounts import is_gradable


def verdict(value: str, answer: str, form: Form = "any") -> str:
    return grade(NumericKey(value=value, form=form), answer).verdict


@pytest.mark.parametrize(
    "answer",
    [
        "1/2",
        "2/4",
        "0.5",
        ".5",
        r"\frac{1}{2}",
        r"$\dfrac12$",
        "50%",
        "1 half",
        "one half",
        "a half",
        "½",
        "x = 1/2",
        "1/2 m",
        "1/2, I think",
        "0.5 maybe?",
    ],
)
def test_any_spelling_of_a_half_is_right(answer: str) -> None:
    assert verdict("1/2", answer) == "correct"


@pytest.mark.parametrize("answer", ["2/4", "0.5", "50%"])
def test_a_half_that_is_not_in_lowest_terms_is_not_in_form(answer: str) -> None:
    assert verdict("1/2", answer, "simplified") == "equivalent_not_in_form"


@pytest.mark.parametrize("answer", ["0.5", "50%"])
def test_a_decimal_is_no_fraction(answer: str) -> None:
    assert verdict("1/2", answer, "fraction") == "equivalent_not_in_form"


def test_a_fraction_in_any_terms_is_a_fraction() -> None:
    assert verdict("1/2", "2/4", "fraction") == "correct"


@pytest.mark.parametrize(
    "answer", ["3/2", "1 1/2", "1½", "1 and a half", "one and a half", r"1\frac{1}{2}", "1 and 1/2"]
)
def test_mixed_numbers_are_simplified_fractions(answer: str) -> None:
    assert verdict("3/2", answer, "simplified") == "correct"


@pytest.mark.parametrize("answer", ["4/2", "2/1", "1 2/2"])
def test_a_whole_number_written_as_a_fraction_is_not_simplified(answer: str) -> None:
    assert verdict("2", answer, "simplified") == "equivalent_not_in_form"


def test_the_wrong_sign_is_told_from_a_wrong_number() -> None:
    assert [verdict("3/4", "-3/4"), verdict("3/4", "4/3")] == ["sign_error", "wrong"]


def test_a_sum_that_is_not_worked_out_is_not_yet_the_answer() -> None:
    judgement = grade(NumericKey(value="3/4"), "1/2 + 1/4")
    assert (judgement.verdict, judgement.reason) == ("equivalent_not_in_form", "unevaluated")


@pytest.mark.parametrize("form", ["any", "fraction", "simplified", "exact", "whole", "decimal(0.01)"])
@pytest.mark.parametrize(
    "answer", ["1/4+4/9", "4/9 + 1/4", "sqrt((1/4+4/9)^2)", "1/4+4/9 = 4/9+1/4", "25*1/36", "5^2/6^2", "25/36 + 0"]
)
def test_a_question_said_again_earns_nothing(form: str, answer: str) -> None:
    judgement = grade(numeric_key("25/36", form=form), answer)
    assert (judgement.is_correct, judgement.score, judgement.reason) == (False, 0.0, "unevaluated")


def test_every_way_to_write_a_number_that_is_worked_out_is_one() -> None:
    assert {verdict("7/4", answer) for answer in ("7/4", "1 3/4", "1.75", "175%", "14/8", "7 : 4")} == {"correct"}


def test_a_good_rounding_of_an_endless_decimal_is_recognised() -> None:
    assert grade(NumericKey(value="2/3"), "0.667").reason == "rounded"
    assert verdict("2/3", "0.666") == "wrong"


@pytest.mark.parametrize(
    ("answer", "expected"), [("0.33", "correct"), ("0.34", "wrong"), ("1/3", "equivalent_not_in_form")]
)
def test_decimals_are_right_to_the_places_asked_for(answer: str, expected: str) -> None:
    assert grade(numeric_key("1/3", form="decimal(2 places)"), answer).verdict == expected


def test_a_tolerance_is_kept() -> None:
    key = numeric_key("3.14", form="decimal(0.01)")
    assert [grade(key, answer).verdict for answer in ("3.15", "3.151")] == ["correct", "wrong"]


def test_a_form_there_is_not_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown form"):
        numeric_key("1", form="pretty")


@pytest.mark.parametrize(
    "answer",
    [
        "I added them and got 3/4 because 3 of 4 fit",
        "The answer is 3/4.",
        "it's three quarters",
        "three-fourths",
        "3 out of 4",
        "3/4ths",
        "no, 3/4",
        "3/4 of the pizza",
        "1/2 + 1/4 = 3/4",
    ],
)
def test_the_number_in_a_sentence_counts(answer: str) -> None:
    assert verdict("3/4", answer) == "correct"


@pytest.mark.parametrize("answer", ["it is not 3/4", "3/4 or 1/2 I guess", "what?", "no idea", "", "1 2 3"])
def test_a_sentence_without_one_clear_number_is_never_right(answer: str) -> None:
    assert verdict("3/4", answer) in ("unparsable", "wrong")


def test_two_different_answers_are_asked_for_again() -> None:
    assert grade(NumericKey(value="3/4"), "3/4 or 1/2").reason == "several"


def test_the_same_number_said_twice_is_one_answer() -> None:
    assert verdict("3/4", "3/4 or 6/8") == "correct"


def test_numbers_in_words_are_read() -> None:
    assert verdict("21", "twenty-one") == "correct"
    assert verdict("-2", "minus two") == verdict("-2", "it is negative 2") == "correct"
    assert verdict("-7", "7 below zero") == verdict("-7", "seven degrees below zero") == "correct"
    assert verdict("3", "5 minus 2") == "equivalent_not_in_form"
    assert verdict("26", "twenty sıx") == verdict("26", "TWENTY SİX") == "correct"


def test_words_alone_are_a_free_retry() -> None:
    assert verdict("3/4", "I do not know") == "unparsable"


@pytest.mark.parametrize("answer", ["7,425,000", "7425000", "7.425e6"])
def test_long_numbers_may_have_commas(answer: str) -> None:
    assert verdict("7425000", answer) == "correct"


def test_a_decimal_comma_is_read() -> None:
    assert verdict("0.5", "0,5") == "correct"


@settings(deadline=None)
@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=500), st.integers(1, 9))
def test_a_rational_equals_itself_in_every_spelling(value: Fraction, factor: int) -> None:
    top, bottom = value.numerator * factor, value.denominator * factor
    spellings = [
        f"{value}",
        f"{top}/{bottom}",
        rf"\frac{{{top}}}{{{bottom}}}",
        f"x = {value}",
        f"{100 * value}%",
        f"({value})",
    ]
    assert {grade(NumericKey(value=str(value)), spelling).verdict for spelling in spellings} == {"correct"}


@settings(deadline=None)
@given(st.fractions(max_denominator=10**6), st.fractions(max_denominator=10**6))
def test_different_rationals_are_never_equal(a: Fraction, b: Fraction) -> None:
    assert are_equal(parse(str(a)), parse(str(b))) == (a == b)


@settings(deadline=None)
@given(st.decimals(min_value=-(10**6), max_value=10**6, places=3, allow_nan=False))
def test_a_decimal_is_read_exactly(value: object) -> None:
    assert exact_value(parse(str(value))) == Fraction(str(value))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("3/4, three quarters and 1 1/2", ["3/4", "3/4", "3/2"]),
        (r"50% or \frac{1}{2} or ½", ["1/2", "1/2", "1/2"]),
        ("3 out of 4 pieces, -2, then 0.75", ["3/4", "-2", "3/4"]),
        ("one and a half of the third one", ["3/2"]),
        ("1/0 is no number", []),
        ("Look at the parts.", []),
    ],
)
def test_every_number_said_is_found(text: str, said: list[str]) -> None:
    assert numbers_in(text) == tuple(Fraction(number) for number in said)


@pytest.mark.parametrize(
    "said", ["eleven forty-firsts", "eleven forty-oneths", "11 forty oneths", "eleven forty oneths"]
)
def test_parts_beyond_forty_are_numbers_however_they_are_called(said):
    assert numbers_in(f"It's {said}!") == (Fraction(11, 41),)


@pytest.mark.parametrize(
    ("value", "is_right"),
    [("2x + 1", True), (r"(-\infty, 3]", True), ("no solution", True), ("n!", True), ("9**9**9", False), ("((", False)],
)
def test_a_key_that_cannot_be_read_or_calculated_grades_nothing(value: str, is_right: bool) -> None:
    assert is_gradable(ExpressionKey(value=value)) == is_right
