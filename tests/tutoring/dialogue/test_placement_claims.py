"""A placement that starts at the goal, takes "I know this", and answers questions about itself."""

import pytest

from tests import people
from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.lesson.placement import placement_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("kept_fractions")]


@pytest.fixture
def stage() -> Stage:
    with unhurried(), counted_turns(3):
        stage = Stage(people.make_person("ada"))
        stage.say("I want to learn: Subtracting fractions")
        yield stage


def test_it_starts_at_the_goal(stage: Stage) -> None:
    assert stage.question.concept.slug == placement_of(stage.state).topic


@pytest.mark.parametrize("said", ["I know this", "i already know this"])
def test_a_claim_is_checked_once(stage: Stage, said: str) -> None:
    claimed = stage.question.concept.slug
    stage.say(said)
    assert [each.claimed for each in placement_of(stage.state).answers] == [True]
    assert stage.question.concept.slug == claimed
    stage.check(right(stage.question))
    assert stage.question is None or stage.question.concept.slug != claimed


def test_questions_about_the_system_are_answered(stage: Stage) -> None:
    question = stage.question
    assert "people who run this site" in stage.say("who can see this").reply
    assert "explain a topic" in stage.say("what can you do").reply
    assert "program" in stage.say("are you a robot").reply
    assert stage.question == question
