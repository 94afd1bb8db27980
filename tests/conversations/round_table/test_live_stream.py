"""The stream over a real connection: events come while the agents still speak, and a client that hangs up is noticed."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from asgiref.sync import sync_to_async

from agents.tools import Tool
from agents.tools import tools as registered_tools
from conversations.models import Turn
from conversations.tools.library import LibraryArguments, LibraryPassages
from learnagent.accounts.authentication.api_tokens import make_token
from tests.conversations.round_table.conftest import QUESTION, passage
from tests.conversations.turn_helpers import Pause
from tests.learnagent.api.live_server import served

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def pause(tables: Any, monkeypatch: pytest.MonkeyPatch) -> Pause:
    """Every search waits until the test lets it go on."""
    cue = Pause()

    async def run(arguments: Any, use: Any) -> LibraryPassages:
        await cue()
        return LibraryPassages(passages=[passage()])

    waiting = Tool(name="library", description="Waits.", arguments=LibraryArguments, run=run, timeout_s=60)
    monkeypatch.setitem(registered_tools, "library", waiting)
    return cue


def body(**more: Any) -> dict[str, Any]:
    messages = [{"role": "user", "content": QUESTION}]
    return {"agents": ["explainer", "historian"], "rounds": 1, "messages": messages} | more


async def test_events_come_while_the_agents_still_work(pause: Pause, ben: Any) -> None:
    token = await sync_to_async(make_token)(ben)
    found = []
    async with (
        served() as port,
        httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as client,
        client.stream("POST", f"http://127.0.0.1:{port}/api/chat/multi", json=body()) as response,
    ):
        assert response.headers["content-type"] == "text/event-stream"
        async for line in response.aiter_lines():
            if line:
                found.append(json.loads(line.removeprefix("data: ")))
                # Nothing goes on before this client has the beginning.
                if found[-1]["type"] == "round_start":
                    pause.over.set()
    types = [each["type"] for each in found]
    assert types.index("round_start") < types.index("agent_response") < types.index("round_end")
    assert found[-1]["data"]["complete"]


async def test_client_that_hangs_up_stops_its_table(pause: Pause, tables: Any, ben: Any) -> None:
    token = await sync_to_async(make_token)(ben)
    async with served() as port, httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=60) as client:
        path = f"http://127.0.0.1:{port}/api/chat/multi"
        async with client.stream("POST", path, json=body(on_disconnect="stop")) as response:
            async for line in response.aiter_lines():
                if "round_start" in line:
                    break
        turn = await Turn.objects.aget()
        async with asyncio.timeout(60):
            await tables.finished(turn.pk)
        assert (await Turn.objects.aget()).status == "stopped"
