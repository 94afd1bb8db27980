"""Round tables in the real server: each is begun by its own call and read to its end, by its stream and by a socket."""

import json
import os
import sqlite3
import threading
import urllib.request
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise
from time import perf_counter, process_time
from typing import Any, Final

from websockets.sync.client import connect

from bench.contenders.table_rounds import LATENCY_S, QUESTION, ROUNDS, VOICES
from bench.live_server.panel_load import LOOK_S
from bench.live_server.server import Place, Served
from bench.machine_load import used_cpu_s

PATIENCE_S: Final = 60.0
EVENTS: Final = "SELECT body FROM conversations_event WHERE turn_id = ? ORDER BY seq"
LATEST: Final = (
    "SELECT t.id, s.key FROM conversations_turn t JOIN conversations_session s ON s.id = t.session_id "
    "JOIN accounts_person p ON p.id = t.owner_id WHERE p.username = ? ORDER BY t.created_at DESC LIMIT 1"
)
SLOWEST_MS: Final = max(LATENCY_S[voice] for voice in VOICES) * 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundTime:
    """One round as it is on record, in milliseconds."""

    ms: float
    """From the end of what came before it to its own end."""
    agents_ms: float
    """What its slowest agent took: prompt, search, model."""

    @property
    def coordination_ms(self) -> float:
        return self.ms - self.agents_ms

    @property
    def beyond_models_ms(self) -> float:
        """What it took besides the slowest model's latency: searching and asking included."""
        return self.ms - SLOWEST_MS


@dataclass(slots=True, kw_only=True)
class TableLoad:
    """What came of the tables."""

    due: int
    rounds: list[RoundTime] = field(default_factory=list)
    lost: int = 0
    """Events that a client has not seen, and tables that did not end well."""
    misplaced: int = 0
    """Events that came out of order, or twice."""
    cpu_ms: float = 0.0
    """The server's CPU time of one table."""
    growth_mb: float = 0.0
    """The most memory that the server held, less what it held before."""
    others_percent: float = 0.0
    """The share of the machine's CPU time that was used by neither the server nor this process."""


def run_table_load(served: Served, place: Place, *, at_once: int, waves: int) -> TableLoad:
    """Let so many people hold a table each at the same time, several times over; return what came of it."""
    load = TableLoad(due=at_once * waves)
    with _measured(served, load), ThreadPoolExecutor(at_once) as pool:
        for _ in range(waves):
            for found in pool.map(lambda number: _held(served, place, number), range(at_once)):
                count_table(load, *found)
    return load


def _held(served: Served, place: Place, number: int) -> tuple[list[Any], list[int], list[Mapping[str, Any]]]:
    """Hold a table; return its stream, the numbers of the events on a socket, and the events on record."""
    stream: list[Any] = []
    numbers: list[int] = []
    turn = follower = None
    for event in _streamed(served, place.tokens[number]):
        stream.append(event)
        if turn is None:
            turn, session = _rows(place, LATEST, f"person{number}")[0]
            follower = threading.Thread(target=_follow, args=(served, place.tokens[number], session, turn, numbers))
            follower.start()
    if follower is not None:
        follower.join(PATIENCE_S)
    return stream, numbers, [json.loads(body) for (body,) in _rows(place, EVENTS, turn)]


def _streamed(served: Served, token: str) -> Iterator[Mapping[str, Any]]:
    body = {"agents": VOICES, "rounds": ROUNDS, "messages": [{"role": "user", "content": QUESTION}]}
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"http://{served.address}/api/chat/multi", json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
        for line in response:
            if line.strip():
                yield json.loads(line.removeprefix(b"data: "))


def _follow(served: Served, token: str, session: str, turn: str, numbers: list[int]) -> None:
    """Note the numbers of the turn's events as they come over a socket, from the first to the last."""
    asked = {"type": "resume", "after": 0, "turn_id": str(uuid.UUID(turn))}
    headers = {"Authorization": f"Bearer {token}"}
    with connect(f"ws://{served.address}/v2/ws/{session}", additional_headers=headers) as socket:
        socket.send(json.dumps(asked))
        while True:
            event = json.loads(socket.recv(timeout=PATIENCE_S))
            if event.get("turn_id") == asked["turn_id"]:
                numbers.append(event["seq"])
                if event["type"] == "turn_finished":
                    return


