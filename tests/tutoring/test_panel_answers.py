"""Open questions are answered by the panel: over the API field by field, and whatever agent fails."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient
from django.utils import timezone
from pydantic import BaseModel

from agents.engine import registry
from agents.engine.roles import Plan, Request
from agents.errors import LLMUnavailable
from conversations.models import Document, Event, Session, Turn
from conversations.search.index import update_index
from conversations.turns.supervisor import supervisor
from tests import people
from tests.tutoring.insights.answer_histories import answer
from tests.tutoring.review_helpers import load_tiny
from tests.tutoring.roles.explanation.test_lookup_answers import QUOTE, put_in
from tutoring.insights.patterns import LEAST_ANSWERS

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "How do dictionaries differ from lists, and what is `(3+4)*2^5`?"


class Wrong(BaseModel):
    """A result of no agent's kind."""


TEAM = ("conversation", "analysis", "research", "synthesis")


@pytest.fixture
def ada() -> Any:
    return people.make_person("ada")


async def asked(person: Any, text: str, **more: Any) -> dict[str, Any]:
    client = AsyncClient()
    await client.aforce_login(person)
    response = await client.post("/v2/conversation", json.dumps({"text": text} | more), content_type="application/json")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


@pytest.fixture(autouse=True)
def _closing() -> Iterator[None]:
    yield
    supervisor.closing = False


async def test_question_on_a_document_with_a_sum_is_answered_field_by_field(ada: Any) -> None:
    await sync_to_async(put_in)(ada)
    answer = await asked(ada, ASKED)
    assert answer["classification"] == "complex_query"
    assert "(3+4)*2^5 = 224" in answer["response"]
    assert QUOTE in answer["response"]
    assert [each["statement"] for each in answer["facts"]] == [QUOTE]
    assert answer["facts"][0]["confidence"] is None  # Nobody has reviewed what a person uploads.
    assert 0 < answer["facts"][0]["relevance"] <= 1
    assert [each["id"] for each in answer["sources"]] == [answer["facts"][0]["source_id"]]
    assert {each["name"] for each in answer["concepts"]} == {"dictionary", "list"}
    assert {each["text"] for each in answer["entities"]} == {"dictionaries", "lists"}
    assert answer["sentiment"] == "curious"
    assert sorted(answer["tool_calls"]) == ["calculator", "library"]
    assert answer["confidence"]["synthesis"] == 1.0
    assert set(answer["metadata"]["agents_used"]) == set(TEAM)
    assert answer["errors"] == []


async def test_what_a_message_refers_to_is_taken_from_the_conversation(ada: Any) -> None:
    await sync_to_async(put_in)(ada)
    first = await asked(ada, "What is a dictionary?")
    answer = await asked(ada, "How does it differ from a list?", session_id=first["session_id"])
    assert "I think you mean *dictionary*." in answer["response"]
    assert [each["statement"] for each in answer["facts"]] == [QUOTE]


async def test_words_of_a_document_leave_the_answer_with_it(ada: Any) -> None:
    document: Document = await sync_to_async(put_in)(ada)
    answer = await asked(ada, ASKED)
    stored = await Turn.objects.aget(pk=answer["turn_id"])
    assert QUOTE not in json.dumps(stored.answer)
    assert not [each async for each in Event.objects.filter(turn=stored) if QUOTE in json.dumps(each.body)]
    await document.adelete()
    client = AsyncClient()
    await client.aforce_login(ada)
    again = (await client.get(f"/v2/turns/{answer['turn_id']}")).json()["answer"]
    assert again["facts"] == []
    assert QUOTE not in again["response"]


async def test_concepts_are_announced_and_change_what_is_looked_up(ada: Any) -> None:
    answer = await asked(ada, "How do transformers work in NLP?")
    events = [each.body async for each in Event.objects.filter(turn=answer["turn_id"]).order_by("seq")]
    (classified,) = [each for each in events if each["type"] == "classified"]
    assert tuple(classified["agents"]) == TEAM
    (sent,) = [each for each in events if each["type"] == "message_sent"]
    assert (sent["sender"], sent["recipient"], sent["payload"]["event"]) == ("analysis", None, "concept_detected")
    searches = [each["args"]["query"] for each in events if each["type"] == "tool_called" and each["tool"] == "library"]
    assert searches == ["How do transformers work in NLP?", "What is transformer?", "What is nlp?"]


