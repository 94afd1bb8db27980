"""The calls of the round table: what is refused and how, the stream, and what happens when the client leaves."""

import asyncio
import json
from decimal import Decimal
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from agents.models import Spending
from agents.rollout.flags import change_flag
from agents.tools import Tool
from agents.tools import tools as registered_tools
from agents.usage.budgets import set_budget
from conversations.models import Collaborator, RoundTableLimits, Turn
from conversations.round_table.start import begin_table
from conversations.round_table.stream import stream_turn
from conversations.tools.library import LibraryArguments, LibraryPassages
from learnagent.accounts.authentication.api_tokens import make_token
from tests.conversations.round_table.conftest import QUESTION
from tests.conversations.turn_helpers import Pause

pytestmark = pytest.mark.django_db(transaction=True)

MESSAGES = [{"role": "user", "content": QUESTION}]
GOOD: dict[str, Any] = {"agents": ["explainer", "example-finder"], "rounds": 2, "messages": MESSAGES}


class Program:
    def __init__(self, token: str) -> None:
        self.client = AsyncClient()
        self.headers = {"Authorization": f"Bearer {token}"}

    async def post(self, path: str = "/api/chat/multi", body: Any = None) -> Any:
        return await self.client.post(path, json.dumps(body), content_type="application/json", headers=self.headers)

    async def discuss(self, **changes: Any) -> Any:
        return await self.post(body={key: value for key, value in (GOOD | changes).items() if value is not None})


@pytest.fixture
async def bens(tables: Any, ben: Any) -> Program:
    return Program(await sync_to_async(make_token)(ben))


async def events(response: Any) -> list[dict[str, Any]]:
    """Return the events of a stream, whose every line is as described."""
    assert response.status_code == 200
    assert response["Content-Type"] == "text/event-stream"
    text = b"".join([piece async for piece in response]).decode()
    lines = text.split("\n\n")
    assert lines.pop() == ""
    assert all(line.startswith("data: {") and "\n" not in line for line in lines)
    found = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert all(each.keys() == {"type", "data"} for each in found)
    return found


async def test_stream_is_as_described(bens):
    found = await events(await bens.discuss())
    shapes = {each["type"]: set(each["data"]) for each in found}
    assert shapes == {
        "initiator_start": {"agent", "goal", "success_criteria", "approach"},
        "round_start": {"round", "agents"},
        "agent_tool_call": {"agent", "round", "toolCall"},
        "agent_response": {"agent", "round", "content", "steps", "finishReason"},
        "round_end": {"round", "timestamp"},
        "summarizer_response": {"content", "complete"},
    }
    assert {each["data"]["agent"] for each in found if each["type"] == "agent_response"} == {
        "explainer",
        "example-finder",
    }
    assert (await Turn.objects.aget()).status == "done"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"rounds": 0}, "rounds"),
        ({"rounds": 11}, "rounds"),
        ({"rounds": "three"}, "rounds"),
        ({"rounds": None}, "rounds"),
        ({"agents": []}, "agents"),
        ({"agents": None}, "agents"),
        ({"agents": ["nobody"]}, "agents"),
        ({"agents": ["example-finder", "example_finder"]}, "agents"),
        ({"agents": ["explainer", "sceptic", "historian", "practitioner", "example-finder", "x"]}, "agents"),
        ({"messages": []}, "messages"),
        ({"messages": [{"role": "user", "content": "  "}]}, "messages.0.content"),
        ({"messages": [{"role": "user", "content": "a\x00b"}]}, "messages.0.content"),
        ({"messages": [{"role": "assistant", "content": "hello"}]}, "messages"),
        ({"messages": [{"role": "system", "content": "obey"}]}, "messages.0.role"),
        ({"failure_strategy": "panic"}, "failure_strategy"),
        ({"on_disconnect": "hide"}, "on_disconnect"),
        ({"unknown": 1}, "unknown"),
    ],
)
async def test_wrong_request_is_refused_and_nothing_stored(bens, changes, field):
    response = await bens.discuss(**changes)
    assert response.status_code == 422
    assert list(response.json()["error"]["fields"]) == [field]
    assert not await Turn.objects.aexists()


async def test_too_much_text_is_refused(bens):
    assert (await bens.discuss(messages=[{"role": "user", "content": "x" * 10_001}])).status_code == 413
    many = [{"role": "user", "content": "x" * 10_000}] * 6
    assert (await bens.discuss(messages=many)).status_code == 413


async def test_table_that_is_off_is_not_enabled(bens):
    await sync_to_async(change_flag)("round_table", killed=True)
    response = await bens.discuss()
    assert (response.status_code, response.json()["error"]["code"]) == (501, "not_enabled")


async def test_only_the_named_may_ask_a_closed_collaborator(bens, eve):
    row = Collaborator(name="closed", title="Closed", purpose="p", instructions="i", open_to="named", allowed=["ben"])
    await sync_to_async(row.save)()
    assert (await bens.discuss(agents=["closed"])).status_code == 200
    others = Program(await sync_to_async(make_token)(eve))
    response = await others.discuss(agents=["closed"])
    assert response.status_code == 422
    assert "closed" not in response.json()["error"]["fields"]["agents"].partition("You can choose from")[2]


async def test_switched_off_collaborator_is_unknown(bens):
    await Collaborator.objects.acreate(name="sceptic", title="Sceptic", purpose="p", instructions="i", enabled=False)
    assert (await bens.discuss(agents=["sceptic"])).status_code == 422


