"""What the host makes of a round table's question: a table, and nothing else, except where somebody may be in danger."""

from typing import Any

import pytest

from conversations.models import Turn
from conversations.round_table.names import GRAPH_NAME
from conversations.round_table.start import begin_table
from conversations.turns.handler import PreparedRun, turn_handler
from tutoring.models import Goal, Lesson

pytestmark = pytest.mark.django_db


def prepared(person: Any, text: str) -> tuple[Turn, PreparedRun]:
    turn = begin_table(owner=person, text=text, agents=["explainer", "sceptic"], rounds=2).turn
    handler = turn_handler()
    reading = handler.read(turn)
    assert reading is not None
    handler.apply(turn, reading)
    return turn, handler.prepare(turn, reading)


@pytest.mark.parametrize(
    "text", ["I want to learn equal parts", "What is a half? Discuss.", "quiz me on halves", "bye"]
)
def test_question_is_discussed_whatever_else_it_may_mean(kept_fractions, ada, text):
    turn, run = prepared(ada, text)
    assert run.graph.name == GRAPH_NAME
    assert run.request.text == text
    assert not Lesson.objects.exists()
    assert not Goal.objects.exists()
    assert not turn_handler().is_aside(turn)


def test_danger_comes_before_the_discussion(kept_fractions, ada):
    _turn, run = prepared(ada, "I want to kill myself. Discuss.")
    assert run.graph.name == "care"


def test_model_may_not_claim_to_be_a_person_at_the_table(kept_fractions, ada):
    _turn, run = prepared(ada, "What is a half? Discuss.")
    assert run.request.facts.guard("I am a real teacher and I was there.") == "claim"
    assert run.request.facts.guard("Is it half? Is it whole? Is it none?") == ""
