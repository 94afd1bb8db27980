"""Drill: the panel answers open-ended questions while each of its agents, or all of them, are struck by their models.

Each agent is killed, slowed and corrupted, and each fault V1 to V17 strikes all requests of a turn, or its first one.
"""

import json
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from typing import Any, Final
from uuid import UUID

from drills import storage_checks
from drills.client import SILENCE_S
from drills.data_folder import PreparedFolder
from drills.model_connection import FLAVOURS, KEY, connected, ledger_faults, secrets_shown
from drills.panel_folder import FILL
from drills.panel_models import (
    BARRING,
    DRAFT,
    KINDS,
    MARK,
    OPENING,
    PROMPTS,
    READER,
    SEEN,
    TALKERS,
    THEME,
    TOPICS,
    PanelModels,
    QuestionRecord,
    Strike,
    agent_strikes,
    fault_strikes,
    question,
)
from drills.result import DrillResult
from drills.server import ROOT, Server
from drills.server import run as run_command
from tests.provider import Provider

PATIENCE: Final = 2
"""How many times its usual time each agent has."""
ATTEMPTS: Final = 3
"""Of an agent at one model: the first request and two more, or another shape of it, or a repaired result."""
LONGEST: Final = 20_000
"""Characters of an answer, whatever a model says."""
WELL_WITHIN: Final = 5
"""Turns until all models answer again."""
SECRETS: Final = (KEY, "sk-live", str(ROOT), "Traceback", "Incorrect API key", "overloaded or not ready", "sign in to use", "httpx")
"""Nothing of it may be shown: the provider's words, and what only the server knows."""
RESULTS: Final = ("concepts", "entities", "facts", "insights", "relationships")
"""Fields of an answer that hold only what stands in the message or in a source."""
ASKING: Final = (READER, *PROMPTS)
GONE: Final = Strike(
    name="V17:gone", answer=lambda _agent, well: well, error_types=frozenset({"api_error"}), agent="nobody"
)
"""The provider cannot be reached: it strikes nothing, and hears of nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelTurn:
    """One turn, as its client and the stand-in saw it."""

    kind: str
    strike: Strike | None
    record: QuestionRecord
    answer: Mapping[str, Any]
    events: Sequence[Mapping[str, Any]] = ()
    problem: str = ""
    """Why there is no answer; empty if there is one."""

    @property
    def asked(self) -> set[str]:
        return {each.agent for each in self.record.requests} - {READER}

    @property
    def struck(self) -> set[str]:
        """The agents whose last request failed: whose first one did may have been answered at the next."""
        last = {each.agent: each.struck for each in self.record.requests}
        return {agent for agent, struck in last.items() if struck} - {READER}

    @property
    def named(self) -> dict[str, str]:
        """The agents that the answer names → their error types."""
        return {each["agent"]: each["error_type"] for each in self.answer["errors"]}

    @property
    def draft(self) -> str:
        return "".join(each["text"] for each in self.events if each["type"] == "agent_text")


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
            self.recover(kind)
            self.well[kind] = turn = self.ask(kind, None)
            if turn.problem or turn.answer["classification"] != kind or turn.answer["errors"] or turn.answer["status"] != "done":
                raise RuntimeError(f"before any fault, {kind} about {self.topic}: {turn.problem or turn.answer}")

    def recover(self, kind: str) -> None:
        """Ask until no model is left alone any more, because of what happened before."""
        for _ in range(WELL_WITHIN):
            turn = self.ask(kind, None)
            if not turn.problem and not turn.answer["errors"]:
                return

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

    def __init__(self, base: PreparedFolder, *, speaks: str, tallies: dict[str, StrikeTally]) -> None:
        self.base, self.speaks, self.tallies = base, speaks, tallies
        self.data = base.copy(f"panel-{speaks}")
        self.facts: list[Mapping[str, Any]] = []
        self.texts: dict[str, str] = {}
        """By session, what was asked in it."""
        self._lock = threading.Lock()

    def run(self) -> DrillResult:
        """Play all strikes; return what is true of the whole."""
        began = monotonic()
        fill = [sys.executable, "manage.py", "shell", "-v0", "-c", FILL]
        pictures = run_command(fill, self.data).split()[-len(self.base.tokens) :]
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
                for token, topic, picture in zip(self.base.tokens, TOPICS, pictures, strict=True)
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
    with ThreadPoolExecutor(len(FLAVOURS)) as pool:
        wholes = list(pool.map(lambda speaks: PanelDrill(base, speaks=speaks, tallies=tallies).run(), FLAVOURS))
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


# --- What must be true of a turn ---


def turn_faults(turn: PanelTurn, well: PanelTurn, data: Path) -> Iterator[str]:
    """Yield where a turn is not as it should be; `well` is the same question with all models well."""
    if turn.problem:
        yield turn.problem
        return
    if turn.answer["status"] not in ("done", "degraded") or not turn.answer["response"].strip():
        yield f"the turn is {turn.answer['status']} and says {turn.answer['response']!r}"
    types = [each["type"] for each in turn.events]
    if types.count("turn_finished") != 1 or types[-1] != "turn_finished":
        yield f"{types.count('turn_finished')} turn_finished"
    if [each["seq"] for each in turn.events] != list(range(1, len(types) + 1)):
        yield "the events are not counted without gaps"
    yield from _naming_faults(turn, well)
    yield from _result_faults(turn, well)
    yield from _hidden_faults(turn)
    yield from _count_faults(turn, data)


def _naming_faults(turn: PanelTurn, well: PanelTurn) -> Iterator[str]:
    """Yield where the errors do not name exactly those who were struck, each with its kind of error."""
    assert turn.strike is not None
    struck = set(well.asked) if turn.strike is GONE else turn.struck
    unsure = set(turn.strike.unsure)
    if turn.strike.name.partition(" ")[0] in BARRING:
        # Whose model another request had barred asks nothing, and fails all the same.
        unsure |= well.asked - turn.asked
    # Without anything found, there is nothing to put into words.
    unsure |= {"synthesis"} - turn.asked if turn.strike is GONE else set()
    for agent in sorted(set(turn.named) - struck - unsure):
        yield f"{agent} is named ({turn.named[agent]}), and was not struck"
    for agent in sorted(struck - set(turn.named) - unsure):
        yield f"{agent} was struck, and is not named"
    for agent, error_type in turn.named.items():
        if error_type not in turn.strike.error_types:
            yield f"{agent} is said to have failed by {error_type}"


def _result_faults(turn: PanelTurn, well: PanelTurn) -> Iterator[str]:
    """Yield where the results of those who were not struck, or what stands in for a struck one's, are missing."""
    answer, intact = turn.answer, well.answer
    hurt = turn.struck | set(turn.named)
    if answer["classification"] != turn.kind:
        yield f"classified as {answer['classification']}"
    if bool(answer["facts"]) != bool(intact["facts"]) or ("research" not in hurt and answer["facts"] != intact["facts"]):
        yield f"facts: {answer['facts']}"
    if answer["concepts"][: len(intact["concepts"])] != intact["concepts"]:
        yield f"concepts: {answer['concepts']}"
    if "analysis" not in hurt and not any(THEME in each for each in answer["themes"]):
        yield f"themes: {answer['themes']}"
    if "conversation" not in hurt and DRAFT not in turn.draft:
        yield f"drafted: {turn.draft[:100]!r}"
    if "synthesis" not in hurt and OPENING in intact["response"] and OPENING not in answer["response"]:
        yield f"the synthesis is not in the answer: {answer['response'][:200]!r}"
    seen = answer["vision"] or {}
    if turn.kind == "visual_query" and not seen.get("extracted_text"):
        yield f"vision: {seen}"
    if turn.kind == "visual_query" and "vision" not in hurt and turn.strike and turn.strike.agent != "vision":
        if seen.get("description") != SEEN:
            yield f"the picture is described as {seen.get('description')!r}"


