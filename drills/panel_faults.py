"""Drill: the panel answers open-ended questions while each of its agents, or all of them, are struck by their models.

Each agent is killed, slowed and corrupted, and each fault V1 to V17 strikes all requests of a turn, or its first one.
"""

import json
import shutil
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Final

from drills import storage_checks
from drills.client import SILENCE_S
from drills.data_folder import PreparedFolder
from drills.model_connection import FLAVOURS, connected, ledger_faults, secrets_shown
from drills.panel.folder import FILL
from drills.panel.models import (
    GONE,
    KINDS,
    TOPICS,
    PanelModels,
    Strike,
    agent_strikes,
    fault_strikes,
    question,
)
from drills.panel.turn_checks import PanelTurn, turn_faults
from drills.result import DrillResult
from drills.server import Server
from drills.server import run as run_command
from tests.provider import Provider

PATIENCE: Final = 2
"""How many times its usual time each agent has."""
WELL_WITHIN: Final = 5
"""Turns until all models answer again."""


@dataclass(slots=True, kw_only=True)
class StrikeTally:
    """What came of a strike in all its turns."""

    seconds: float = 0.0
    turns: int = 0
    requests: int = 0
    named: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)


class Asker:
    """One person, who asks about one topic, each time in a new conversation."""

    def __init__(self, server: Server, models: PanelModels, *, token: str, topic: str, picture: str) -> None:
        self.server, self.models = server, models
        self.token, self.topic, self.picture = token, topic, picture
        self.well: dict[str, PanelTurn] = {}
        """By kind, the turn in which all models answered."""

    def begin(self) -> None:
        """Ask each question with all models well. Raise RuntimeError where not all of the panel's results come."""
        for kind in KINDS:
            self.well[kind] = turn = self.recover(kind)
            if turn.problem or turn.answer["classification"] != kind or turn.answer["errors"]:
                raise RuntimeError(f"before any fault, {kind} about {self.topic}: {turn.problem or turn.answer}")

    def recover(self, kind: str) -> PanelTurn:
        """Ask until no model is left alone any more because of what happened before; return the last turn."""
        for _ in range(WELL_WITHIN):
            turn = self.ask(kind, None)
            if not turn.problem and not turn.answer["errors"]:
                break
        return turn

    def ask(self, kind: str, strike: Strike | None) -> PanelTurn:
        text = question(self.topic, kind)
        record = self.models.begin(text, strike)
        body = {"text": text} | ({"attachments": [self.picture]} if kind == "visual_query" else {})
        try:
            answer = self._json("/v2/conversation", body)
            events = self._json(f"/v2/turns/{answer['turn_id']}/events?after=0")["events"]
        except urllib.error.HTTPError as error:
            return PanelTurn(kind=kind, strike=strike, record=record, answer={}, problem=f"status {error.code}")
        except (OSError, KeyError) as error:
            return PanelTurn(kind=kind, strike=strike, record=record, answer={}, problem=type(error).__name__)
        return PanelTurn(kind=kind, strike=strike, record=record, answer=answer, events=events)

    def _json(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://127.0.0.1:{self.server.port}{path}", data, headers)
        with urllib.request.urlopen(request, timeout=SILENCE_S) as response:
            return json.load(response)

    def play(self, kind: str, strike: Strike) -> PanelTurn | None:
        """Ask with the models struck; None if the agent to be struck asks no model for this kind of question."""
        if strike.agent and strike.agent not in self.well[kind].asked and strike is not GONE:
            return None
        turn = self.ask(kind, strike)
        if strike.alone:
            self.recover(kind)
        return turn


class PanelDrill:
    """The runs of one wire format."""

    def __init__(
        self,
        base: PreparedFolder,
        filled: Path,
        pictures: Sequence[str],
        *,
        speaks: str,
        tallies: dict[str, StrikeTally],
    ) -> None:
        """`filled` is the folder with the index and each person's picture."""
        self.base, self.pictures, self.speaks, self.tallies = base, pictures, speaks, tallies
        self.data = filled.with_name(f"panel-{speaks}")
        shutil.copytree(filled, self.data)
        self.facts: list[Mapping[str, Any]] = []
        self.texts: dict[str, str] = {}
        """By session, what was asked in it."""
        self._lock = threading.Lock()

    def run(self) -> DrillResult:
        """Play all strikes; return what is true of the whole."""
        began = monotonic()
        models = PanelModels()
        variables = {"WIKIPEDIA_URL": "off", "ARXIV_URL": "off", "DRILL_PATIENCE": str(PATIENCE)}
        with ExitStack() as stack:
            provider = stack.enter_context(Provider())
            provider.otherwise(models)
            variables |= connected(self.speaks, provider.url)
            server = stack.enter_context(Server(self.data, pace_s=0, variables=variables))
            server.wait_until_ready()
            askers = [
                Asker(server, models, token=token, topic=topic, picture=picture)
                for token, topic, picture in zip(self.base.tokens, TOPICS, self.pictures, strict=True)
            ]
            pool = stack.enter_context(ThreadPoolExecutor(len(askers)))
            list(pool.map(Asker.begin, askers))
            together, alone = jobs()
            list(pool.map(lambda each: self._work(each, together), askers))
            self._work(askers[0], alone)
            provider.outage()
            self._work(askers[0], deque((GONE, kind) for kind in KINDS))
            server.end()
        return DrillResult(
            name=f"panel, {self.speaks}: the record",
            faults=tuple(self._record_faults()),
            seconds=monotonic() - began,
            measured="all in",
            note=f"{len(self.texts)} turns, {provider.attempts} requests, {len(self.facts)} facts",
        )

    def _work(self, asker: Asker, waiting: "deque[tuple[Strike, str]]") -> None:
        while True:
            try:
                strike, kind = waiting.popleft()
            except IndexError:
                return
            began = monotonic()
            turn = asker.play(kind, strike)
            if turn is not None:
                self._count(asker, turn, seconds=monotonic() - began)

    def _count(self, asker: Asker, turn: PanelTurn, *, seconds: float) -> None:
        assert turn.strike is not None
        found = [f"{self.speaks} {turn.kind}: {fault}" for fault in turn_faults(turn, asker.well[turn.kind], self.data)]
        with self._lock:
            tally = self.tallies[turn.strike.name]
            tally.turns += 1
            tally.seconds = max(tally.seconds, seconds)
            tally.requests += len(turn.record.requests)
            tally.faults += found
            if turn.answer:
                tally.named.update(f"{agent} {error_type}" for agent, error_type in turn.named.items())
                self.facts += turn.answer["facts"]
                self.texts[turn.answer["session_id"]] = question(asker.topic, turn.kind)

    def _record_faults(self) -> Iterator[str]:
        """Yield what is wrong with all that was stored, once every turn is over."""
        yield from ledger_faults(self.data)
        yield from secrets_shown(self.data)
        session, text = next(reversed(self.texts.items()))
        yield from storage_checks.faults(self.data, said=[text], session=session, attempts=0)
        passages = dict(storage_checks.rows(self.data, "SELECT id, text FROM conversations_passage"))
        for fact in self.facts:
            passage = passages[int(fact["source_id"].removeprefix("passage-"))]
            if " ".join(fact["statement"].split()) not in " ".join(passage.split()):
                yield f"{fact['source_id']} does not say {fact['statement']!r}"


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    tallies: dict[str, StrikeTally] = defaultdict(StrikeTally)
    filled = base.copy("panel")
    printed = run_command([sys.executable, "manage.py", "shell", "-v0", "-c", FILL], filled)
    pictures = printed.split()[-len(base.tokens) :]
    drills = [PanelDrill(base, filled, pictures, speaks=speaks, tallies=tallies) for speaks in FLAVOURS]
    with ThreadPoolExecutor(len(drills)) as pool:
        wholes = list(pool.map(PanelDrill.run, drills))
    for strike in (*agent_strikes(), *fault_strikes(), GONE):
        tally = tallies[strike.name]
        faults = tally.faults or ([] if tally.turns else ["it struck no turn"])
        named = ", ".join(f"{times}x {name}" for name, times in sorted(tally.named.items())) or "nobody"
        note = f"{tally.turns} turns, {tally.requests} requests; named: {named}"
        yield DrillResult(
            name=f"panel, {strike.name}", faults=tuple(faults), seconds=tally.seconds, measured="at most", note=note
        )
    yield from wholes


def jobs() -> tuple["deque[tuple[Strike, str]]", "deque[tuple[Strike, str]]"]:
    """Return what is played by several people at once, what takes long first, and what is played by one alone."""
    every = [(strike, kind) for strike in (*agent_strikes(), *fault_strikes()) for kind in KINDS]
    together = [each for each in every if not each[0].alone]
    together.sort(key=lambda each: "timeout" not in each[0].error_types)
    return deque(together), deque(each for each in every if each[0].alone)
