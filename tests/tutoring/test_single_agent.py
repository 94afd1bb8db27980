"""One agent answers instead of the panel: because it was asked for, because the panel failed, or was used too often."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from agents.engine import registry
from agents.engine.bus import Filter
from agents.engine.roles import Expectation, Plan, Request
from agents.errors import LLMUnavailable
from agents.models import AgentCall, Spending
from agents.rollout.flags import change_flag
from agents.rollout.known_flags import FALLBACK
from agents.usage.budgets import set_budget
from conversations.models import Event, Message, Transition, Turn
from conversations.panel.single_agent import SINGLE_AGENT_KEY, count_recent_panels
from conversations.search.index import update_index
from conversations.turns import begin
from conversations.turns.supervisor import supervisor
from tests import people
from tests.conversations.provider_helpers import models_of
from tests.provider import Answer, Provider
from tests.tutoring.idle_turn_handler import quiet_host  # noqa: F401  # A fixture.
from tutoring.dialogue import dispatch

pytestmark = pytest.mark.django_db(transaction=True)

ASKED = "How do transformers work in NLP?"
SMART, V1, V2 = "/api/conversation/smart", "/api/conversation", "/v2/conversation"
TEAM = ("conversation", "analysis", "research", "synthesis")


@pytest.fixture
def ada() -> Any:
    return people.make_person("ada")


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        provider.otherwise(Answer(text="A transformer is a model."))
        yield provider


@pytest.fixture(autouse=True)
def _closing() -> Iterator[None]:
    yield
    supervisor.closing = False


async def asked(person: Any, path: str, text: str = ASKED, **more: Any) -> dict[str, Any]:
    client = AsyncClient()
    await client.aforce_login(person)
    response = await client.post(path, json.dumps({"text": text} | more), content_type="application/json")
    assert response.status_code == 200, response.content
    answer: dict[str, Any] = response.json()
    return answer


def broken(error: Exception) -> Any:
    def plan(request: Request) -> Plan:
        raise error

    return plan


@pytest.fixture
def break_agents(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that has these agents fail before they say anything."""

    def fail(error: Exception, *agents: str) -> None:
        for agent in agents:
            monkeypatch.setitem(registry.roles, agent, replace(registry.roles[agent], plan=broken(error)))

    return fail


def switch_off(name: str) -> None:
    """Switch a flag off for everybody."""
    change_flag(name, percent=Decimal(0))


async def stored_events(turn_id: str) -> list[dict[str, Any]]:
    return [each.body async for each in Event.objects.filter(turn=turn_id).order_by("seq")]


class TestChoice:
    """Who serves a message of the smart call."""

    @pytest.mark.parametrize(
        ("text", "served_by"), [("hello", "v1"), ("3/4", "v1"), ("why?", "v1"), (ASKED, "v2"), ("thanks, bye", "v1")]
    )
    async def test_follows_the_complexity(self, ada: Any, text: str, served_by: str) -> None:
        answer = await asked(ada, SMART, text)
        assert (answer["served_by"], answer["v2"] is None) == (served_by, served_by == "v1")
        assert answer["agent_text"]

    async def test_whole_answer_of_the_team_is_there(self, ada: Any) -> None:
        await sync_to_async(update_index)()
        answer = await asked(ada, SMART)
        assert answer["v2"]["response"] == answer["agent_text"]
        assert answer["v2"]["classification"] == "complex_query"
        assert answer["v2"]["intent"] == answer["intent"] == "question"
        assert set(answer["v2"]["metadata"]["agents_used"]) == set(TEAM)

    async def test_follows_the_flag(self, ada: Any) -> None:
        await sync_to_async(change_flag)("multi_agent", killed=True)
        answer = await asked(ada, SMART)
        assert (answer["served_by"], answer["v2"]) == ("v1", None)
        assert answer["agent_text"]

    async def test_v1_never_asks_the_panel(self, ada: Any) -> None:
        answer = await asked(ada, V1)
        assert answer["agent_text"]
        turn = await Turn.objects.aget()
        assert "classification" not in turn.answer
        assert turn.answer["metadata"]["agents_used"] == ["tutor"]


