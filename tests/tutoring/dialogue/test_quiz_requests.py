"""A wish for questions goes to the quiz, on the topic that it names, and every step of the way says why."""

from collections.abc import Iterator

import pytest

from conversations.models import Transition
from tests import people
from tests.tutoring.lessons.lesson_player import Exchange, Stage, counted_turns, unhurried
from tutoring.models import Attempt, Concept, Goal, Lesson, Question

pytestmark = pytest.mark.django_db
ASKED = [("tutor", "quiz", "rule", "The message asks for a quiz.")]


@pytest.fixture
def stage(kept_fractions: None) -> Iterator[Stage]:
    with unhurried(), counted_turns(seed=5):
        yield Stage(people.make_person("nora", level="beginner"))


@pytest.fixture
def lesson(stage: Stage) -> Stage:
    stage.concept = Concept.objects.select_related("course").get(slug="one-half")
    stage.open()
    return stage


def told(exchange: Exchange) -> list[tuple[str, str, str, str]]:
    rows = Transition.objects.filter(turn=exchange.turn).order_by("pk")
    return list(rows.values_list("from_agent", "to_agent", "strategy", "reason"))


def asked_on(stage: Stage) -> str:
    return stage.question.concept.slug if stage.question else ""


def test_quiz_begins_in_the_middle_of_the_explanation_and_says_why(lesson: Stage) -> None:
    asked = lesson.say("quiz me")
    assert told(asked) == ASKED
    assert asked.moves == ["begin_quiz", "begin_quiz"]
    assert (lesson.state["last_routed_to"], lesson.state["routing_reason"]) == ("quiz", "The message asks for a quiz.")


def test_explanation_that_came_to_its_end_says_so(lesson: Stage) -> None:
    while not lesson.question:
        said = lesson.say("next")
    assert told(said)[-1][2:] == ("handoff", "The explanation is finished.")


def test_wish_for_an_example_is_none_for_the_quiz(lesson: Stage) -> None:
    assert [to for _from, to, *_why in told(lesson.say("give me an easier question"))] == ["tutor"]
    assert lesson.question is None


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("quiz me on one half", "one-half"),
        ("prepare 5 questions on one half", "one-half"),
        ("quiz me on adding fractions with different denominators", "add-unlike"),
    ],
)
def test_quiz_on_a_topic_named_first_begins_at_once(stage: Stage, text: str, topic: str) -> None:
    """Neither an explanation nor a placement comes first, and to be asked about something is no goal."""
    asked = stage.say(text)
    assert [each[1:] for each in told(asked)] == [each[1:] for each in ASKED]
    assert asked_on(stage) == topic
    assert stage.state["current_topic"] == Lesson.objects.get().concept.slug == topic
    assert not Goal.objects.exists()


def test_message_said_anew_takes_the_quiz_it_began_back(stage: Stage) -> None:
    asked = stage.say("quiz me on one half")
    stage.say("quiz me on unit fractions", replaces=asked)
    assert asked_on(stage) == "unit-fractions"
    assert Lesson.objects.get().concept.slug == "unit-fractions"
    assert list(Question.objects.open().values_list("concept__slug", flat=True)) == ["unit-fractions"]


def test_quiz_on_another_topic_leaves_the_lesson_for_it(lesson: Stage) -> None:
    lesson.say("quiz me")
    left = lesson.question
    assert left is not None
    assert told(lesson.say("quiz me on unit fractions"))[0] == ("quiz", "quiz", "rule", "The message asks for a quiz.")
    left.refresh_from_db()
    assert (asked_on(lesson), left.status) == ("unit-fractions", Question.Status.ABANDONED)


def test_quiz_on_what_is_taught_stays(lesson: Stage) -> None:
    lesson.say("quiz me on one half")
    waiting = lesson.question
    lesson.say("quiz me on this")
    assert (lesson.question, asked_on(lesson), Attempt.objects.count()) == (waiting, "one-half", 0)


@pytest.mark.parametrize("text", ["quiz me", "quiz me on fractions"])
def test_without_a_topic_the_tutor_asks_for_one(stage: Stage, text: str) -> None:
    asked = stage.say(text)
    assert told(asked) == [("", "tutor", "rule", "The message asks for a quiz, but the topic isn’t clear yet.")]
    assert asked.reply == "Sure. What should I ask you about?"
    offered = asked.cards("replies")[0]["options"]
    assert offered[1] == "Quiz me on: One half"
    stage.say(offered[1])
    assert asked_on(stage) == "one-half"


@pytest.mark.parametrize("text", ["can you do the stuff for me", "what's next?", "teach me spanish"])
def test_where_nobody_named_can_serve_yet_the_reason_is_the_lobbys_own(stage: Stage, text: str) -> None:
    assert [each[1::2] for each in told(stage.say(text))] == [("tutor", "No topic has been chosen yet.")]


def test_questions_on_a_topic_are_not_those_of_a_placement_just_stopped(stage: Stage) -> None:
    stage.say("I want to learn to add fractions with different denominators")
    stage.say("that is enough questions")
    asked = stage.say("give me questions on unit fractions")
    assert (asked_on(stage), asked.moves) == ("unit-fractions", ["begin_quiz", "begin_quiz"])
    assert stage.question is not None
    assert stage.question.purpose == "quiz"
