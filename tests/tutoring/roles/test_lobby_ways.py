"""Without a topic, every reply leaves a next step, and no suggestion comes twice."""

import pytest
from django.utils import timezone

from tests import people
from tests.tutoring.lessons.lesson_player import Stage, counted_turns
from tutoring.models import Concept, Lesson, Mastery

pytestmark = pytest.mark.django_db


@pytest.fixture
def lobby(shipped_fractions):
    with counted_turns(seed=3):
        stage = Stage(people.make_person("lena", age_band="teen"))
        stage.say("hello")
        yield stage


@pytest.mark.parametrize("text", ["go on", "im ready", "whats next then", "ok next", "start the lesson"])
def test_who_only_goes_on_begins_the_first_lesson(lobby, text):
    lobby.say(text)
    assert lobby.question is not None
    assert Lesson.objects.get().concept.slug == "equal-parts"


@pytest.mark.parametrize("before", ["what is 1/2 + 1/3?", "how do dictionaries differ from lists in Python?"])
def test_who_agrees_to_something_else_begins_no_lesson(lobby, before):
    for _ in range(2):
        lobby.say(before)
    lobby.say("ok go on")
    assert lobby.question is None
    assert not Lesson.objects.exists()


def test_who_has_mastered_the_first_lesson_begins_the_next(lobby):
    first = Concept.objects.get(slug="equal-parts")
    Mastery.objects.create(
        learner=lobby.person, concept=first, probability=0.97, threshold=0.85, mastered_at=timezone.now()
    )
    lobby.say("continue")
    assert Lesson.objects.get().concept.slug == "one-half"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("what is a fraction", "counts equal parts of a whole"),
        ("whats the point of fractions, who uses them?", "whole number"),
    ],
)
def test_question_that_the_course_answers_is_answered_once_and_leads_to_a_lesson(lobby, text, told):
    first, second = lobby.say(text), lobby.say(text)
    assert told in first.reply
    assert told not in second.reply
    for each in (first, second):
        assert each.cards("replies")


def test_second_greeting_leaves_a_next_step(lobby):
    assert lobby.say("hi").cards("replies")


def test_claim_in_numbers_leaves_a_next_step(lobby):
    claimed = lobby.say("99/100 is bigger than 98/99")
    assert claimed.reply.startswith("Yes, that’s true")
    assert claimed.cards("replies")


def test_topic_after_the_one_that_is_skipped_is_begun(lobby):
    lobby.say("can i skip the easy part and start with comparing fractions")
    assert lobby.question is not None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("But I have already finished Equal parts, and there were no pictures in it.", "Do you mean *Equal parts*?"),
        ("is equal parts a thing in politics too?", "there is a lesson on it: *Equal parts*"),
    ],
)
def test_who_only_mentions_a_lesson_is_offered_it(lobby, text, said):
    assert said in lobby.say(text).reply
    assert not Lesson.objects.exists()
