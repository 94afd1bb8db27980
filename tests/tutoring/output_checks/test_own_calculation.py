"""The sum that a question asks for, however it is written: the calculator leaves it to the learner, and it earns nothing."""

import re
from fractions import Fraction

import pytest

from tests.tutoring.output_checks.leaking_texts import of_kind
from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading import NumericKey, StepsKey, grade
from tutoring.output_checks.answer_disclosure import expressions_in
from tutoring.output_checks.own_calculation import appears_in, is_own_calculation

KEY = NumericKey(value="25/36")
WORK_OUT = [
    each
    for kind in (NumericKey, StepsKey)
    for each in of_kind(kind, range(2, 4), fractions_only=False)
    if each.stem.startswith("Work out")
]
OF = [
    each
    for each in of_kind(NumericKey, range(2, 5), fractions_only=False)
    if each.template in ("fq-of", "fq-chairs", "uf-of-amount", "sp-of-set", "oh-number")
]


def part_and_amount(question: Exercise) -> tuple[str, str]:
    """Return the fraction, as the stem writes it, and the amount that it is taken of."""
    assert isinstance(question.key, NumericKey)
    stem = question.stem.replace("one half", "1/2")
    (part,) = re.findall(r"\d+/\d+", stem)
    amounts = re.findall(r"(?<![\d/])\d+(?![\d/])", stem)
    return part, next(each for each in amounts if Fraction(part) * int(each) == int(question.key.value))


@pytest.mark.parametrize(
    "typed",
    [
        "1/4+4/9", "4/9 + 1/4", "(1/4)+(4/9)", "sqrt((1/4+4/9)^2)", "√((1/4+4/9)²)", "1*(1/4 + 4/9)", "1/4+4/9 =", "0.25 + 4/9",
        "4/9 - -1/4", "1/4 + 4/9 + 0", "((1/4 + 4/9))/1", "abs(1/4+4/9)", "round(1/4+4/9, 9)", "max(1/4+4/9,0)", "(1*4/9)+1/4",
        "1/4+4/(9*1)", "((1/4+4/9)^2)^(1/2)", "100% of (1/4+4/9)", "1/4+4/9+0*5", "2*(1/4 + 4/9)/2", "1/4 + 4/9 + 5 - 5",
        "max(round(1/4+4/9, 9), 0)", "4^1/9 + 1/4",
        "1/4 + abs(4/9)", "(1+0)/4 + 4/9", "max(1/4, 0) + round(4/9, 9)", "gcd(1, 1)/4 + 4/9", "1/4x1 + 4/9", "(3-2)*(1/4 + 4/9)",
        "(" * 45 + "1/4 + 4/9" + ")" * 45,
    ],
)  # fmt: skip
def test_a_sum_said_again_is_the_same_one(typed: str) -> None:
    assert is_own_calculation(typed, stem="Work out 1/4 + 4/9.", key=KEY)


@pytest.mark.parametrize(
    "typed",
    [
        "25/36",
        "2/4 + 7/36",
        "1/2 + 7/36",
        "4/9 - 1/4",
        "1/4 * 4/9",
        "1/4 + 4/9 + 1",
        "1 - 11/36",
        "1/4",
        "50/72",
        "5/6 * 5/6",
        "abs(2/4 + 7/36)",
        "max(1/4, 4/9)",
        "(1/12 + 1/6) + 4/9",
        "4/9 + max(1/8, 1/16) + 1/8",
        "(1/4 + 4/9) * 4",
        "hello",
        "",
    ],
)
def test_another_sum_is_another_one_though_it_has_the_same_value(typed: str) -> None:
    assert not is_own_calculation(typed, stem="Work out 1/4 + 4/9.", key=KEY)


def test_a_fraction_to_be_written_otherwise_is_a_sum_too() -> None:
    key, stem = NumericKey(value="7/9", form="simplified"), "Write 56/72 in simplest form."
    assert is_own_calculation("56/72", stem=stem, key=key)
    assert is_own_calculation("max(56/72, 0)", stem=stem, key=key)
    assert not is_own_calculation("14/18", stem=stem, key=key)
    bigger = "Which is more, 1/3 or 1/7?"
    assert not is_own_calculation("1 - 1/3 - 1/3", stem=bigger, key=NumericKey(value="1/3"))


@pytest.mark.parametrize(
    ("stem", "value", "typed"),
    [
        ("Add 1/6 and 8/15.", "7/10", "8/15 + 1/6"),
        ("How much is 1/6 plus 8/15?", "7/10", "1/6 + 8/15"),
        ("Subtract 1/4 from 6/7.", "17/28", "6/7 - 1/4"),
        ("How many marbles are one half of 8 marbles?", "4", "1/2 of 8"),
        ("How many chairs are 3/5 of 30 chairs?", "18", "3/5 of 30"),
        ("How many chairs are 3/5 of 30 chairs?", "18", "30 * 3/5"),
        ("How many chairs are 3/5 of 30 chairs?", "18", "round(3/5 of 30, 2)"),
    ],
)
def test_a_sum_in_words_is_one_too(stem: str, value: str, typed: str) -> None:
    assert is_own_calculation(typed, stem=stem, key=NumericKey(value=value))


@pytest.mark.parametrize("question", OF, ids=lambda each: f"{each.template}-{each.seed}")
def test_a_part_of_an_amount_is_a_product(question: Exercise) -> None:
    assert isinstance(question.key, NumericKey)
    part, amount = part_and_amount(question)
    for typed in (f"{part} of {amount}", f"{part}*{amount}", f"{amount} x {part}"):
        assert is_own_calculation(typed, stem=question.stem, key=question.key)
    assert not is_own_calculation(f"{int(question.key.value) - 1} + 1", stem=question.stem, key=question.key)


def test_what_a_question_only_mentions_is_no_sum_of_its_own() -> None:
    assert not is_own_calculation("1/3", stem="Which is bigger, 1/2 or 1/3?", key=NumericKey(value="1/2"))


def test_sum_of_a_lesson_is_known_in_what_it_asks_however_it_is_written() -> None:
    assert appears_in("4/9 + 1/4", "What is 1/4 + 4/9?")
    assert not appears_in("1/4 + 3/9", "What is 1/4 + 4/9?")
    assert not appears_in("1/4", "What is 1/4 + 4/9?")


@pytest.mark.parametrize("question", WORK_OUT, ids=lambda each: f"{each.template}-{each.seed}")
def test_every_question_to_work_out_knows_its_own_sum_and_gives_nothing_for_it(question: Exercise) -> None:
    own = max(expressions_in(question.stem), key=len)
    assert is_own_calculation(own, stem=question.stem, key=question.key)
    said = grade(question.key, own)
    assert (said.is_correct, said.score) == (False, 0.0)
