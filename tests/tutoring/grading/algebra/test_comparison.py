"""Expressions, equations, intervals and lists: what is the same, and what is not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.grading import ExpressionKey, SetKey, grade, parse
from tutoring.grading.algebra.equality import are_equal


def verdict(value: str, answer: str) -> str:
    return grade(ExpressionKey(value=value), answer).verdict


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("12x^3-20x^2+12x", "4x(3x^2 - 5x + 3)"),
        (r"$$\frac{4b^2}{7a^4}$$", "4b**2/(7a^4)"),
        ("10\\text{ units}", "10"),
        ("$125$ miles", "125"),
        ("x \\leq 5", "5 >= x"),
        ("x<3", "2x < 6"),
        ("x=5", "5"),
        ("5", "x = 5"),
        ("y=-11x+13", "11x + y = 13"),
        ("2x+4y-3=0", r"y=-\frac{1}{2}x+\frac{3}{4}"),
        ("x=5 or x=9", "9, 5"),
        ("-2 <= x <= 7", r"x \in [-2,7]"),
        ("(-inf,-4)U(-3,inf)", r"(-3,\infty)\cup(-\infty,-4)"),
        (r"\{1,2,3\}", "3, 2, 1"),
        ("7\\pm\\sqrt{3}", "7-sqrt(3), 7+sqrt(3)"),
        ("2x", "2X"),
        ("7n/8", "n/8x7"),
        ("7n/8", "7/8 x n"),
        ("7n/8", "7/8 of n"),
        (r"2 \sin b \cos a", "2 cos(a) sin(b)"),
        (r"10\sqrt{3} + \sqrt4", "10√3+2"),
        ("(2,-1)", "x = 2, y = -1"),
        ("6-3i", "3(2-i)"),
        (r"\log_{3}(9)", "2"),
        ("no solution", "There is no solution"),
        (r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}", "[[1,2],[3,4]]"),
        ("11:21", "V_1:V_2 = 11:21"),
        ("90^\\circ", "90 degrees"),
        ("28\\%", "28 pct"),
    ],
)
def test_equivalent_answers_are_right(value: str, answer: str) -> None:
    assert verdict(value, answer) == "correct"


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("x+2n+1", "x+1"),
        ("10, 4, -2", "4, 10, -2"),
        ("(2,3)", "(3,2)"),
        ("[2,3]", "[2,3)"),
        ("x<5", "x<=5"),
        ("x<5", "x>5"),
        ("x<3", "-2x < -6"),
        ("x=5", "y=5"),
        ("{1,2}", "{1,2,3}"),
        ("19, 46, and 82", "21, 36, and 82"),
        ("2=\\log_3(9)", "4=\\log_3(9)"),
        ("sqrt(x^2)", "x"),
        ("odd", "even"),
        ("1", "-[0,1)"),
        ("x^2", "2x"),
    ],
)
def test_different_answers_are_never_right(value: str, answer: str) -> None:
    assert verdict(value, answer) not in ("correct", "equivalent_not_in_form")


def test_the_opposite_expression_is_a_sign_error() -> None:
    assert verdict("x-3", "3-x") == "sign_error"


def test_the_equation_itself_is_not_yet_its_solution() -> None:
    assert grade(ExpressionKey(value="x=5"), "2x+3=13").reason == "unsolved"


def test_a_rounded_constant_is_not_exact() -> None:
    assert grade(ExpressionKey(value="2\\pi"), "6.283185307").reason == "rounded"


def test_another_unit_is_told_from_a_wrong_number() -> None:
    assert grade(ExpressionKey(value="5 km"), "5 miles").reason == "unit"


def test_a_product_of_sums_is_factored() -> None:
    key = ExpressionKey(value="(x+7)(x+3)", form="factored")
    assert [grade(key, answer).verdict for answer in ("(x+3)(x+7)", "x^2+10x+21")] == [
        "correct",
        "equivalent_not_in_form",
    ]


def test_a_set_may_be_partly_right() -> None:
    judgement = grade(SetKey(values=("1", "2", "3")), "3, 1")
    assert (judgement.verdict, round(judgement.score, 2)) == ("partial", 0.67)


def test_a_long_solution_is_judged_by_its_box() -> None:
    assert verdict("1 and -2", "Long words " * 60 + r"so it is \(\boxed{-2}\) and \(\boxed{1}\).") == "correct"


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> str:
    if depth == 0:
        return draw(st.sampled_from(["x", "y", "2", "7", "1/3", "0.5", "x^2"]))
    sign = draw(st.sampled_from(["+", "-", "*", "/"]))
    left, right = draw(expressions(depth=depth - 1)), draw(expressions(depth=0 if sign == "/" else depth - 1))
    return f"({left}){sign}({right})"


def test_what_is_defined_nowhere_is_a_free_retry() -> None:
    judgement = grade(ExpressionKey(value="x+1"), "x/(x-x)")
    assert (judgement.verdict, judgement.reason) == ("unparsable", "division_by_zero")


@settings(deadline=None)
@given(expressions(), expressions())
def test_equality_is_symmetric(a: str, b: str) -> None:
    assert are_equal(parse(a), parse(b)) == are_equal(parse(b), parse(a))


@settings(deadline=None)
@given(expressions())
def test_an_expression_equals_itself_rewritten(text: str) -> None:
    assert verdict(f"({text}) + x", f"x + ({text})") == "correct"


@settings(deadline=None)
@given(expressions())
def test_adding_one_is_noticed(text: str) -> None:
    assert verdict(f"{text}", f"({text}) + 1") not in ("correct", "equivalent_not_in_form")
