"""The sum that a question asks for, however it is written: the calculator leaves it to the learner, and it earns nothing."""

import pytest

from tests.tutoring.rules.leaking import of_kind
from tutoring.courses.instances import Instance
from tutoring.grading import NumericKey, StepsKey, grade
from tutoring.rules.giving_away import expressions_in
from tutoring.rules.own_sums import is_own_sum, stands_in

KEY = NumericKey(value="25/36")
WORK_OUT = [
    each
    for kind in (NumericKey, StepsKey)
    for each in of_kind(kind, range(2, 4), fractions_only=False)
    if each.stem.startswith("Work out")
]


@pytest.mark.parametrize(
    "typed",
    [
        "1/4+4/9", "4/9 + 1/4", "(1/4)+(4/9)", "sqrt((1/4+4/9)^2)", "√((1/4+4/9)²)", "1*(1/4 + 4/9)", "1/4+4/9 =", "0.25 + 4/9",
        "4/9 - -1/4", "1/4 + 4/9 + 0", "((1/4 + 4/9))/1",
    ],
)  # fmt: skip
def test_a_sum_said_again_is_the_same_one(typed: str) -> None:
    assert is_own_sum(typed, stem="Work out 1/4 + 4/9.", key=KEY)


@pytest.mark.parametrize(
    "typed",
    ["25/36", "2/4 + 7/36", "1/2 + 7/36", "4/9 - 1/4", "1/4 * 4/9", "1/4 + 4/9 + 1", "1 - 11/36", "1/4", "hello", ""],
)
def test_another_sum_is_another_one_though_it_has_the_same_value(typed: str) -> None:
    assert not is_own_sum(typed, stem="Work out 1/4 + 4/9.", key=KEY)


def test_a_fraction_to_be_written_otherwise_is_a_sum_too() -> None:
    key, stem = NumericKey(value="7/9", form="simplified"), "Write 56/72 in simplest form."
    assert is_own_sum("56/72", stem=stem, key=key)
    assert not is_own_sum("14/18", stem=stem, key=key)


def test_what_a_question_only_mentions_is_no_sum_of_its_own() -> None:
    assert not is_own_sum("1/3", stem="Which is bigger, 1/2 or 1/3?", key=NumericKey(value="1/2"))


def test_sum_of_a_lesson_is_known_in_what_it_asks_however_it_is_written() -> None:
    assert stands_in("4/9 + 1/4", "What is 1/4 + 4/9?")
    assert not stands_in("1/4 + 3/9", "What is 1/4 + 4/9?")
    assert not stands_in("1/4", "What is 1/4 + 4/9?")


@pytest.mark.parametrize("question", WORK_OUT, ids=lambda each: f"{each.template}-{each.seed}")
def test_every_question_to_work_out_knows_its_own_sum_and_gives_nothing_for_it(question: Instance) -> None:
    own = max(expressions_in(question.stem), key=len)
    assert is_own_sum(own, stem=question.stem, key=question.key)
    said = grade(question.key, own)
    assert (said.is_correct, said.score) == (False, 0.0)
