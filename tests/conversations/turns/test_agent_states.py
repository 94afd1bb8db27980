"""What agents are doing, from the events of running turns and the open calls of models."""

import pytest

from agents.engine.events import AgentFailed, AgentFinished, AgentStarted, Classified, TurnResumed
from agents.models import ModelCall
from conversations.turns.agent_states import busy_agents
from conversations.turns.feed import number_event, store_events
from tests.conversations.turn_helpers import begun, orphaned

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host")]

CHOSEN = Classified(
    workflow="panel", classification="complex_query", agents=("conversation", "synthesis"), reason="It asks."
)
FAILURE = {"error_type": "timeout", "message": "took too long", "recoverable": True, "fallback_available": True}


def running(person, *events, key="s", status="running"):
    """Let another process serve a turn that has come as far as these events."""
    turn = begun(person, key=key)
    orphaned(turn, status=status)
    store_events([number_event(event, turn_id=turn.pk, seq=seq) for seq, event in enumerate(events, 2)])


def started(agent):
    return AgentStarted(agent=agent)


def finished(agent):
    return AgentFinished(agent=agent, ms=1.0, result={})


def test_agent_is_waiting_until_it_starts_and_processing_until_it_ends(ada):
    running(ada, CHOSEN, started("conversation"))
    assert busy_agents() == {"conversation": "processing", "synthesis": "waiting"}


def test_agent_that_has_ended_is_idle(ada):
    failed = AgentFailed(agent="quiz", strategy="skip", ms=1.0, **FAILURE)
    running(ada, started("tutor"), finished("tutor"), started("quiz"), failed, started("feedback"))
    assert busy_agents() == {"feedback": "processing"}


def test_agent_at_work_in_one_turn_is_processing_whatever_it_is_in_others(ada):
    running(ada, CHOSEN, started("synthesis"), key="a")
    running(ada, CHOSEN, key="b")
    assert busy_agents() == {"synthesis": "processing", "conversation": "waiting"}


def test_what_a_dead_process_had_started_does_not_count(ada):
    running(ada, CHOSEN, started("conversation"), TurnResumed(attempt=2))
    assert busy_agents() == {}


@pytest.mark.parametrize("status", ["done", "queued", "interrupted"])
def test_only_running_turns_count(ada, status):
    running(ada, started("tutor"), status=status)
    assert busy_agents() == {}


def test_agent_for_which_a_model_is_asked_is_processing(ada):
    ModelCall.objects.create(agent="emotion", backend="b", model="m", status="open")
    ModelCall.objects.create(agent="tutor", backend="b", model="m", status="answered")
    assert busy_agents() == {"emotion": "processing"}


def test_number_of_queries_stays_the_same(ada, django_assert_num_queries):
    running(ada, CHOSEN, key="a")
    running(ada, CHOSEN, started("synthesis"), key="b")
    with django_assert_num_queries(2):
        busy_agents()
