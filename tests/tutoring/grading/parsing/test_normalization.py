"""Equal values in any spelling are right, other values in none; however long an answer is, judging it takes bounded work."""

from fractions import Fraction

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tutoring.grading import ExpressionKey, NumericKey, grade

VALUES = st.fractions(min_value=-50, max_value=50, max_denominator=40)
FRAMES = (
    "{}",
    "x = {}",
    "{} = x",
    "so x = {}, I think",
    "the answer is {}",
    "I got {}",
    "A: {}",
    "{} apples",
    "(({}))",
    "${}$",
    "{}.",
)


def plain(value: Fraction) -> str:
    return str(value)


def as_latex(value: Fraction) -> str:
    return f"{'-' if value < 0 else ''}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def expanded(value: Fraction) -> str:
    return f"{3 * value.numerator}/{3 * value.denominator}"


def as_mixed(value: Fraction) -> str:
    whole, rest = divmod(abs(value.numerator), value.denominator)
    return f"{'-' if value < 0 else ''}{whole} {rest}/{value.denominator}" if whole and rest else plain(value)


def with_point(value: Fraction) -> str:
    return _decimal(value, ".")


def with_comma(value: Fraction) -> str:
    return _decimal(value, ",")


def _decimal(value: Fraction, point: str) -> str:
    thousandths = value * 1000
    if thousandths.denominator != 1 or value.denominator == 1:
        return plain(value)
    whole, rest = divmod(abs(int(thousandths)), 1000)
    return f"{'−' if value < 0 else ''}{whole}{point}{rest:03}".rstrip("0")


SPELLINGS = (plain, as_latex, expanded, as_mixed, with_point, with_comma)


@settings(max_examples=50, deadline=None)
@given(value=VALUES, spelling=st.sampled_from(SPELLINGS), frame=st.sampled_from(FRAMES))
def test_an_equal_value_is_right_in_any_spelling(value: Fraction, spelling: object, frame: str) -> None:
    assume(not (spelling is with_comma and "(" in frame))  # (1,5) is a point
    answer = frame.format(spelling(value))  # type: ignore[operator]  # one of the functions above
    assert grade(NumericKey(value=str(value)), answer).verdict in ("correct", "equivalent_not_in_form"), answer
    assert grade(ExpressionKey(value=str(value)), answer).verdict == "correct", answer


@settings(max_examples=50, deadline=None)
@given(value=VALUES, other=VALUES, spelling=st.sampled_from(SPELLINGS), frame=st.sampled_from(FRAMES))
def test_another_value_is_right_in_no_spelling(value: Fraction, other: Fraction, spelling: object, frame: str) -> None:
    assume(value != other)
    answer = frame.format(spelling(other))  # type: ignore[operator]  # one of the functions above
    assert grade(NumericKey(value=str(value)), answer).verdict != "correct", answer
    assert grade(ExpressionKey(value=str(value)), answer).verdict != "correct", answer
    assert grade(ExpressionKey(value=f"x = {value}"), answer).verdict != "correct", answer


COEFFICIENTS = st.integers(min_value=-9, max_value=9).filter(bool)


@settings(max_examples=30, deadline=None)
@given(a=COEFFICIENTS, b=COEFFICIENTS, c=st.integers(-20, 20), factor=COEFFICIENTS)
def test_one_side_of_an_equation_is_not_the_equation(a: int, b: int, c: int, factor: int) -> None:
    key = ExpressionKey(value=f"{a}x + {b}z = {c}")
    assert grade(key, f"{a * factor}x + {b * factor}z = {c * factor}").verdict == "correct"
    assert grade(key, f"{c} - {b}z = {a}x".replace("--", "- -")).verdict == "correct"
    for wrong in (str(c), f"{a}x + {b}z", f"{a}x + {b}z = {c + 1}", f"{a}x", f"{a}x - {b}z = {c}"):
        assert grade(key, wrong).verdict != "correct", wrong
