"""A topic named by its title begins at once, and is a goal in the learner's own words."""

from collections.abc import Iterator

import pytest

from conversations.models import Transition
from tests import people
from tests.tutoring.lessons.lesson_player import Exchange, Stage, StageWithTools, counted_turns, fractions, unhurried
from tutoring.lesson.state import LESSON_KEY
from tutoring.models import Goal, Lesson
from tutoring.understanding.context import Context
from tutoring.understanding.named_topics import switch_to_wanted

pytestmark = pytest.mark.django_db
WISH = "I want to learn one half"
NEW_GOAL = "There is nothing to check first for this goal, so the lesson on One half starts."


@pytest.fixture
def stage(kept_fractions: None) -> Iterator[Stage]:
    with unhurried(), counted_turns(seed=5):
        yield Stage(people.make_person("nora", level="beginner"))


def aims() -> list[tuple[str, str]]:
    return list(Goal.objects.open().order_by("pk").values_list("concept__slug", "words"))


def told(exchange: Exchange) -> list[tuple[str, str]]:
    return list(Transition.objects.filter(turn=exchange.turn).order_by("pk").values_list("to_agent", "reason"))


def test_it_is_a_goal_in_the_learners_words_and_begins_at_once(stage: Stage) -> None:
    begun = stage.say(WISH)
    assert aims() == [("one-half", WISH)]
    assert told(begun) == [("tutor", NEW_GOAL)]
    assert begun.moves == ["welcome"]
    assert begun.reply.startswith("Here is *One half*.\n\nMia cuts a sandwich in two.")
    assert stage.state["goals"] == ["one-half"]
    assert [wire["value"] for wire in begun.events("state_changed") if wire["key"] == "goals"] == [["one-half"]]


def test_bare_name_is_a_goal(stage: Stage) -> None:
    stage.say("one half please")
    assert aims() == [("one-half", "one half please")]


@pytest.mark.parametrize("text", ["halfs please", "one half, quick"])
def test_name_in_hurried_spelling_is_a_goal(stage: Stage, text: str) -> None:
    stage.say(text)
    assert aims() == [("one-half", text)]


@pytest.mark.parametrize("text", ["next one", "can we do the next one"])
def test_next_one_names_no_topic(stage: Stage, text: str) -> None:
    stage.say(text)
    assert aims() == []


def test_what_only_speaks_of_a_topic_is_no_goal(stage: Stage) -> None:
    begun = stage.say("my cake was cut in one half and another")
    assert aims() == []
    assert "goals" not in stage.state
    assert told(begun) == [("tutor", "The message mentions a lesson without asking for it.")]


def test_what_the_course_answers_is_answered_and_is_no_goal(stage: Stage) -> None:
    asked = stage.say("what is one half?")
    assert aims() == []
    assert "goals" not in stage.state
    assert told(asked) == [("tutor", "The message sounds like a question about the topic.")]
    assert "two equal parts" in asked.reply


def test_same_goal_named_again_keeps_its_first_words(stage: Stage) -> None:
    stage.say(WISH)
    stage.key = "another"
    begun = stage.say("teach me one half")
    assert aims() == [("one-half", WISH)]
    assert told(begun) == [("tutor", "The lesson on One half starts.")]


def test_other_topic_named_after_it_is_one_more_goal(stage: Stage) -> None:
    stage.say(WISH)
    stage.say("I want to learn unit fractions")
    stage.say("I want to learn unit fractions")
    assert aims() == [("one-half", WISH), ("unit-fractions", "I want to learn unit fractions")]
    assert sorted(stage.state["goals"]) == ["one-half", "unit-fractions"]


def test_goal_goes_with_the_message_that_named_it(stage: Stage) -> None:
    said = stage.say(WISH)
    stage.say("I want to learn unit fractions", replaces=said)
    assert aims() == [("unit-fractions", "I want to learn unit fractions")]
    assert stage.state["goals"] == ["unit-fractions"]
    assert Lesson.objects.get().concept.slug == "unit-fractions"


def test_goal_that_was_there_before_stays_when_the_message_is_said_anew(stage: Stage) -> None:
    stage.say(WISH)
    stage.key = "another"
    said = stage.say(WISH)
    stage.say("hello", replaces=said)
    assert aims() == [("one-half", WISH)]


def test_topic_wished_for_after_a_lesson_is_a_goal_too(stage: Stage) -> None:
    stage.say("quiz me on one half")
    session = stage.session
    held = session.state[LESSON_KEY]
    session.state[LESSON_KEY] = {**held, "cycle": {**held["cycle"], "state": "mastered"}}
    session.save()
    moved = stage.say("I want to learn unit fractions")
    assert aims() == [("unit-fractions", "I want to learn unit fractions")]
    assert told(moved) == [("tutor", NEW_GOAL.replace("One half", "Unit fractions"))]
    stage.say("hello", replaces=moved)
    assert aims() == []


@pytest.mark.parametrize(
    ("said", "wished"),
    [
        ("stop, I asked for unit fractions, not simplest form", "Switch to Unit fractions"),
        ("simplest form sounds too early. can we do unit fractions next?", "Switch to Unit fractions"),
        ("hey i wanted unit fractions!", "Switch to Unit fractions"),
        ("i wanted to cut it in three", ""),
        ("i wanted one half of it", ""),
        ("can we do one half plus one third", ""),
        ("what are unit fractions", ""),
    ],
)
def test_topic_that_is_wanted_counts_before_one_that_is_not(said: str, wished: str) -> None:
    assert switch_to_wanted(said, Context(courses=(fractions().course,))) == wished


@pytest.mark.parametrize(
    "text", ["fractions!! i told you. the cake ones", "no. i want to do fractions", "hi can i lern fractions"]
)
def test_a_course_named_by_its_title_is_offered(stage: Stage, text: str) -> None:
    assert stage.say(text).reply.startswith("*Fractions* begins with *Equal parts*.")


@pytest.mark.parametrize(
    "text", ["i failed my maths test on one half and i need to get it", "what tasks?? i want to learn one half"]
)
def test_a_wish_for_a_topic_is_no_question_about_tasks(text: str) -> None:
    with unhurried(), counted_turns(seed=5):
        stage = StageWithTools(people.make_person("omar", level="beginner"))
        stage.say(text)
    assert Lesson.objects.get(learner__username="omar").concept.slug == "one-half"


@pytest.mark.parametrize(
    "text", ["that is a definition, start the lesson on one half please", "so start with one half even though i am old"]
)
def test_a_topic_behind_a_wish_begins(stage: Stage, text: str) -> None:
    stage.say(text)
    assert Lesson.objects.get().concept.slug == "one-half"
