"""Texts with expressions in braces, and LaTeX, whose braces are its own."""

import pytest

from tutoring.courses.exercises.expressions import ExpressionError, evaluate, text_of
from tutoring.courses.exercises.interpolation import check_text, fill_text

NAMES = {"a": evaluate("3", {}), "b": evaluate("12", {})}


def filled(text: str) -> str:
    return fill_text(text, lambda expression: text_of(evaluate(expression, NAMES)))


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{a}/{b} is {a/b}", "3/12 is 1/4"),
        (r"$\frac{a}{b}$", r"$\frac{3}{12}$"),
        (r"$\frac{{a}}{{b}}$ of {b}", r"$\frac{3}{12}$ of 12"),
        (r"$2^{b} \text{of} x$", r"$2^{12} \text{of} x$"),
        ("no braces", "no braces"),
    ],
)
def test_expressions_are_filled_and_latex_keeps_its_braces(text, result):
    assert filled(text) == result


@pytest.mark.parametrize("text", ["{a", "{c}", "{a +}", "{odd(a)}"])
def test_text_that_cannot_be_filled_is_refused_before_it_is_used(text):
    with pytest.raises(ExpressionError):
        check_text(text, NAMES)