async def test_first_question_of_a_newcomer_is_answered_from_the_articles(ada: Any) -> None:
    await sync_to_async(update_index)()
    answer = await asked(ada, "How do transformers work in NLP?")
    assert "*How transformers work*" in answer["response"]
    assert {each["type"] for each in answer["sources"]} == {"article"}
    assert all(each["confidence"] == 1.0 for each in answer["facts"])
    assert answer["follow_ups"]


async def test_nothing_found_is_said(ada: Any) -> None:
    answer = await asked(ada, "Why is the sea salty?", session_id="s")
    assert answer["response"].startswith("I couldn’t find anything about this")
    assert (answer["facts"], answer["sources"]) == ([], [])
    assert answer["cards"][-1]["options"] == ["What can I learn here?"]
    again = await asked(ada, "Why is ice slippery?", session_id="s")
    assert again["response"].startswith("I found nothing about that either.")


@pytest.mark.parametrize("agent", TEAM)
async def test_answer_comes_whichever_agent_fails(agent: str, ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(request: Request) -> Plan:
        raise LLMUnavailable

    await sync_to_async(put_in)(ada)
    monkeypatch.setitem(registry.roles, agent, replace(registry.roles[agent], plan=broken))
    answer = await asked(ada, ASKED)
    assert answer["response"]
    assert [(each["agent"], each["error_type"]) for each in answer["errors"]] == [(agent, "api_error")]
    assert answer["status"] == "degraded"
    if agent != "research":
        assert answer["facts"]


async def test_slow_agent_is_left_out_in_its_time(ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    await sync_to_async(put_in)(ada)
    monkeypatch.setitem(registry.roles, "research", replace(registry.roles["research"], timeout_s=0.000_001))
    answer = await asked(ada, ASKED)
    assert [(each["agent"], each["error_type"]) for each in answer["errors"]] == [("research", "timeout")]
    assert answer["concepts"]


async def test_corrupted_result_is_not_used(ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    role = registry.roles["research"]
    monkeypatch.setitem(registry.roles, "research", replace(role, plan=lambda request: Plan(result=Wrong())))
    answer = await asked(ada, ASKED)
    assert answer["facts"] == []
    assert answer["response"]


async def test_owner_chooses_who_answers(ada: Any) -> None:
    await asked(ada, "hello", session_id="talk")
    for by, text, classification in (
        (Session.AnsweredBy.TUTOR, "How do transformers work in NLP?", None),
        (Session.AnsweredBy.TEAM, "transformers", "complex_query"),
        (Session.AnsweredBy.TEAM, "what is a fraction", "complex_query"),
    ):
        await Session.objects.filter(key="talk").aupdate(answered_by=by)
        assert (await asked(ada, text, session_id="talk"))["classification"] == classification


# --- Insights ---


async def test_patterns_without_a_history_say_what_is_missing(ada: Any) -> None:
    answer = await asked(ada, "What patterns do you see in my learning?")
    assert answer["classification"] == "insight_request"
    assert answer["insights"] == []
    assert f"Once you have given {LEAST_ANSWERS}" in answer["response"]


async def test_patterns_are_those_of_the_time_that_is_named(ada: Any) -> None:
    await sync_to_async(load_tiny)()
    await sync_to_async(answer)(ada, "r" * LEAST_ANSWERS, at=timezone.now() - timedelta(days=40))
    assert (await asked(ada, "What patterns do you see in my learning?"))["insights"]
    for timeframe in ("week", "month"):
        told = await asked(ada, f"What patterns do you see in my learning this {timeframe}?")
        assert (told["classification"], told["insights"]) == ("insight_request", [])
        assert f"You haven’t given any answers without help this {timeframe} yet." in told["response"]
    await sync_to_async(answer)(ada, "r" * LEAST_ANSWERS, at=timezone.now())
    (insight,) = (await asked(ada, "How did I do this week?"))["insights"]
    assert (insight["type"], len(insight["evidence"])) == ("pattern", LEAST_ANSWERS)
