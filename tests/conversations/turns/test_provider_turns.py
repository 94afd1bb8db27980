"""Turns with a model connected, by the real SDK: who is asked, who pays, and what the page says of it."""

import json
from collections.abc import Callable, Coroutine
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from agents.engine.model_requests import CHARACTERS_PER_TOKEN, WINDOW_TOKENS
from agents.engine.roles import ChatMessage, Request
from agents.models import AgentCall, ModelCall, Spending
from agents.usage.budgets import set_budget, spent_today
from agents.usage.costs import cost_of
from conversations.models import Turn
from conversations.turns.handler import PreparedRun
from conversations.turns.summary import answer_fields
from conversations.turns.supervisor import Supervisor
from conversations.web.model_status import cost_line, current_shortfall, model_status_for
from tests.conversations.provider_helpers import AUTHORED, PROMPT, WORDED
from tests.conversations.sockets import Socket
from tests.conversations.turn_helpers import begun
from tests.provider import Provider

pytestmark = pytest.mark.django_db(transaction=True)

Served = Callable[..., Coroutine[Any, Any, Turn]]
begin = sync_to_async(begun)
give = sync_to_async(set_budget)
spent = sync_to_async(spent_today)


async def reply(turn: Turn) -> str:
    return (await turn.messages.aget(author="team")).text


def figures(turn: Turn) -> dict[str, Any]:
    told: dict[str, Any] = turn.answer["metadata"]
    return told


async def page(person: Any) -> str:
    client = AsyncClient()
    await client.aforce_login(person)
    return (await client.get("/c/s/")).text


class TestAnswer:
    async def test_is_the_models_recorded_and_priced(self, served: Served, provider: Provider, ben: Any) -> None:
        turn = await served(ben)
        assert (turn.status, await reply(turn)) == ("done", WORDED)
        call = await ModelCall.objects.aget()
        assert (call.status, call.turn_id, call.person_id, call.agent) == ("answered", turn.pk, ben.pk, "speaker")
        assert (call.model, call.prompt_version, call.reply) == ("fake-strong", PROMPT.version, WORDED)
        assert call.accounts == ["person:ben", "site"]
        cost = (call.input_tokens * 3 + call.output_tokens * 15) / 1_000_000
        assert call.cost_usd == pytest.approx(cost)
        assert figures(turn)["provider"] == "anthropic"
        assert figures(turn)["tokens"] == {"input": call.input_tokens, "output": call.output_tokens}
        assert (figures(turn)["cost_usd"], figures(turn)["fallback"]) == (pytest.approx(cost), False)

    async def test_page_names_the_model_and_the_cost(self, served: Served, ben: Any) -> None:
        await served(ben)
        html = await page(ben)
        assert "Anthropic · fake-strong helps with the wording." in html
        assert "Cost so far: $0.00" in html
        assert "can’t be reached" not in html

    async def test_where_no_cost_is_known_the_tokens_are_told(self, served: Served, ben: Any) -> None:
        turn = await served(ben)
        await ModelCall.objects.aupdate(spent_usd=None, cost_usd=None)
        tokens = (await ModelCall.objects.aget()).spent_tokens
        assert await sync_to_async(cost_line)(turn.session) == f"{tokens} tokens, cost unknown"

    @pytest.mark.parametrize(
        "call", [{"status": "answered"}, {"status": "cancelled", "spent_usd": 0.1}], ids=["without a price", "cut off"]
    )
    async def test_with_one_unknown_cost_page_and_api_tell_the_sum_of_the_others(
        self, served: Served, ben: Any, call: dict[str, Any]
    ) -> None:
        turn = await served(ben)
        usd = (await ModelCall.objects.aget()).cost_usd
        await ModelCall.objects.acreate(turn_id=turn.pk, agent="tutor", backend="b", model="m", spent_tokens=9, **call)
        assert (await sync_to_async(cost_line)(turn.session)).startswith(f"Cost so far: at least ${usd:.4f} · ")
        told = answer_fields([], cost=await sync_to_async(cost_of)(turn.pk), total_ms=1.0)["metadata"]
        assert (told["cost_usd"], told["cost_is_lower_bound"]) == (usd, True)

    async def test_that_is_free_says_so(self, served: Served, ben: Any) -> None:
        turn = await served(ben)
        await ModelCall.objects.aupdate(spent_usd=0, cost_usd=0)
        assert (await sync_to_async(cost_line)(turn.session)).endswith(" tokens, free")

    async def test_that_is_stopped_costs_what_nobody_counted(
        self, served: Served, supervisor: Supervisor, provider: Provider, ben: Any
    ) -> None:
        """Stopped in mid-sentence: the record says so, the budget counts an estimate, and no figure is made up."""
        await give("site", usd_per_day=1)
        provider.fault("V12", after=3)
        turn = await begin(ben)
        supervisor.claim(turn.pk)
        await sync_to_async(provider.wait_for, thread_sensitive=False)(1)
        supervisor.stop(turn.pk)
        await supervisor.finished(turn.pk)
        await turn.arefresh_from_db()
        call = await ModelCall.objects.aget()
        assert (turn.status, call.status, call.cost_usd) == ("stopped", "cancelled", None)
        assert (figures(turn)["cost_usd"], figures(turn)["tokens"]["input"]) == (None, None)
        today = await spent("site")
        assert (today.usd, today.reserved_usd) == (call.spent_usd, 0)
        assert today.usd > 0


