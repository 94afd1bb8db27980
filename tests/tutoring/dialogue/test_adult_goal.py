"""An adult with a purpose: from a sentence in the lobby to the goal, over the steps of the shipped course."""

import pytest

from tests import people
from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.lesson.placement import placement_of
from tutoring.models import DiagnosticResult, Goal

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("shipped_fractions")]

TURNS_IN_TWENTY_MINUTES = 30
"""At forty seconds a turn."""


def to_the_goal(stage: Stage, *, unknown: set[str]) -> None:
    """Answer the placement without what is `unknown`, then the lessons right, until the goal is reached."""
    stage.say("I want to add fractions for a baking job")
    while not Goal.objects.exclude(reached_at=None).exists() and len(stage.exchanges) < TURNS_IN_TWENTY_MINUTES:
        question = stage.question
        if question is None:
            stage.say("Let’s start")
        elif placement_of(stage.state).under_way and question.concept.slug in unknown:
            stage.give_up()
        else:
            stage.check(right(question))


@pytest.mark.parametrize("unknown", [set(), {"add-unlike"}, {"add-unlike", "common-bottoms"}])
def test_the_goal_is_reached_in_twenty_minutes(unknown: set[str]) -> None:
    with unhurried(), counted_turns(3):
        stage = Stage(people.make_person("dora"))
        to_the_goal(stage, unknown=unknown)
    assert DiagnosticResult.objects.get().questions <= 8
    assert Goal.objects.get().concept.slug == "add-unlike"
    assert Goal.objects.get().reached_at is not None, len(stage.exchanges)
