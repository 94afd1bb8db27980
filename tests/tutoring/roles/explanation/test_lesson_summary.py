"""The end of a lesson: the learner says first what they take along, or passes that over, and then sees what comes next."""

from dataclasses import replace

import pytest

from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import begun_lesson, going_on, unhurried
from tests.tutoring.lessons.rubric import faults
from tutoring.dialogue.transitions import save_lesson_state
from tutoring.lesson.state import WHOLE_CONCEPT
from tutoring.models import Lesson
from tutoring.pages.contexts.agent_decisions import describe_decision

pytestmark = pytest.mark.django_db

SEED = 9
SUMMED_UP = "both pieces have to hold the same amount of it"


def mastered():
    """Answer until one half is mastered, with every idea of it said before."""
    stage = begun_lesson("quiz me", seed=SEED)
    session, said = stage.session, tuple(each.id for each in stage.concept.value().milestones)
    save_lesson_state(
        session, replace(stage.standing, said=said, insight="they have to be the same size, and there are two")
    )
    session.save()
    with unhurried():
        while not stage.standing.cycle.is_over:
            stage.say("next") if stage.question is None else stage.check(right(stage.question))
    return stage


@pytest.fixture(scope="module")
def begun(kept_fractions, stored_once):
    return stored_once(mastered)


@pytest.fixture
def stage(begun):
    """A lesson on one half that has just been mastered, with nothing left to say but the whole."""
    with unhurried(), going_on(begun, seed=SEED) as stage:
        assert stage.standing.explaining == WHOLE_CONCEPT
        yield stage


def offers_what_is_next(exchange):
    return [card["title"] for card in exchange.cards("concept")] == ["Unit fractions"]


def test_mastery_ends_on_one_question_for_the_whole_and_nothing_else(stage):
    told = stage.exchanges[-1]
    looked_back = next(each["result"] for each in told.events("agent_finished") if each["agent"] == "feedback")
    assert looked_back["asks"] == "summarise_retrieve"
    assert describe_decision(looked_back).endswith("from memory.")
    assert told.reply.endswith("?")
    assert told.cards("concept") == []
    assert list(faults(stage, told)) == []


def test_what_is_summed_up_is_held_beside_what_was_said_before(stage):
    told = stage.say(SUMMED_UP)
    assert f"“{SUMMED_UP}”" in told.reply
    assert f"“{stage.standing.insight}”" in told.reply
    assert offers_what_is_next(told)
    assert list(faults(stage, told)) == []


@pytest.mark.parametrize("said", ["next", "yes", "I don't know"])
def test_who_passes_it_over_goes_on_at_once(stage, said):
    told = stage.say(said)
    assert stage.standing.explaining == ""
    assert f"“{said}”" not in told.reply
    assert offers_what_is_next(told)
    assert list(faults(stage, told)) == []


def test_question_in_its_place_is_answered_and_nothing_is_asked_again(stage):
    assert "two equal parts" in stage.say("what is a half?").reply
    assert offers_what_is_next(stage.say("next"))


def test_another_lesson_named_in_its_place_begins(stage):
    stage.say("unit fractions please")
    assert Lesson.objects.get(session=stage.session).concept.slug == "unit-fractions"


def test_another_lesson_named_in_a_sentence_that_sums_up_does_not(stage):
    stage.say("a half is one of two equal parts of the whole")
    assert Lesson.objects.get(session=stage.session).concept.slug == "one-half"
