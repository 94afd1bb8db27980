"""A placement that starts at the goal, takes "I know this", and answers questions about itself."""

import pytest

from tests import people
from tests.tutoring.lessons.learners import right
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.lesson.placement import placement_of
from tutoring.models import Concept, Lesson

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
    assert stage.say("are you a robot").reply.startswith("Yes. I’m a program")
    assert stage.say("are you a person or a machine?").reply.startswith("I’m a program")
    assert stage.question == question


@pytest.mark.parametrize(
    ("said", "concept"),
    [
        ("That is enough testing for me. Could we just start the lesson now?", "equal-parts"),
        ("no not equal parts, straight to subtracting fractions pls", "subtract-unlike"),
        ("the subtracting one", "subtract-unlike"),
    ],
)
def test_lesson_begins_as_it_was_offered(stage: Stage, said: str, concept: str) -> None:
    stage.say("no more questions")
    begun = stage.say(said)
    assert Lesson.objects.get(learner=stage.person).concept.slug == concept
    assert stage.standing.piece, begun.reply


def test_buttons_of_a_replaced_turn_are_not_meant(stage: Stage) -> None:
    stage.say("no more questions")
    asked = stage.say("who can see this")
    stage.say("the subtracting one", replaces=asked)
    assert stage.standing.piece
    assert Lesson.objects.get(learner=stage.person).concept.slug == "subtract-unlike"


def test_a_claim_is_not_claimed_again(stage: Stage) -> None:
    claimed = stage.question.concept.slug
    stage.say("I know this")
    assert stage.question.public["checks_claim"]
    stage.say("I know this")
    assert stage.question.concept.slug != claimed
    assert not stage.question.public.get("checks_claim")


@pytest.mark.parametrize("said", ["can we do this tomorrow", "i have to go"])
def test_a_break_keeps_the_question(stage: Stage, said: str) -> None:
    question = stage.question
    assert "will be here when you come back" in stage.say(said).reply
    assert stage.question == question


def test_the_goal_can_be_begun_in_the_middle(stage: Stage) -> None:
    stage.say("can I start with subtracting fractions right away")
    assert placement_of(stage.state).ended == "stopped"
    assert stage.state["current_topic"] == placement_of(stage.state).topic
    assert not stage.exchanges[-1].cards("path")


def test_a_path_that_starts_far_back_says_why_and_offers_the_goal(stage: Stage) -> None:
    goal = Concept.objects.get(slug=placement_of(stage.state).topic)
    while stage.question is not None:
        ended = stage.give_up()
    assert f"most of what *{goal.title}* builds on is new to you" in ended.reply
    (buttons,) = ended.cards("replies")
    offer = f"Start with {goal.title}"
    assert offer in buttons["options"]
    assert stage.state["next_topic"] != goal.slug
    stage.say(offer)
    assert stage.state["current_topic"] == goal.slug


def test_a_path_that_starts_at_the_goal_offers_it_once(stage: Stage) -> None:
    while stage.question is not None:
        ended = stage.check(right(stage.question))
    assert not any(each.startswith("Start with") for each in ended.cards("replies")[-1]["options"])


def test_no_line_comes_twice(stage: Stage) -> None:
    while stage.question is not None:
        stage.give_up() if len(stage.exchanges) % 2 else stage.say("I know this")
    said = [each.reply for each in stage.exchanges]
    assert len(said) == len({*said})