class TestConsent:
    async def test_without_it_nothing_leaves(self, served: Served, provider: Provider, ada: Any) -> None:
        """A child's words reach no model: not one request."""
        turn = await served(ada)
        assert (turn.status, await reply(turn), provider.attempts) == ("done", AUTHORED, 0)
        assert (figures(turn)["provider"], figures(turn)["cost_usd"]) == ("offline", 0)
        assert not await ModelCall.objects.aexists()
        html = await page(ada)
        assert "what you write is not sent to any language model" in html
        assert "Change this in your profile" not in html
        assert "Cost so far" not in html

    async def test_withdrawn_between_two_turns_ends_it_at_once(
        self, served: Served, provider: Provider, ben: Any
    ) -> None:
        await served(ben)
        assert provider.attempts == 1
        ben.set_consent(False)
        await ben.asave()
        turn = await served(ben)
        assert (await reply(turn), provider.attempts) == (AUTHORED, 1)
        assert "Change this in your profile" in await page(ben)


class TestBudget:
    @pytest.mark.parametrize("account", ["person:ben", "site"])
    async def test_that_is_spent_leaves_built_in_words(
        self, served: Served, provider: Provider, ben: Any, account: str
    ) -> None:
        """L2: what a budget does not hold is not asked; the lesson goes on, and the page says why."""
        await give(account, usd_per_day=Decimal("0.0001"))
        turn = await served(ben)
        assert (turn.status, await reply(turn), provider.attempts) == ("degraded", AUTHORED, 0)
        assert (figures(turn)["shortfall"], figures(turn)["fallback"]) == ("budget", True)
        html = await page(ben)
        assert html.count("Today’s budget for the language model is used up.") == 1
        assert "The language model is available again at 00:00." in html
        assert "Parts of this answer are built-in text" not in html

    async def test_that_is_nearly_spent_goes_to_the_smaller_model(
        self, served: Served, provider: Provider, ben: Any, settings: Any
    ) -> None:
        fast = settings.LLMS["fast"]
        small = fast | {"OPTIONS": fast["OPTIONS"] | {"model": "fake-fast"}}
        settings.LLMS = settings.LLMS | {"fast": small}
        await give("person:ben", usd_per_day=1)
        assert figures(await served(ben))["saving"] is False
        await Spending.objects.filter(account="person:ben").aupdate(usd=Decimal("0.85"))
        turn = await served(ben)
        assert (turn.status, await reply(turn)) == ("done", WORDED)
        assert figures(turn)["saving"] is True
        assert [each.model async for each in ModelCall.objects.order_by("pk")] == ["fake-strong", "fake-fast"]
        assert (await AgentCall.objects.aget(run__turn_id=turn.pk)).remarks == ["saving"]

    async def test_turns_at_once_stay_below_it(
        self, served: Served, supervisor: Supervisor, ben: Any, grace: Any
    ) -> None:
        """L2: reserved before, settled after: what was spent never passes the cap."""
        await served(ben)
        one = (await ModelCall.objects.aget()).reserved_usd
        cap = (one * Decimal("2.5")).quantize(Decimal("0.0001"))
        await give("site", usd_per_day=cap)
        turns = [await begin(person, key=key) for person in (ben, grace) for key in "ab"]
        for turn in turns:
            supervisor.claim(turn.pk)
        for turn in turns:
            await supervisor.finished(turn.pk)
        today = await spent("site")
        assert 0 < today.usd <= cap
        assert today.reserved_usd == 0

    async def test_of_others_does_not_matter(self, served: Served, provider: Provider, ben: Any) -> None:
        await give("person:grace", usd_per_day=Decimal("0.0001"))
        assert await reply(await served(ben)) == WORDED


