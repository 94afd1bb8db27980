"""Goodbye in a model's words: only with the numbers and the concepts of the summary."""

import pytest

from tests.tutoring.halves_course import COURSE
from tutoring.lesson.facts import LobbyFacts
from tutoring.roles.speech.farewell import farewell_wording

RECAP = "You worked on *One half*. You answered 5 questions and got 4 of them right on the first try."
BYE = "See you next time."
FACTS = LobbyFacts(turn_id="1", courses=(COURSE,), recap=RECAP)


def test_summary_comes_before_the_goodbye_and_is_given_to_the_model():
    wording = farewell_wording(FACTS, BYE)
    assert wording.words == f"{RECAP} {BYE}"
    assert RECAP in wording.task


def test_nothing_done_leaves_the_goodbye_alone():
    assert farewell_wording(LobbyFacts(turn_id="1", courses=(COURSE,)), BYE).words == BYE


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("You got four of 5 right today. Well done, and see you soon.", ""),
        ("We looked at one half. Everything is saved.", ""),
        ("You got all 6 right.", "number"),
        ("Five questions, and three of them right.", "number"),
        ("You got 80% right.", "number"),
        ("You know probability now.", "concept"),
        ("You worked on equivalent fractions.", "concept"),
        ("See [more](/x).", "link"),
        ("See you soon. What did you like best?", "enough"),
    ],
)
def test_only_what_is_in_the_summary_may_be_said(said, problem):
    assert farewell_wording(FACTS, BYE).guard(said) == problem