class TestFallback:
    """R2, R3: one answer, whatever fails."""

    @pytest.mark.parametrize("error", [LLMUnavailable(), ValueError("a bug")], ids=["failure", "bug"])
    async def test_one_agent_answers_before_the_first_words(self, ada: Any, break_agents: Any, error: Any) -> None:
        break_agents(error, *TEAM)
        before = supervisor.fell_back
        answer = await asked(ada, SMART)
        assert (answer["served_by"], answer["v2"]) == ("v1", None)
        assert answer["agent_text"]
        turn = await Turn.objects.aget()
        assert (turn.status, turn.answer["metadata"]["fallback"]) == ("degraded", True)
        assert await Message.objects.filter(turn=turn, author="team").acount() == 1
        events = await stored_events(str(turn.pk))
        assert [each["seq"] for each in events] == list(range(1, len(events) + 1))
        assert [each["type"] for each in events].count("turn_finished") == 1
        assert [each["to"] for each in events if each["type"] == "routed"] == ["synthesis", "tutor"]
        assert supervisor.fell_back == before + 1

    async def test_failed_agents_are_named(self, ada: Any, break_agents: Any) -> None:
        """V16: v2 falls back too, and says so."""
        break_agents(LLMUnavailable(), *TEAM)
        answer = await asked(ada, V2)
        assert {each["agent"] for each in answer["errors"]} == set(TEAM)
        assert {each["fallback_available"] for each in answer["errors"]} == {True}
        assert (answer["classification"], answer["status"]) == ("complex_query", "degraded")
        assert answer["metadata"]["agents_used"][-1] == "tutor"
        assert answer["metadata"]["fallback"] is True
        assert answer["response"]
        reasons = [each.reason async for each in Transition.objects.order_by("pk")]
        assert reasons[-1] == "The team could not answer, so the tutor is answering alone."

    async def test_preparation_that_fails_is_made_up_for(self, ada: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        def fail(*args: Any, **options: Any) -> None:
            raise ValueError("a bug")

        monkeypatch.setattr(dispatch, "gather_panel_facts", fail)
        answer = await asked(ada, SMART)
        assert answer["served_by"] == "v1"
        assert answer["agent_text"]

    @pytest.mark.parametrize("agent", TEAM)
    async def test_team_that_lacks_one_agent_answers_itself(self, ada: Any, break_agents: Any, agent: str) -> None:
        await sync_to_async(update_index)()
        break_agents(LLMUnavailable(), agent)
        before = supervisor.fell_back
        answer = await asked(ada, SMART)
        assert (answer["served_by"], supervisor.fell_back) == ("v2", before)
        assert answer["agent_text"]

    async def test_nothing_is_added_after_the_first_words(
        self, ada: Any, break_agents: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """R2: what was said stays the only answer."""
        break_agents(LLMUnavailable(), "conversation", "analysis", "research")
        role = registry.roles["synthesis"]

        def fail(message: Any) -> Any:
            raise LLMUnavailable

        def says_and_fails(request: Request) -> Plan:
            nobody = Filter(sender="nobody", event="nothing")
            return Plan(say=("The first words.", Expectation(wanted=nobody, within_s=0.0, then=fail)))

        monkeypatch.setitem(registry.roles, "synthesis", replace(role, plan=says_and_fails))
        answer = await asked(ada, SMART)
        assert (answer["served_by"], answer["agent_text"]) == ("v2", "The first words.")
        assert {each["agent"] for each in answer["v2"]["errors"]} == set(TEAM)

    async def test_where_both_fail_the_message_is_kept_and_the_failure_told(self, ada: Any, break_agents: Any) -> None:
        """R3"""
        break_agents(LLMUnavailable(), *TEAM, "tutor")
        answer = await asked(ada, SMART)
        assert answer["agent_text"] == "Something went wrong on our end. Your message is saved."
        assert (await Turn.objects.aget()).status == "failed"
        assert (await Message.objects.aget(author="learner")).text == ASKED

    async def test_one_agent_that_fails_is_not_asked_twice(self, ada: Any, break_agents: Any) -> None:
        break_agents(LLMUnavailable(), "tutor")
        before = supervisor.fell_back
        answer = await asked(ada, V1)
        assert answer["agent_text"] == "Something went wrong on our end. Your message is saved."
        assert supervisor.fell_back == before

    async def test_flag_switches_it_off(self, ada: Any, break_agents: Any) -> None:
        """The failure is told instead."""
        await sync_to_async(switch_off)(FALLBACK)
        break_agents(LLMUnavailable(), *TEAM)
        answer = await asked(ada, SMART)
        assert (answer["served_by"], answer["v2"]["status"]) == ("v2", "failed")
        assert answer["agent_text"] == "Something went wrong on our end. Your message is saved."

    async def test_is_counted_for_the_operator(self, root: Any, client: Any) -> None:
        await sync_to_async(client.force_login)(root)
        page = await sync_to_async(client.get)("/metrics")
        assert "learnagent_single_agent_fallbacks_total{" in page.text


class TestLimit:
    """L1, L4: the panel's own limit, over all surfaces together."""

    async def test_one_more_goes_to_one_agent(self, ada: Any, settings: Any) -> None:
        settings.AGENTS = settings.AGENTS | {"panels_per_minute": 2}
        first = await asked(ada, V2)
        await asked(ada, SMART, session_id=first["session_id"])
        third = await asked(ada, V2, session_id=first["session_id"])
        assert (first["classification"], third["classification"]) == ("complex_query", None)
        assert third["response"]
        assert third["status"] == "done"
        reasons = [each.reason async for each in Transition.objects.order_by("pk")]
        assert "so the tutor is answering alone" in reasons[-1]
        ben = await sync_to_async(people.make_person)("ben")
        assert (await asked(ben, V2))["classification"] == "complex_query"

    async def test_0_switches_it_off(self, ada: Any, settings: Any) -> None:
        settings.AGENTS = settings.AGENTS | {"panels_per_minute": 0}
        assert {(await asked(ada, V2))["classification"] for _ in range(6)} == {"complex_query"}

    async def test_turn_that_fell_back_counts(self, ada: Any, break_agents: Any, settings: Any) -> None:
        """It has cost as much."""
        settings.AGENTS = settings.AGENTS | {"panels_per_minute": 1}
        break_agents(LLMUnavailable(), *TEAM)
        await asked(ada, V2)
        answer = await asked(ada, V2)
        assert (answer["classification"], answer["errors"]) == (None, [])


async def test_budget_that_is_nearly_used_up_asks_fewer_agents(provider: Provider, settings: Any) -> None:
    """The agents that speak ask the fast model, the others none."""
    settings.LLMS = models_of(provider)
    await sync_to_async(set_budget)("site", usd_per_day=1)
    await Spending.objects.aupdate(usd=Decimal("0.8"))
    answer = await asked(await sync_to_async(people.make_ben)(), V2)
    assert (answer["classification"], answer["status"]) == ("complex_query", "done")
    calls = [each async for each in AgentCall.objects.filter(run__turn_id=answer["turn_id"])]
    assert {each.agent for each in calls if each.remarks == ["saving"]} == {"conversation", "synthesis"}


def begun(person: Any, key: str, **options: Any) -> Turn:
    return begin.begin_turn(owner=person, session_key=key, text=ASKED, **options).turn


@pytest.mark.usefixtures("quiet_host")
class TestCounting:
    def test_of_two_that_start_together_the_later_gives_way(self, ada: Any) -> None:
        """Neither is known to be the panel's yet."""
        first, second = begun(ada, "a"), begun(ada, "b")
        second.created_at = first.created_at + timedelta(milliseconds=1)
        Turn.objects.filter(pk=second.pk).update(created_at=second.created_at)
        assert (count_recent_panels(first), count_recent_panels(second)) == (0, 1)

    def test_what_was_answered_more_than_a_minute_ago_does_not_count(self, ada: Any) -> None:
        first, second = begun(ada, "a"), begun(ada, "b")
        Turn.objects.filter(pk=first.pk).update(created_at="2020-01-01T00:00:00Z")
        assert count_recent_panels(second) == 0

    def test_turn_that_one_agent_answers_does_not_count(self, ada: Any) -> None:
        first, second = begun(ada, "a", payload={SINGLE_AGENT_KEY: True}), begun(ada, "b")
        routed = {"type": "routed", "from": "", "to": "tutor", "strategy": "rule", "confidence": None, "reason": ""}
        Event.objects.create(turn=first, seq=2, type="routed", body=routed)
        assert count_recent_panels(second) == 0
        Event.objects.create(turn=first, seq=3, type="classified", body={"type": "classified"})
        assert count_recent_panels(second) == 1

    def test_somebody_elses_do_not_count(self, ada: Any) -> None:
        begun(people.make_person("ben"), "a")
        assert count_recent_panels(begun(ada, "a")) == 0