class TestOutage:
    async def test_lesson_goes_on_and_the_page_says_so_until_it_is_over(
        self, served: Served, provider: Provider, ben: Any
    ) -> None:
        """V4, V17: built-in words and a banner while the provider is down; a model's again once it answers."""
        provider.fault("V4")
        turn = await served(ben)
        assert (turn.status, await reply(turn), figures(turn)["shortfall"]) == ("degraded", AUTHORED, "model")
        assert figures(turn)["cost_usd"] == 0
        assert "The language model can’t be reached right now." in await page(ben)
        provider.recover()
        turn = await served(ben)
        assert (turn.status, await reply(turn)) == ("done", WORDED)
        assert "can’t be reached" not in await page(ben)

    async def test_failed_calls_are_on_record_and_cost_nothing(
        self, served: Served, provider: Provider, ben: Any
    ) -> None:
        provider.fault("V5")
        await served(ben)
        call = await ModelCall.objects.aget()
        assert (call.status, call.error, call.spent_usd, call.spent_tokens) == ("failed", "LLMKeyRejected", 0, 0)

    async def test_page_that_is_open_hears_of_it(
        self, served: Served, provider: Provider, ben: Any, connect: Callable[..., Any]
    ) -> None:
        turn = await served(ben)
        socket = await connect(ben, f"/live/s?turn={turn.pk}&after=99", by=Socket.by_cookie)
        provider.fault("V4", times=1)
        await socket.send({"action": "say", "text": "and now?"})
        html = await socket.until_text('id="announce"')
        assert "can’t be reached right now" in html
        assert "Cost so far" in html
        assert 'id="voice"' in html


class TestWho:
    """Who is told what, without a turn."""

    def test_nobody_where_nothing_is_connected(self, ben: Any, settings: Any) -> None:
        offline = {"BACKEND": "agents.llm.offline.OfflineBackend"}
        settings.LLMS = dict.fromkeys(("strong", "fast", "vision"), offline)
        assert (model_status_for(ben).state, current_shortfall(ben, None)) == ("none", "")


class TestStuffing:
    async def test_long_history_stays_within_the_window(
        self, served: Served, host: Any, provider: Provider, ben: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """L3: 200,000 characters of history and the longest message: the prompt stays within the window."""
        prepare = host.prepare
        told = tuple(
            ChatMessage(author="learner" if place % 2 else "team", text=f"{place} " + "x" * 1_000)
            for place in range(200)
        )

        def stuffed(turn: Turn, reading: Any = None) -> PreparedRun:
            prepared = prepare(turn)
            request = Request(text="y" * 10_000, history=(*told, ChatMessage(author="learner", text="y" * 10_000)))
            return PreparedRun(graph=prepared.graph, request=request, choice=prepared.choice)

        monkeypatch.setattr(host, "prepare", stuffed)
        assert (await served(ben)).status == "done"
        (request,) = provider.requests
        assert len(request.asked.everything) <= WINDOW_TOKENS * CHARACTERS_PER_TOKEN
        assert "y" * 10_000 in request.asked.last


class TestOneBucket:
    async def test_http_and_socket_share_a_persons_turns(
        self, served: Served, connect: Callable[..., Any], ben: Any, grace: Any, settings: Any
    ) -> None:
        """L1, L4: three turns a minute, whichever way they come; another person has their own."""
        settings.AGENTS = settings.AGENTS | {"turns_per_minute": 3}
        client = AsyncClient()
        await client.aforce_login(ben)

        async def post(text: str) -> Any:
            body = json.dumps({"text": text, "session_id": "s"})
            return await client.post("/v2/conversation", body, content_type="application/json")

        assert (await post("one")).status_code == 200
        socket = await connect(ben)
        await socket.say("two")
        await socket.until("turn_finished")
        assert (await post("three")).status_code == 200
        refused = await post("four")
        assert (refused.status_code, refused.json()["error"]["code"]) == (429, "rate_limited")
        assert int(refused["Retry-After"]) > 0
        await socket.say("five")
        assert (await socket.until("error"))[-1]["error"]["code"] == "rate_limited"
        again = await connect(ben, "/v2/ws/another")
        await again.say("six")
        assert (await again.frame())["error"]["code"] == "rate_limited"
        other = await connect(grace)
        await other.say("one")
        assert (await other.until("turn_finished"))[-1]["status"] == "done"
