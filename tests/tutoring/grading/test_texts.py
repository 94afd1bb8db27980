"""Short texts: ideas, contradictions, negation, and reference answers."""

import pytest

from tutoring.grading import Idea, TextKey, grade
from tutoring.grading.misspelt import respelt
from tutoring.grading.patterns import is_safe, says

SAME_SIZE = Idea(any=("same size", "equal"), weight=0.6, name="equal parts")
ONE_WHOLE = Idea(any=(r"one of (the )?(\d+|four) parts",), weight=0.4, name="one of them")
KEY = TextKey(ideas=(SAME_SIZE, ONE_WHOLE), contradicts=("bigger number",))


def test_all_ideas_make_a_text_right() -> None:
    judgement = grade(KEY, "You take one of four parts, and they are equally big.")
    assert (judgement.verdict, judgement.missing) == ("correct", ())


def test_a_missing_idea_is_named() -> None:
    judgement = grade(KEY, "The parts have the same size.")
    assert (judgement.verdict, judgement.missing) == ("partial", ("one of them",))


def test_a_negated_idea_is_not_said() -> None:
    judgement = grade(KEY, "You take one of four parts, which are not the same size.")
    assert (judgement.verdict, judgement.missing) == ("partial", ("equal parts",))


def test_a_contradiction_is_never_right() -> None:
    judgement = grade(KEY, "One of four parts of the same size, because 4 is a bigger number.")
    assert (judgement.verdict, judgement.reason) == ("partial", "contradicts")


def test_a_denied_contradiction_does_not_count() -> None:
    assert grade(KEY, "One of four parts of the same size, not a bigger number.").verdict == "correct"


def test_an_answer_that_begins_with_no_is_not_a_denial() -> None:
    assert says("same size", "No they are the same size")


@pytest.mark.parametrize("text", ["", "   ", "?!", "\x00"])
def test_no_words_are_a_free_retry(text: str) -> None:
    assert grade(KEY, text).verdict == "unparsable"


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*", "(", "x" * 600, r"(\w+\s*)+big"])
def test_a_slow_or_broken_pattern_is_searched_as_it_stands(pattern: str) -> None:
    assert not is_safe(pattern)
    assert not says(pattern, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaac")


REFERENCES = TextKey(
    references=("The terminals are connected to the negative battery terminal.",),
    question="Why do you think those terminals are in the same state?",
)


def test_a_reference_in_other_words_is_right() -> None:
    assert grade(REFERENCES, "they are connected to the battery's negative side").verdict == "correct"


def test_the_question_said_back_is_wrong() -> None:
    assert grade(REFERENCES, "because those terminals are in the same state").verdict == "wrong"


def test_a_denied_reference_is_not_right() -> None:
    assert grade(REFERENCES, "The terminals are not connected to the negative battery terminal.").verdict != "correct"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2 eqaul peices becuase of the midle", "2 equal pieces because of the middle"),
        ("24cm, 15l and 20mins", "24 cm, 15 l and 20 mins"),
        ("the 4th of 3x5 is 1/4m", "the 4th of 3x5 is 1/4 m"),
        ("compare both halves: they are the same", "compare both halves: they are the same"),
    ],
)
def test_a_text_is_read_as_it_was_meant(typed: str, meant: str) -> None:
    assert respelt(typed) == meant
    assert respelt(meant) == meant


def test_a_misspelt_idea_is_said() -> None:
    assert grade(KEY, "one of four parts and there all eqaul").verdict == "correct"
