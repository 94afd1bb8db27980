"""A host, a script and a supervisor of the test's own."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from agents import registry
from conversations import api, consumers, hosts, reaper, stream
from conversations.supervisor import Supervisor
from tests.conversations.stage import SPEAKER, ScriptedHost
from tests.conversations.wire import Socket


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedHost]:
    before = list(hosts._hosts)
    scripted = ScriptedHost()
    hosts.register_host(scripted)
    monkeypatch.setitem(registry.roles, "speaker", SPEAKER)
    yield scripted
    hosts._hosts[:] = before


@pytest.fixture
def says(host: ScriptedHost, settings: Any) -> Callable[..., None]:
    """Return a function that gives the speaker its script."""

    def give(*cues: Any) -> None:
        speaker = {"BACKEND": "agents.scripted.ScriptedSpeaker", "OPTIONS": {"scripts": {"speaker": cues}}}
        settings.LLMS = dict.fromkeys(("strong", "fast", "vision"), speaker)

    give("One ", "half.")
    return give


@pytest.fixture
async def supervisor(
    transactional_db: None, says: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Supervisor]:
    """A supervisor as a process has it, for the sockets and calls of this test too."""
    own = Supervisor()
    for module in (api, consumers, reaper, stream):
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
