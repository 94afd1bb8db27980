"""What is said to an answer on a card: nothing that the card says already, and a verdict on a pick in a case."""

import pytest

from tests import people
from tests.tutoring.lessons.learners import right, wrong
from tests.tutoring.lessons.lesson_player import Stage, counted_turns
from tutoring.models import Attempt, Concept

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage(shipped_fractions):
    """A lesson on one half at its first step, whose wrong choice stands for two pieces being halves."""
    with counted_turns(seed=5):
        concept = Concept.objects.select_related("course").get(slug="one-half")
        stage = Stage(people.make_person("ada"), concept)
        stage.open()
        yield stage


def misconceived(question):
    """Return the wrong answer to the question that shows an idea."""
    return next(answer for answer, ids in question.instance().wrong.items() if "any_two_pieces_are_halves" in ids)


def test_solution_shown_ends_the_step_and_brings_the_next(stage):
    asked = stage.question
    stage.give_up()
    asked.refresh_from_db()
    assert (asked.status, stage.question.pk != asked.pk) == ("answered", True)
    given_up = Attempt.objects.get()
    assert (given_up.gave_up, given_up.assisted, hasattr(given_up, "change")) == (True, True, False)


def test_wrong_pick_in_a_case_gets_a_verdict_and_a_reason_and_keeps_the_choices(stage):
    case = stage.concept.course.catalogue().misconceptions["any_two_pieces_are_halves"].contrast
    shown = stage.check(misconceived(stage.question))
    picked = stage.say("As much as you")
    assert picked.reply.startswith("No, “As much as you” can’t be right. Think about whether you would mind")
    for each in (shown, picked):
        (offered,) = each.cards("replies")
        assert sorted(offered["options"]) == sorted([case.right, *case.wrong])


def test_quiz_leaves_the_verdict_to_the_card(stage):
    stage.say("quiz me")
    missed = stage.check(wrong(stage.question))
    answered = stage.check(right(stage.question))
    for each in (missed, answered):
        assert not any(verdict in each.reply for verdict in ("Not yet", "isn’t right", "is right", "Right.", "Yes."))
