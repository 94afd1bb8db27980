"""Results on the way to an answer."""

from fractions import Fraction

import pytest

from tutoring.courses.exercises.solution_steps import step_with_result


@pytest.mark.parametrize(
    ("value", "solution", "step"),
    [
        (56, ("4 × 14 = 56", "56 − 45 = 11"), "4 × 14 = 56"),
        (-16, ("4 × (−4) = −16", "42 − 16 = 26"), "4 × (−4) = −16"),
        (10, ("3 parts are 30 pages, so one part is 30 ÷ 3 = 10 pages.",), "30 ÷ 3 = 10"),
        (24, ("4 + 10 + 4 + 6 = 24 and 24 ÷ 4 = 6",), "4 + 10 + 4 + 6 = 24"),
        (Fraction(3, 8), ("1/8 + 2/8 = 3/8", "3/8 + 1/2 = 7/8"), "1/8 + 2/8 = 3/8"),
        (26, ("8 / 2 = 4. Check: 5 × 2 + 4 × 4 = 26",), ""),
        (20, ("12 + 8 = 20 = 5 × 4",), ""),
        (5, ("5² means 5 × 5.",), ""),
    ],
)
def test_a_calculation_with_this_result_is_found(value: int, solution: tuple[str, ...], step: str) -> None:
    assert step_with_result(Fraction(value), solution=solution, question="", answer="99") == step


def test_the_answer_and_the_numbers_of_the_question_are_no_steps() -> None:
    solution = ("6 + 6 = 12", "12 ÷ 3 = 4")
    assert not step_with_result(Fraction(4), solution=solution, question="Share 6 and 6 by three.", answer="4")
    assert not step_with_result(Fraction(12), solution=solution, question="There are 12 of them.", answer="4")