def _hidden_faults(turn: PanelTurn) -> Iterator[str]:
    """Yield what is shown of a provider's words or the server's inside, and what a model made up."""
    shown = json.dumps([turn.answer, turn.events], ensure_ascii=False)
    for secret in SECRETS:
        if secret in shown:
            at = shown.index(secret)
            yield f"shown: {shown[max(0, at - 60) : at + 60]!r}"
    if any(MARK in json.dumps(turn.answer[name], ensure_ascii=False) for name in RESULTS):
        yield f"what a model made up is in a result: {[turn.answer[name] for name in RESULTS]}"
    assert turn.strike is not None
    if "invents" in turn.strike.name and MARK in turn.answer["response"]:
        yield f"what a model made up is in the answer: {turn.answer['response'][:300]!r}"
    if turn.record.orders:
        yield f"another's order reached {sorted(set(turn.record.orders))}"
    if len(turn.answer["response"]) > LONGEST:
        yield f"the answer has {len(turn.answer['response'])} characters"


def _count_faults(turn: PanelTurn, data: Path) -> Iterator[str]:
    """Yield where an agent asked too often, or where the requests are not the calls on record."""
    asked = Counter((each.agent, each.model) for each in turn.record.requests)
    for (agent, model), times in asked.items():
        if times > ATTEMPTS:
            yield f"{agent} asked {model} {times} times"
    query = f"SELECT status FROM agents_modelcall WHERE turn_id = ? AND agent IN ({', '.join('?' * len(ASKING))})"
    calls = storage_checks.rows(data, query, UUID(turn.answer["turn_id"]).hex, *ASKING)
    if turn.strike is not GONE and len(calls) != len(turn.record.requests):
        yield f"{len(turn.record.requests)} requests, {len(calls)} calls on record"
    if ("open",) in calls:
        yield "a call is open"
