"""How many statements a turn of a lesson takes, from the message to its end, and what carrying its rows must not change."""

from collections.abc import Iterator

import pytest
from django.db import connection

from conversations.models import Turn
from conversations.turns import apply, begin
from conversations.turns.handler import turn_handler
from tests.tutoring.lessons.lesson_player import Stage, begun_lesson, going_on
from tests.tutoring.roles.test_teaching_moves import one_of_kind
from tutoring.dialogue.queries import raw_sql
from tutoring.dialogue.queries.turn_rows import TurnRows

pytestmark = pytest.mark.django_db

TUTOR, BESIDE, ANSWER = 18, 20, 38
"""Of an answer, the first of its learner, half is the record of it. PostgreSQL holds the person by one more."""


@pytest.fixture
def stage(kept_fractions: None, lasting_caches: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A lesson whose quiz asks for a number: that is answered in the chat."""
    monkeypatch.setattr("tutoring.roles.quizzes.question_selection.choose_exercise", one_of_kind("numeric"))
    # The first message is the first to need what a process reads once.
    with going_on(begun_lesson("what is a half?", "I don't know", seed=3), seed=3) as stage:
        yield stage


def holds_owner() -> bool:
    return connection.features.has_select_for_update


def quizzed(stage: Stage) -> Stage:
    stage.say("quiz me")
    assert stage.question is not None
    return stage


def test_message_to_the_tutor_takes_few(stage: Stage) -> None:
    assert stage.say("both parts are exactly the same size").queries <= TUTOR + holds_owner()


def test_message_beside_the_quiz_takes_few(stage: Stage) -> None:
    beside = quizzed(stage).say("what is a half?")
    assert beside.answered is None
    assert beside.queries <= BESIDE + holds_owner()


def test_answer_typed_in_the_chat_takes_few(stage: Stage) -> None:
    answered = quizzed(stage).say("7")
    assert answered.answered is not None
    assert answered.queries <= ANSWER + holds_owner()


def test_turn_taken_up_again_is_served_as_with_its_reading(stage: Stage) -> None:
    quizzed(stage).say("7")
    accepted = begin.begin_turn(owner=stage.person, session_key=stage.key, text="8", claimed=True).turn
    reading = turn_handler().read(accepted)
    assert reading is not None
    assert apply.apply_reading(accepted, reading)
    carried = turn_handler().prepare(accepted, reading)
    anew = turn_handler().prepare(Turn.objects.select_related("session", "owner").get(pk=accepted.pk))
    assert "attempt" in accepted.payload
    assert carried.request.facts == anew.request.facts
    assert carried.request.history == anew.request.history
    assert carried.choice == anew.choice


def test_reading_that_came_to_nothing_is_not_carried(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    turn = begin.begin_turn(owner=stage.person, session_key=stage.key, text="go on", claimed=True).turn
    reading = turn_handler().read(turn)
    assert reading is not None
    monkeypatch.setattr("tutoring.dialogue.effects.apply", _failing)
    with pytest.raises(ValueError, match="away"):
        apply.apply_reading(turn, reading)
    assert "standing" not in vars(reading.decision.rows)


def _failing(rows: TurnRows, _decision: object) -> None:
    assert rows.standing is not None
    raise ValueError("away")


def test_standing_is_as_the_rows_say(stage: Stage) -> None:
    quizzed(stage).say("7")
    found = raw_sql.load_standing(stage.session.pk)
    assert found is not None
    question = stage.exchanges[-1].answered.question  # type: ignore[union-attr]  # It was answered.
    assert found.times[question.template] == 1
    assert found.recent[-1] == question.template
    assert found.has_answers
    assert found.has_masteries
    assert found.ability.answers == 1
    assert found.offsets[question.template].answers == 1
    assert found.examples >= {("one-half", each) for each in stage.state.get("examples_provided", ())}
    assert raw_sql.load_standing(0) is None
