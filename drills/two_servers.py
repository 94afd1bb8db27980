"""Turns that one server serves and another watches, over PostgreSQL and Redis: how soon their events are there, and whether
they are complete with the channel layer, without it, and when it comes back."""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median, quantiles
from threading import Event, Thread
from time import monotonic
from typing import Any, Self

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import LEARNERS, SPOKEN, PreparedFolder
from drills.result import DrillResult
from drills.server import Server
from drills.server import run as run_command
from tests import postgres, redis

GOAL_MS = 50.0
"""Printed beside what was measured: a busy machine is no fault."""
NEVER_S = 3_600.0
PACE_S = 0.06
"""Between two pieces of a reply: just longer than pieces are gathered into one event."""
LATER = ("Why is the sky blue?", "What is a half?", "Thank you")
SLACK_SEQ = 4
"""Events of a turn that may come with its end or after it, which rows hold."""
PING_EVERY_S = 0.1


@dataclass(slots=True, kw_only=True)
class TimedTranscript(ClientTranscript):
    """A turn, and when each of its events came."""

    came: dict[int, float] = field(default_factory=dict)

    def take(self, event: dict[str, Any]) -> None:
        self.came.setdefault(event["seq"], monotonic())
        ClientTranscript.take(self, event)


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedTurn:
    """A turn as it came to whoever began it and to whoever watched it on the other server."""

    here: TimedTranscript
    there: TimedTranscript

    @property
    def late_ms(self) -> list[float]:
        return [(at - self.here.came[seq]) * 1000 for seq, at in self.there.came.items() if seq in self.here.came]

    @property
    def in_time(self) -> int:
        """How many events of the reply were there before its end was here: with rows written at the end, none of them by a row."""
        end = self.here.came[self.here.seq]
        return sum(at < end for seq, at in self.there.came.items() if 1 < seq < self.there.seq)

    def faults(self) -> Iterator[str]:
        for place, reading in (("here", self.here), ("there", self.there)):
            yield from (f"{place}: {fault}" for fault in reading.faults)
            if reading.finished is None:
                yield f"the turn has no end {place}"
        if (self.here.seq, self.here.reply) != (self.there.seq, self.there.reply):
            yield f"{self.here.seq} events here, {self.there.seq} there"


class Pings:
    """Pings a server as long as the `with` block lasts: how long the machine itself makes anybody wait for an answer."""

    def __init__(self, server: Server, token: str) -> None:
        self.took_ms: list[float] = []
        self._over = Event()
        self._thread = Thread(target=self._ping, args=(server.port, token))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._over.set()
        self._thread.join()

    def _ping(self, port: int, token: str) -> None:
        with Client(port, token, session="pings") as client:
            while not self._over.wait(PING_EVERY_S):
                started = monotonic()
                client.wait_until_listening()
                self.took_ms.append((monotonic() - started) * 1000)


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    data = base.folder.parent / "foreign"
    data.mkdir(mode=0o700)
    with postgres.running() as database, ExitStack() as stack:
        database.create_database()
        (data / storage_checks.ADDRESS).write_text(database.url)
        tokens = json.loads(run_command([sys.executable, "-m", "drills.learners", *LEARNERS], data))["tokens"]
        layer = redis.Server(data)
        layer.start()
        stack.callback(lambda: layer.kill())
        yield watched(data, layer, tokens, name="events by the layer, rows at the end", flush_s=NEVER_S)
        yield watched(data, layer, tokens, name="events by the layer, rows as ever")
        yield without_layer(data, layer, tokens)


