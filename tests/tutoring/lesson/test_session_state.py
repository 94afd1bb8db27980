"""The state that all agents share: what is stored is what was told, and it is of the topic at hand."""

from collections.abc import Iterator

import pytest

from conversations.models import Session, Transition
from tests import people
from tests.tutoring.lessons.learners import Learner, solve
from tests.tutoring.lessons.lesson_player import Stage, counted_turns, unhurried
from tutoring.lesson.session_state import TOPIC_FIELDS, field_default
from tutoring.mastery.records.lesson_settings import save_settings
from tutoring.models import Cycle, Lesson, Mastery

pytestmark = pytest.mark.django_db

GOAL = "I want to add fractions with different denominators"


@pytest.fixture
def stage(kept_fractions: None) -> Iterator[Stage]:
    with unhurried(), counted_turns(seed=5):
        yield Stage(people.make_person("nora", level="unknown"))


def told(stage: Stage) -> dict[str, object]:
    """Return the state as a client knows it that has heard every event."""
    changes = [change for exchange in stage.exchanges for change in exchange.events("state_changed")]
    held = {change["key"]: change["value"] for change in changes}
    return {key: value for key, value in held.items() if value is not None}


def stored(stage: Stage) -> dict[str, object]:
    state = Session.objects.get(owner=stage.person, key=stage.key).state
    return {key: value for key, value in state.items() if value is not None}


def begun(stage: Stage) -> Stage:
    """Come from a goal, placed by one answer, to the first lesson of the path."""
    stage.say(GOAL)
    stage.give_up()
    stage.say("that is enough questions")
    stage.say("Let’s start")
    return stage


def mastered(stage: Stage) -> Stage:
    """Go through the lesson until its quiz is over and the path is shown."""
    learner = Learner()
    while not Cycle.objects.filter(mastery_achieved=True).exists():
        question = stage.question
        if question is None:
            learner.reply(stage)
        else:
            learner.answer(stage, question)
        assert told(stage) == stored(stage)
    return stage


def test_events_tell_all_that_is_stored_from_the_goal_to_the_second_lesson(stage: Stage) -> None:
    for step in (
        lambda: stage.say(GOAL),
        stage.give_up,
        lambda: stage.say("that is enough questions"),
        lambda: stage.say("Let’s start"),
        lambda: stage.say("what's next?"),
        lambda: stage.say("go on"),
    ):
        step()
        assert told(stage) == stored(stage)
    mastered(stage).say("yes")
    assert told(stage) == stored(stage)


def test_who_spoke_last_and_why_belong_together(stage: Stage) -> None:
    mastered(begun(stage))
    rows = Transition.objects.filter(turn=stage.exchanges[-1].turn).order_by("pk")
    reasons = {row.to_agent: row.reason for row in rows}
    assert stage.state["routing_reason"] == reasons[stage.state["last_routed_to"]]


def test_another_topic_begins_with_nothing_of_the_one_before(stage: Stage) -> None:
    before = mastered(begun(stage)).state
    first = before["current_topic"]
    assert before["quiz_responses"]
    assert before["mastery_score"] >= before["mastery_threshold"]
    assert first not in before["prerequisite_gaps"]
    while stage.state["current_topic"] == first:
        stage.say("what's next?")
        stage.say("yes")
    empty = {key for key in TOPIC_FIELDS if stage.state.get(key, field_default(key)) == field_default(key)}
    assert empty >= {*TOPIC_FIELDS} - {"explanation"}
    assert Mastery.objects.get(concept__slug=first).is_mastered


def test_wish_for_another_score_is_told_by_the_next_turn(stage: Stage) -> None:
    begun(stage)
    save_settings(Lesson.objects.get(), own_level="", threshold=0.75)
    stage.say("go on")
    changes = {change["key"]: change["value"] for change in stage.exchanges[-1].events("state_changed")}
    assert changes["mastery_threshold"] == 0.75
    assert told(stage) == stored(stage)


def test_level_is_unknown_without_evidence_and_the_learners_own_where_they_chose_one(stage: Stage) -> None:
    stage.say("I want to learn one half")
    assert stage.state.get("learner_level", "unknown") == "unknown"
    save_settings(Lesson.objects.get(), own_level="advanced", threshold=0.85)
    stage.say("go on")
    assert stage.state["learner_level"] == "advanced"
    stage.say(GOAL)
    assert stage.state["learner_level"] == "advanced"


def test_score_is_unknown_until_there_is_enough_evidence(stage: Stage) -> None:
    stage.say("I want to learn one half")
    stage.say("quiz me")
    while not Mastery.objects.filter(answers=3).exists():
        assert stage.state.get("mastery_score") is None
        solve(stage)
    assert stage.state["mastery_score"] > 0.5
