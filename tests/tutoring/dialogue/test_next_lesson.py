"""Where a lesson is over, naming another begins it; saying something in which its name comes up does not."""

import pytest

from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import begun_lesson, going_on, unhurried
from tutoring.models import Lesson

pytestmark = pytest.mark.django_db

SEED = 4


def mastered():
    stage = begun_lesson("quiz me", seed=SEED)
    with unhurried():
        while not stage.standing.cycle.is_over:
            stage.say("next") if stage.question is None else stage.check(right(stage.question))
        stage.say("next")
    return stage


@pytest.fixture(scope="module")
def begun(kept_fractions, stored_once):
    return stored_once(mastered)


@pytest.fixture
def stage(begun):
    with unhurried(), going_on(begun, seed=SEED) as stage:
        yield stage


@pytest.mark.parametrize(
    "text",
    [
        "unit fractions", "yes, Unit fractions please", "ok, can we go on with unit fractions now?",
        "I want to learn about unit fractions", "let's do unit fractions instead of going on here", "Switch to Unit fractions",
        "Rather Unit fractions",
    ],
)  # fmt: skip
def test_named_lesson_begins(stage, text):
    stage.say(text)
    assert Lesson.objects.get().concept.slug == "unit-fractions"


@pytest.mark.parametrize(
    "text",
    [
        "it is about equal parts of one whole, and how many of them you take",
        "a half is one of two equal parts, whichever way it was cut",
        "so unit fractions are what you get when you share one thing fairly",
    ],
)
def test_name_that_comes_up_in_a_sentence_begins_nothing(stage, text):
    stage.say(text)
    assert Lesson.objects.get().concept.slug == "one-half"
