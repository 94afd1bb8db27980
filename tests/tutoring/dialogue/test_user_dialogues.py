"""Dialogues that users tried, played: what was decided on each message, not the words."""

import pytest

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.models import Concept

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept_fractions")]

DIALOGUES = {
    "compare-unit-fractions": [
        ("so 1/4 is bigger", "idea_said"),
        ("i think 1/8 cuz 8", "wrong"),
        ("how do you know I mastered it?", "system"),
        ("no i guessed", "contest"),
        ("i hate maths im so stupid", "feeling"),
        ("my dog died", "feeling"),
        ("are you a robot", "system"),
    ],
    "add-unlike": [
        ("what is 1/2 + 1/3?", "calculation"),
        ("because a half is two quarters and one more is three", "idea_said"),
        ("I know this already", "known"),
        ("can i have the answer", "answer_demand"),
        ("can i have the answer", "answer_demand"),
        ("can i have the answer", "answer_demand"),
    ],
}


def lesson_on(slug: str) -> Stage:
    concept = Concept.objects.select_related("course").get(slug=slug)
    stage = Stage(people.make_person("ada", level="beginner"), concept)
    stage.open()
    return stage


@pytest.mark.parametrize("slug", DIALOGUES)
def test_what_users_typed_is_understood(slug: str) -> None:
    with unhurried(), counted_turns(3):
        stage = lesson_on(slug)
        said = [(text, stage.say(text).turn.decision.get("act")) for text, _act in DIALOGUES[slug]]
    assert said == DIALOGUES[slug]
    replies = [each.reply for each in stage.exchanges]
    assert all(replies)
    assert "5/6" in replies[1] or slug != "add-unlike"


def test_a_placement_answers_wishes_greetings_and_a_change_of_mind() -> None:
    with unhurried(), counted_turns(3):
        stage = lesson_on("one-half")
        begun = stage.say("I want to be tested on equivalent fractions instead")
        assert begun.turn.decision["topic"] == "fractions/equivalent"
        assert stage.say("quiz me").turn.decision["wish"] == "quiz"
        assert stage.say("Hello").turn.decision["to"] == "beside_placement"
        assert stage.say("stop").turn.decision["wish"] == "stop"


def test_what_no_course_has_is_said_and_the_lesson_kept() -> None:
    with unhurried(), counted_turns(3):
        stage = lesson_on("one-half")
        said = stage.say("actually I want to learn to multiply fractions instead")
    assert said.turn.decision["unknown_topic"]
    assert "have a lesson on that yet" in said.reply


def test_a_sentence_grants_at_most_the_milestone_that_it_says_and_a_wish_none() -> None:
    with unhurried(), counted_turns(3):
        stage = lesson_on("one-half")
        wished = stage.say("Teach me one half")
        assert not wished.turn.analysis.get("milestones")
        assert stage.standing.said == ()
        said = stage.say("half means two equal parts")
    assert len(said.turn.analysis.get("milestones", ())) <= 1
    assert len(stage.standing.said) <= 1
