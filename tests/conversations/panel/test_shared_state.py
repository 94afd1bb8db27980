"""What the panel's agents share: made from the database, kept in the cache, and never older than the latest turn."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.core.cache import cache

from conversations.history import actions
from conversations.models import Message, Session, Turn, TurnStatus
from conversations.panel.shared_state import agent_states, conversation_context
from tests import people

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture
def session() -> Session:
    return Session.objects.create(owner=people.make_ada(), key="open")


def add_turn(session: Session, said: str = "What is attention?", **answer: Any) -> Turn:
    number = session.turns.count() + 1
    turn = Turn.objects.create(
        session=session,
        owner=session.owner,
        number=number,
        client_id=f"c{number}",
        status=TurnStatus.DONE,
        answer=answer,
    )
    Message.objects.create(session=session, turn=turn, author=Message.Author.LEARNER, text=said)
    Message.objects.create(session=session, turn=turn, author=Message.Author.TEAM, text=f"About: {said}")
    return turn


def concept(name: str) -> dict[str, Any]:
    return {"name": name, "category": None}


def test_context_has_what_was_said_and_named_before_the_turn(session: Session) -> None:
    add_turn(
        session,
        concepts=[concept("attention")],
        entities=[{"text": "BERT"}],
        themes=["language"],
        confidence={"analysis": 0.5},
    )
    add_turn(session, "And the decoder?", concepts=[concept("decoder"), concept("attention")])
    turn = add_turn(session, "How does it learn?", concepts=[concept("learning")])
    context = conversation_context(turn)
    assert context.concepts == ("decoder", "attention")
    assert (context.entities, context.themes, context.agent_data) == (("BERT",), ("language",), {"analysis": 0.5})
    assert [each.said for each in context.exchanges] == ["What is attention?", "And the decoder?"]
    assert [each.text for each in context.messages][-1] == "About: And the decoder?"
    assert context.exchange_count == 2


def test_latest_ten_messages_and_five_exchanges_are_kept(session: Session) -> None:
    for number in range(8):
        add_turn(session, f"question {number}")
    context = conversation_context(add_turn(session, "now"))
    assert (len(context.messages), len(context.exchanges), context.exchange_count) == (10, 5, 8)
    assert context.exchanges[0].said == "question 3"


def test_context_is_taken_from_the_cache_until_another_turn_ends(
    session: Session, django_assert_num_queries: Any
) -> None:
    add_turn(session, concepts=[concept("attention")])
    turn = add_turn(session, "next")
    first = conversation_context(turn)
    with django_assert_num_queries(1):
        assert conversation_context(turn) == first
    later = add_turn(session, "later", concepts=[concept("decoder")])
    assert conversation_context(add_turn(session, "last")).after == str(later.pk)


def test_flushing_the_cache_loses_nothing(session: Session) -> None:
    add_turn(session, concepts=[concept("attention")])
    turn = add_turn(session, "next")
    before = conversation_context(turn)
    cache.clear()
    assert conversation_context(turn) == before


def test_replaced_turn_is_forgotten(session: Session) -> None:
    old = add_turn(session, concepts=[concept("attention")])
    conversation_context(add_turn(session, "next"))
    new = add_turn(session, "edited", concepts=[concept("decoder")])
    session.turns.filter(number__lte=2).update(replaced_by=new)
    assert old.number == 1
    assert conversation_context(add_turn(session, "then")).concepts == ("decoder",)


def test_deleted_conversation_leaves_nothing_in_the_cache(session: Session) -> None:
    turn = add_turn(session)
    conversation_context(turn)
    agent_states(session, ["research"])
    keys = [f"session:{session.owner_id}:{session.pk}:context", f"agent:research:{session.owner_id}:{session.pk}:state"]
    assert len(cache.get_many(keys)) == 2
    actions.delete(session)
    assert not cache.get_many(keys)


def test_agent_states_count_answers_times_and_errors(session: Session) -> None:
    add_turn(session, metadata={"agent_times_ms": {"research": 100.0, "analysis": 4.0}}, errors=[])
    add_turn(session, metadata={"agent_times_ms": {"research": 300.0}}, errors=[{"agent": "research"}])
    Turn.objects.filter(number=1).update(finished_at="2026-01-01T10:00:00Z")
    Turn.objects.filter(number=2).update(finished_at="2026-01-01T11:00:00Z")
    states = agent_states(session, ["research", "analysis", "vision"])
    research = states["research"]
    assert (research.invocation_count, research.avg_response_time_ms, research.error_count) == (2, 200.0, 1)
    assert research.last_update is not None
    assert research.last_update.hour == 11
    assert states["analysis"].invocation_count == 1
    assert (states["vision"].invocation_count, states["vision"].avg_response_time_ms) == (0, None)
    assert agent_states(session, ["research"]) == {"research": research}


@pytest.mark.django_db(transaction=True)
def test_context_made_at_the_same_time_is_the_same(session: Session) -> None:
    add_turn(session, concepts=[concept("attention")])
    turn = add_turn(session, "next")
    with ThreadPoolExecutor(4) as threads:
        contexts = list(threads.map(lambda _number: conversation_context(turn), range(8)))
    assert all(each == contexts[0] for each in contexts)


def test_running_turn_does_not_hide_what_it_will_have_said(session: Session) -> None:
    running = add_turn(session, metadata={})
    Turn.objects.filter(pk=running.pk).update(status=TurnStatus.RUNNING)
    assert agent_states(session, ["research"])["research"].invocation_count == 0
    answer = {"metadata": {"agent_times_ms": {"research": 0.0}}, "errors": []}
    Turn.objects.filter(pk=running.pk).update(status=TurnStatus.DONE, answer=answer)
    add_turn(session, metadata={"agent_times_ms": {"research": 4.0}})
    research = agent_states(session, ["research"])["research"]
    assert (research.invocation_count, research.avg_response_time_ms) == (2, 2.0)
