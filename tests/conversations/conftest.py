"""A host, a script and a supervisor of the test's own."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from agents.conf import sdk_backends
from agents.engine import registry
from conversations.companion import api as companion_api
from conversations.models import Turn
from conversations.round_table import remarks
from conversations.round_table import stream as table_stream
from conversations.turns import handler, recovery, side_agents, stream, whole_turns
from conversations.turns.supervisor import Supervisor
from conversations.web import api, consumers
from tests.conversations.provider_helpers import LIMITS, ROLE, WORDED, models_of
from tests.conversations.sockets import Socket
from tests.conversations.turn_helpers import SPEAKER, ScriptedHandler, begun
from tests.provider import Answer, Provider


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedHandler]:
    before = list(handler._handlers)
    scripted = ScriptedHandler()
    monkeypatch.setattr(side_agents, "_listeners", [])
    handler.register_turn_handler(scripted)
    monkeypatch.setitem(registry.roles, "speaker", SPEAKER)
    yield scripted
    handler._handlers[:] = before


@pytest.fixture
def says(host: ScriptedHandler, settings: Any) -> Callable[..., None]:
    """Return a function that gives the speaker its script."""

    def give(*cues: Any) -> None:
        speaker = {
            "BACKEND": "tests.agents.engine.scripted_speaker.ScriptedSpeaker",
            "OPTIONS": {"scripts": {"speaker": cues}},
        }
        settings.LLMS = dict.fromkeys(("strong", "fast", "vision"), speaker)

    give("One ", "half.")
    return give


@pytest.fixture
async def supervisor(
    transactional_db: None, says: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Supervisor]:
    """A supervisor as a process has it, for the sockets and calls of this test too."""
    own = Supervisor()
    for module in (api, companion_api, consumers, recovery, remarks, stream, table_stream, whole_turns):
        monkeypatch.setattr(module, "supervisor", own)
    yield own
    if not own.closing:
        await own.close()


@pytest.fixture
async def connect(supervisor: Supervisor) -> AsyncIterator[Callable[..., Any]]:
    """Return a function that opens a person's socket, by token unless asked for by cookie; all are left at the end."""
    opened: list[Socket] = []

    async def open_socket(person: Any, path: str = "/v2/ws/s", *, by: Any = Socket.by_token) -> Socket:
        opened.append(await by(person, path))
        return await opened[-1].open()

    yield open_socket
    for each in opened:
        await each.leave()


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider() as provider:
        provider.otherwise(Answer(text=WORDED))
        yield provider


@pytest.fixture
async def served(
    supervisor: Supervisor, provider: Provider, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Callable[..., Any]]:
    """Return a function that serves a person's turn to its end, worded by a model."""
    monkeypatch.setitem(registry.roles, "speaker", ROLE)
    settings.LLMS = models_of(provider)
    settings.AGENTS = settings.AGENTS | {"model_limits": LIMITS}

    async def turn_of(person: Any, text: str = "yes because there are two") -> Turn:
        turn = await sync_to_async(begun)(person, text=text)
        supervisor.claim(turn.pk)
        await supervisor.finished(turn.pk)
        return await Turn.objects.select_related("session", "owner").aget(pk=turn.pk)

    yield turn_of
    for backend in sdk_backends():
        await backend.aclose()
