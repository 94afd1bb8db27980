"""A host, a script and a supervisor of the test's own."""

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest

from agents import registry
from conversations import api, consumers, hosts, reaper, stream
from conversations.supervisor import Supervisor
from tests.conversations.stage import SPEAKER, ScriptedHost


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
        backend = {"BACKEND": "agents.llm.scripted.ScriptedBackend", "OPTIONS": {"scripts": {"speaker": cues}}}
        settings.LLMS = dict.fromkeys(("strong", "fast", "vision"), backend)

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
