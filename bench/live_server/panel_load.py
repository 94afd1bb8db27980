"""An open loop of questions to the panel, of all kinds in turn."""

import asyncio
import json
import os
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from time import perf_counter, process_time

from bench.live_server.load_generator import PATIENCE_S, SocketClient, open_socket
from bench.live_server.panel_place import PanelPlace
from bench.live_server.server import Served
from bench.machine_load import used_cpu_s

QUESTIONS = {
    "simple_query": "I am learning about neural networks.",
    "complex_query": "How do transformers work in NLP?",
    "visual_query": "What does this diagram show?",
    "insight_request": "What patterns do you see in my learning about how memory works?",
}
"""The kind of a question → its text."""
LOOK_S = 0.02
"""Between two looks at the server's memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredTurn:
    kind: str
    id: str
    """In hex."""
    ms: float
    """From when it was due to its last event."""
    agents_ms: Mapping[str, float]
    """How long each agent took."""


@dataclass(slots=True, kw_only=True)
class PanelLoad:
    """What came of the turns."""

    due: int
    answered: list[AnsweredTurn] = field(default_factory=list)
    """Those that ended as `done` within `PATIENCE_S` of their time; all others are errors."""
    last_s: float = 0.0
    """From when the last one was due until all had ended."""
    cpu_ms: float = 0.0
    """The server's CPU time of one turn."""
    others_percent: float = 0.0
    """The share of the machine's CPU time that was used by neither the server nor this process."""
    growth_mb: float = 0.0
    """The most memory that the server held, less what it held before."""

    @property
    def errors(self) -> int:
        return self.due - len(self.answered)


def run_panel_load(served: Served, panel: PanelPlace, *, due: Sequence[float]) -> PanelLoad:
    """Let all people ask in turn, each question at its time in seconds; return what came of it."""
    return asyncio.run(_run_load(served, panel, due))


async def _run_load(served: Served, panel: PanelPlace, due: Sequence[float]) -> PanelLoad:
    wires = [await open_socket(served, token) for token in panel.place.tokens]
    load = PanelLoad(due=len(due))
    watching = asyncio.create_task(_watch_memory(served, load))
    with _cpu_measured(served, load):
        await _ask_all(wires, panel.pictures, due, load)
    watching.cancel()
    for wire in wires:
        wire.transport.abort()
    return load


async def _ask_all(
    wires: Sequence[SocketClient], pictures: Sequence[str], due: Sequence[float], load: PanelLoad
) -> None:
    free = [asyncio.Lock() for _ in wires]
    start = perf_counter()

    async def ask(number: int, at: float) -> None:
        kind, place = list(QUESTIONS)[number % len(QUESTIONS)], number % len(wires)
        await asyncio.sleep(start + at - perf_counter())
        # A person says nothing while they are answered; the wait counts against us all the same.
        async with free[place]:
            # Whatever ended badly or never is missing among the answered.
            with suppress(RuntimeError, TimeoutError):
                _, ended = await wires[place].turn(_message(kind, pictures[place]))
                if ended - start - at <= PATIENCE_S:
                    load.answered.append(_answered(kind, wires[place], ms=(ended - start - at) * 1000))

    async with asyncio.TaskGroup() as group:
        for number, at in enumerate(due):
            group.create_task(ask(number, at))
    load.last_s = perf_counter() - start - max(due)


@contextmanager
def _cpu_measured(served: Served, load: PanelLoad) -> Iterator[None]:
    started, own, others = perf_counter(), served.cpu_s(), _others_cpu_s(served)
    yield
    took = (perf_counter() - started) * (os.cpu_count() or 1)
    load.cpu_ms = (served.cpu_s() - own) / load.due * 1000
    load.others_percent = max(0.0, _others_cpu_s(served) - others) / took * 100


def _others_cpu_s(served: Served) -> float:
    return used_cpu_s() - served.cpu_s() - process_time()


async def _watch_memory(served: Served, load: PanelLoad) -> None:
    before = served.memory_mb()
    while True:
        await asyncio.sleep(LOOK_S)
        load.growth_mb = max(load.growth_mb, served.memory_mb() - before)


def _message(kind: str, picture: str) -> Mapping[str, object]:
    message: dict[str, object] = {"text": QUESTIONS[kind]}
    return message | {"attachments": [picture]} if kind == "visual_query" else message


def _answered(kind: str, wire: SocketClient, *, ms: float) -> AnsweredTurn:
    event = json.loads(wire.last)
    return AnsweredTurn(
        kind=kind, id=uuid.UUID(event["turn_id"]).hex, ms=ms, agents_ms=event["metadata"]["agent_times_ms"]
    )
