"""Choices, and keys as JSON."""

import pytest

from tutoring.grading import (
    AnswerKey,
    ChoiceKey,
    ExpressionKey,
    Idea,
    MatchKey,
    MultiKey,
    NumericKey,
    OrderKey,
    SetKey,
    StepsKey,
    TextKey,
    grade,
    key_from_json,
    key_to_json,
    numeric_key,
)

ONE = ChoiceKey(right="B", options=(("A", "1/3"), ("B", "1/2"), ("C", "the same")))
SEVERAL = MultiKey(right=frozenset("AC"), options=(("A", "1"), ("B", "2"), ("C", "3"), ("D", "4")))


@pytest.mark.parametrize("answer", ["B", "b", "(b)", "B.", "option B", "1/2", "2/4", "½"])
def test_a_choice_is_its_letter_or_its_text(answer: str) -> None:
    judgement = grade(ONE, answer)
    assert (judgement.verdict, judgement.chosen) == ("correct", ("B",))


def test_another_choice_is_wrong() -> None:
    assert [grade(ONE, answer).verdict for answer in ("A", "The Same")] == ["wrong", "wrong"]


def test_a_list_in_words_is_none_of_several_lists_of_the_same_numbers() -> None:
    lists = ChoiceKey(right="B", options=(("A", "[2, 0, 1]"), ("B", "[0, 2, 1]")))
    assert grade(lists, "[0, 2, 1]").chosen == ("B",)
    assert grade(lists, "{0, 2, 1}").verdict == "unparsable"


def test_no_choice_is_a_free_retry() -> None:
    assert [grade(ONE, answer).verdict for answer in ("Z", "", "maybe")] == ["unparsable"] * 3


def test_a_choice_without_options_may_be_named_by_its_text() -> None:
    key = ChoiceKey(right="2 < 3")
    assert [grade(key, answer).verdict for answer in ("2 < 3", "2<3", "3 < 2", "")] == [
        "correct",
        "correct",
        "wrong",
        "unparsable",
    ]


@pytest.mark.parametrize("answer", ["A,C", "c a", "A and C", "ac", "A; C"])
def test_several_choices_are_letters_in_any_order(answer: str) -> None:
    assert grade(SEVERAL, answer).verdict == "correct"


def test_some_of_several_choices_are_partly_right() -> None:
    judgement = grade(SEVERAL, "A, B")
    assert (judgement.verdict, round(judgement.score, 2), judgement.chosen) == ("partial", 0.33, ("A", "B"))


@pytest.mark.parametrize(
    "key",
    [
        numeric_key("1/2", form="decimal(0.01)"),
        NumericKey(value="1/2", form="simplified"),
        ExpressionKey(value="x+1", form="factored"),
        SetKey(values=("1", "2"), form="as_written"),
        OrderKey(right=("B", "A", "C"), options=(("A", "1"), ("B", "2"), ("C", "3"))),
        MatchKey(right=(("A", "2"), ("B", "1")), rows=(("A", "x"), ("B", "y")), options=(("1", "p"), ("2", "q"))),
        StepsKey(start="1 + 1", value="2", form="whole"),
        ONE,
        SEVERAL,
        TextKey(ideas=(Idea(any=("a",), weight=0.5, name="b"),), contradicts=("c",), references=("d",), question="e"),
    ],
)
def test_a_key_comes_back_from_json(key: AnswerKey) -> None:
    assert key_from_json(key_to_json(key)) == key


def test_an_unknown_kind_of_key_is_refused() -> None:
    with pytest.raises(ValueError, match="unknown kind"):
        key_from_json({"type": "essay"})
