"""Summaries of real conversations: said at goodbye, stored, told to a model when the middle is left out, and shown later."""

from typing import Any

import pytest
from django.conf import settings
from django.test import override_settings

from agents.engine.model_requests import recent_messages
from conversations.models import ConversationSummary, Session
from conversations.summaries.records import short_summary
from tests import people
from tests.tutoring.lessons.learners import Learner, right, solve, wrong
from tests.tutoring.lessons.lesson_player import Stage, begun_lesson, counted_turns, going_on, unhurried
from tutoring.models import Concept, Cycle, MasteryChange

pytestmark = [pytest.mark.django_db, pytest.mark.db]

SEED = 5
UNFINISHED = "This lesson isn’t finished yet."


@pytest.fixture(scope="module")
def begun(kept_fractions: None, stored_once: Any) -> Any:
    return stored_once(lambda: begun_lesson("quiz me", seed=SEED))


@pytest.fixture
def stage(begun: Stage) -> Any:
    with unhurried(), going_on(begun, seed=SEED) as stage:
        yield stage


@pytest.fixture
def lobby(kept_fractions: None) -> Any:
    with unhurried(), counted_turns(seed="lobby"):
        yield Stage(people.make_person("newcomer", level="beginner"))


def stored(stage: Stage) -> ConversationSummary:
    """Return the latest summary of the conversation."""
    return ConversationSummary.objects.filter(session=stage.session).order_by("-turn__number")[0]


def summed_up(stage: Stage) -> str:
    return short_summary(Session.objects.get(pk=stage.session.pk))


# --- Goodbye ---


def test_goodbye_says_what_was_answered_and_what_is_open(stage):
    solve(stage)
    stage.check(wrong(stage.question))
    while stage.question.attempts.exists():
        stage.say("I give up" if stage.question.hints_used else "I don't know")
    said = stage.say("bye").reply
    assert said.startswith(
        "You worked on *One half*. You answered 2 questions and got 1 of them right on the first try. "
        "Your question on *One half* is still open. "
    )


def test_goodbye_is_stored_as_it_was_said(stage):
    exchange = stage.say("that's enough for today")
    found = stored(stage)
    assert (found.turn_id, found.reason) == (exchange.turn.pk, "goodbye")
    assert exchange.reply.startswith(found.text)
    assert found.facts["topics"] == ["One half"]
    assert "quiz" in found.facts["agents"]


def test_goodbye_before_the_first_question_says_that_the_lesson_is_not_finished(kept_fractions):
    with unhurried(), counted_turns(seed="newcomer"):
        stage = Stage(people.make_person("newcomer", level="beginner"), Concept.objects.get(slug="one-half"))
        stage.open()
        assert stage.say("bye").reply.startswith(f"You worked on *One half*. {UNFINISHED} ")


def test_goodbye_after_mastery_says_what_comes_next(stage):
    learner = Learner()
    while stage.standing.cycle.state != "mastered" or stage.standing.explaining:
        learner.answer(stage, stage.question) if stage.question else learner.reply(stage)
    said = stage.say("bye").reply
    assert "You worked on *One half* and mastered it." in said
    assert "got them all right on the first try." in said
    assert "* comes next." in said


def test_goodbye_without_a_topic_ends_the_conversation_and_offers_nothing(lobby):
    lobby.say("hello")
    exchange = lobby.say("thanks, bye")
    assert exchange.reply == "Goodbye. Everything is saved."
    assert exchange.events("card") == []
    assert exchange.moves == ["farewell"]
    assert stored(lobby).text == ""


@pytest.mark.parametrize("text", ["Goodbye!", "I have to go now", "stop", "that's enough for today"])
def test_any_goodbye_is_understood_without_a_topic(lobby, text):
    assert lobby.say(text).moves == ["farewell"]


def test_goodbye_during_a_placement_counts_the_answers_and_judges_none(lobby):
    lobby.say("I want to learn to add fractions with different denominators")
    lobby.check(wrong(lobby.question))
    exchange = lobby.say("I need a break")
    assert exchange.reply.startswith("You’ve answered 1 question. Okay, let’s stop here for now.")
    assert stored(lobby).text == (
        "You answered 1 question to find your starting point. You haven’t finished the questions that find your starting point."
    )


def test_other_messages_store_none(stage):
    stage.say("what is a numerator?")
    assert not ConversationSummary.objects.exists()


# --- What counts ---


def test_question_that_is_still_open_does_not_count_as_answered(stage):
    stage.check(wrong(stage.question))
    assert "You answered" not in summed_up(stage)


def test_answer_that_a_teacher_left_out_does_not_count(stage):
    solve(stage)
    assert "You answered 1 question" in summed_up(stage)
    MasteryChange.objects.update(left_out=True)
    assert "You answered" not in summed_up(stage)


def test_lesson_of_an_edited_message_is_not_in_a_summary(lobby):
    begun = lobby.say("Teach me equal parts, let's start")
    assert Cycle.objects.filter(session=lobby.session).exists()
    lobby.say("bye")
    assert "*Equal parts*" in stored(lobby).text
    lobby.say("hello", replaces=begun)
    assert not ConversationSummary.objects.exists()
    assert summed_up(lobby) == ""


# --- Long conversations ---


def test_summary_is_stored_when_a_prompt_leaves_out_messages_and_told_from_then_on(stage):
    with override_settings(
        AGENTS={**settings.AGENTS, "turns_per_minute": 0, "cards_per_minute": 0, "prompt_messages": 2}
    ):
        stage.check(right(stage.question))
        assert (stage.prepared.summary_is_due, stage.prepared.request.summary) == (True, "")
        first = stored(stage)
        assert (first.reason, first.text != "") == ("length", True)
        stage.say("next")
        assert (stage.prepared.summary_is_due, stage.prepared.request.summary) == (False, first.text)
        assert first.text in recent_messages(stage.prepared.request, room=0)[0].text
        stage.say("what is a numerator?")
        assert stored(stage).turn.number > first.turn.number


def test_short_conversation_has_no_summary(stage):
    solve(stage)
    assert stage.prepared.request.summary == ""
    assert not ConversationSummary.objects.exists()