def watched(
    data: Path, layer: redis.Server, tokens: Sequence[str], *, name: str, flush_s: float | None = None
) -> DrillResult:
    """Watch several learners' turns at once; with `flush_s` rows tell nothing before a turn's end."""
    started = monotonic()
    with ExitStack() as stack:
        servers = _servers(stack, data, layer, flush_s=flush_s)
        with Pings(servers[1], tokens[0]) as pings, ThreadPoolExecutor(len(tokens)) as pool:
            lessons = pool.map(lambda token: _lesson(servers, token, session=name), tokens)
            turns = [turn for lesson in lessons for turn in lesson]
        for server in servers:
            server.end()
    late = [ms for turn in turns for ms in turn.late_ms]
    whole = sum(max(0, turn.there.seq - 2) for turn in turns)
    in_time = sum(turn.in_time for turn in turns)
    faults = [fault for turn in turns for fault in turn.faults()]
    if flush_s is not None and in_time < whole - SLACK_SEQ * len(turns):
        faults.append(f"only {in_time} of {whole} events came by the layer")
    note = f"{len(late)} events there after here: p50 {median(late):.1f} ms, p95 {_p95(late):.1f} ms (goal {GOAL_MS:.0f}); "
    note += f"{in_time} of {whole} before the turn's end; a ping there meanwhile: p95 {_p95(pings.took_ms):.1f} ms"
    return DrillResult(name=name, faults=tuple(faults), seconds=monotonic() - started, measured="took", note=note)


def without_layer(data: Path, layer: redis.Server, tokens: Sequence[str]) -> DrillResult:
    """Kill Redis while a turn streams, begin another one without it, and a third one when it is back."""
    started = monotonic()
    with ExitStack() as stack:
        servers = _servers(stack, data, layer)
        here, there = (
            stack.enter_context(Client(server.port, tokens[0], session="without-layer")) for server in servers
        )
        there.wait_until_listening()
        turns = [_turn(here, there, SPOKEN, client_id="killed", then=layer.kill)]
        turns.append(_turn(here, there, LATER[0], client_id="away", asks=True))
        layer.start()
        turns.append(_turn(here, there, LATER[1], client_id="back", asks=True))
        for server in servers:
            server.end()
    faults = [fault for turn in turns for fault in turn.faults()]
    note = "; ".join(f"{turn.there.seq} events, {max(turn.late_ms):.0f} ms late at most" for turn in turns)
    return DrillResult(
        name="Redis killed, away, back", faults=tuple(faults), seconds=monotonic() - started, measured="took", note=note
    )


def _p95(values: Sequence[float]) -> float:
    return quantiles(values, n=20)[-1]


def _servers(stack: ExitStack, data: Path, layer: redis.Server, *, flush_s: float | None = None) -> list[Server]:
    """Start two servers of one place."""
    variables = {"REDIS_URL": layer.url} | ({} if flush_s is None else {"DRILL_FLUSH_S": str(flush_s)})
    servers = []
    for _ in range(2):
        server = stack.enter_context(Server(data, pace_s=PACE_S, variables=variables))
        server.wait_until_ready()
        servers.append(server)
    for server in servers:
        server.wait_until_idle()
    return servers


def _lesson(servers: Sequence[Server], token: str, *, session: str) -> list[WatchedTurn]:
    """Begin turns on the first server, one after the other, and watch them on the second."""
    with ExitStack() as stack:
        key = session.replace(" ", "-").replace(",", "")
        here, there = (stack.enter_context(Client(server.port, token, session=key)) for server in servers)
        there.wait_until_listening()
        texts = enumerate((SPOKEN, *LATER))
        return [_turn(here, there, text, client_id=f"{key}-{number}") for number, text in texts]


def _turn(
    here: Client,
    there: Client,
    text: str,
    *,
    client_id: str,
    then: Callable[[], None] | None = None,
    asks: bool = False,
) -> WatchedTurn:
    """Begin a turn and watch it; `then` is done when it has begun to speak, with `asks` the watcher asks for it."""
    turn = WatchedTurn(
        here=TimedTranscript(text=text, client_id=client_id),
        there=TimedTranscript(text=text, client_id=client_id, is_asked_for=asks),
    )
    here.say(turn.here)
    here.read(turn.here, until="turn_started")
    with ThreadPoolExecutor(1) as pool:
        if asks:
            turn.there.turn_id = turn.here.turn_id
            there.resume(turn.there)
        watching = pool.submit(there.read, turn.there)
        if then is not None:
            here.read(turn.here, until="reply_text")
            then()
        here.read(turn.here)
        watching.result()
    return turn