async def test_admins_limits_hold(bens, settings):
    await RoundTableLimits.objects.acreate(most_agents=1, most_rounds=2)
    assert (await bens.discuss()).status_code == 422
    assert (await bens.discuss(agents=["sceptic"], rounds=3)).status_code == 422
    settings.AGENTS = settings.AGENTS | {"table_rounds": 1}
    assert (await bens.discuss(agents=["sceptic"], rounds=2)).status_code == 422
    assert (await bens.discuss(agents=["sceptic"], rounds=1)).status_code == 200


async def test_sixth_table_in_a_minute_is_refused(bens, eve, settings):
    settings.AGENTS = settings.AGENTS | {"panels_per_minute": 2, "turns_at_once": 10}
    for _number in range(2):
        await events(await bens.discuss(rounds=1))
    response = await bens.discuss(rounds=1)
    assert (response.status_code, response.json()["error"]["code"]) == (429, "rate_limited")
    assert response["Retry-After"]
    others = Program(await sync_to_async(make_token)(eve))
    assert (await others.discuss(rounds=1)).status_code == 200


async def test_table_without_a_budget_is_refused(bens, modelled, ben):
    await sync_to_async(set_budget)("person:ben", usd_per_day=Decimal("0.01"))
    await Spending.objects.filter(account="person:ben").aupdate(usd=Decimal("0.02"))
    response = await bens.discuss()
    assert (response.status_code, response.json()["error"]["code"]) == (429, "budget")
    assert not await Turn.objects.aexists()


async def test_one_agent_answers_by_the_same_stream(bens):
    found = await events(await bens.post("/api/chat", {"agent": "example-finder", "messages": MESSAGES}))
    assert [each["data"]["agents"] for each in found if each["type"] == "round_start"] == [["example-finder"]]
    wrong = await bens.post("/api/chat", {"agent": "nobody", "messages": MESSAGES})
    assert list(wrong.json()["error"]["fields"]) == ["agent"]


async def test_question_in_the_address_has_its_limit(bens):
    """A longer request line would be closed without an answer."""
    get = bens.client.get
    assert (await get("/api/chat/agents", {"question": "½" * 1000}, headers=bens.headers)).status_code == 200
    refused = await get("/api/chat/agents", {"question": "½" * 1001}, headers=bens.headers)
    assert (refused.status_code, list(refused.json()["error"]["fields"])) == (422, ["question"])


async def test_roster_tells_who_fits_a_question(bens):
    listed = (await bens.client.get("/api/chat/agents", headers=bens.headers)).json()
    assert [each["name"] for each in listed] == [
        "explainer", "sceptic", "example-finder", "historian", "practitioner", "data-steward", "prospect-finder",
        "contract-reader",
    ]  # fmt: skip
    assert not any(each["fits"] for each in listed)
    asked = await bens.client.get("/api/chat/agents", {"question": "Who invented zero?"}, headers=bens.headers)
    [historian] = [each for each in asked.json() if each["name"] == "historian"]
    assert historian["fits"]
    assert "“invented”" in historian["reason"]


async def test_nobody_asks_without_a_token(bens):
    bens.headers = {}
    assert (await bens.discuss()).status_code == 401


@pytest.fixture
def paused(monkeypatch: pytest.MonkeyPatch, tables: Any) -> Pause:
    """A library in which every search waits."""
    pause = Pause()

    async def run(arguments: Any, use: Any) -> LibraryPassages:
        await pause()
        return LibraryPassages(passages=[])

    waiting = Tool(name="library", description="Waits.", arguments=LibraryArguments, run=run, timeout_s=60)
    monkeypatch.setitem(registered_tools, "library", waiting)
    return pause


@pytest.mark.parametrize(("wish", "status"), [("stop", "stopped"), ("finish", "done")])
async def test_client_that_leaves_gets_what_it_asked_for(paused, tables, ben, wish, status):
    begin = sync_to_async(begin_table)
    accepted = await begin(owner=ben, text=QUESTION, agents=["sceptic"], rounds=1)
    tables.start(accepted)

    async def read() -> None:
        async for _line in stream_turn(accepted.turn.pk, ben, on_disconnect=wish):
            pass

    reading = asyncio.create_task(read())
    await paused.reached.wait()
    reading.cancel()
    await asyncio.wait({reading})
    paused.over.set()
    await tables.finished(accepted.turn.pk)
    assert (await Turn.objects.aget()).status == status


async def test_stream_names_its_table_and_takes_a_lead(bens):
    response = await bens.discuss(lead="example-finder")
    found = await events(response)
    turn = await Turn.objects.aget(pk=response["X-Turn-Id"])
    assert turn.payload["round_table"]["lead"] == "example_finder"
    said = [each["data"]["agent"] for each in found if each["type"] == "agent_response"]
    assert said[:3] == ["example-finder", "explainer", "example-finder"]


@pytest.mark.parametrize(
    ("lead", "agents"), [("historian", ["explainer", "sceptic"]), ("explainer", ["explainer"]), ("x y", ["explainer"])]
)
async def test_lead_that_cannot_lead_is_refused(bens, lead, agents):
    response = await bens.discuss(lead=lead, agents=agents)
    assert (response.status_code, list(response.json()["error"]["fields"])) == (422, ["lead"])
    assert not await Turn.objects.aexists()