def _rows(place: Place, query: str, value: str | None) -> Sequence[tuple[Any, ...]]:
    with closing(sqlite3.connect(f"file:{place.folder}/learnagent.sqlite3?mode=ro", uri=True, timeout=30)) as database:
        return database.execute(query, (value,)).fetchall()


def count_table(
    load: TableLoad, stream: Sequence[Mapping[str, Any]], numbers: Sequence[int], stored: Sequence[Mapping[str, Any]]
) -> None:
    """Count what a table's stream and socket lack of its events on record, or have in another order."""
    seqs = [event["seq"] for event in stored]
    load.lost += len(set(seqs) - set(numbers)) + (seqs != list(range(1, len(seqs) + 1)))
    load.misplaced += sum(one >= two for one, two in pairwise(numbers))
    due = expected(stored)
    shown = [_named(event["type"], event["data"]) for event in stream]
    load.lost += sum((each not in shown) for each in due)
    load.misplaced += shown != due
    if not stored or stored[-1]["type"] != "turn_finished" or stored[-1]["status"] != "done":
        load.lost += 1
    load.rounds += round_times(stored)


def expected(stored: Sequence[Mapping[str, Any]]) -> list[tuple[Any, ...]]:
    """Return what the stream must have shown of the events on record, in order."""
    due: list[tuple[Any, ...]] = []
    number = 0
    for event in stored:
        match event["type"]:
            case "round_started":
                number = event["round"]
                due.append(("round_start", number))
            case "tool_called":
                due.append(("agent_tool_call", number, event["agent"]))
            case "agent_finished" if event["agent"] == "initiator":
                due.append(("initiator_start",))
            case "agent_finished" if event["agent"] in VOICES:
                due.append(("agent_response", number, event["agent"]))
            case "round_finished":
                due.append(("round_end", event["round"]))
            case "reply_text":
                due.append(("summarizer_response", event["text"]))
            case "turn_finished":
                due.append(("summarizer_response", event["reply"]))
    return due


def _named(kind: str, data: Mapping[str, Any]) -> tuple[Any, ...]:
    match kind:
        case "initiator_start":
            return (kind,)
        case "round_start" | "round_end":
            return kind, data["round"]
        case "agent_tool_call" | "agent_response":
            return kind, data["round"], data["agent"].replace("-", "_")
    return kind, data.get("content")


def round_times(stored: Sequence[Mapping[str, Any]]) -> Iterator[RoundTime]:
    """Yield how long each round took, by the times of its events."""
    before = datetime.min
    took: list[float] = []
    for event in stored:
        at = datetime.fromisoformat(event["at"])
        match event["type"]:
            case "agent_finished" if event["agent"] in VOICES:
                took.append(event["ms"])
            case "agent_finished" if event["agent"] == "initiator":
                before = at
            case "round_finished":
                yield RoundTime(ms=(at - before) / timedelta(milliseconds=1), agents_ms=max(took))
                before, took = at, []


@contextmanager
def _measured(served: Served, load: TableLoad) -> Iterator[None]:
    """Measure the server's CPU and memory, and what others used of the machine."""

    def others_cpu_s() -> float:
        return used_cpu_s() - served.cpu_s() - process_time()

    over, before = threading.Event(), served.memory_mb()

    def watch() -> None:
        while not over.wait(LOOK_S):
            load.growth_mb = max(load.growth_mb, served.memory_mb() - before)

    watching = threading.Thread(target=watch)
    watching.start()
    started, own, others = perf_counter(), served.cpu_s(), others_cpu_s()
    try:
        yield
    finally:
        over.set()
        watching.join()
    took = (perf_counter() - started) * (os.cpu_count() or 1)
    load.cpu_ms = (served.cpu_s() - own) / load.due * 1000
    load.others_percent = max(0.0, others_cpu_s() - others) / took * 100
