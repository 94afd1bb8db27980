"""Everything that a model's provider does wrong, against a running server: V1 to V17 of the reliability matrix.

A learner in a lesson says something while the provider is at fault: the turn ends honestly and in time, everything is
stored and counted once, and the model is back after the fault.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from threading import Semaphore
from time import monotonic, sleep
from typing import Any

from drills import storage_checks
from drills.client import Client, ClientTranscript
from drills.data_folder import OPENING, PreparedFolder
from drills.model_connection import (
    FLAVOURS,
    QUESTION,
    QUESTIONS,
    SILENT,
    WORDS,
    calls_of,
    connected,
    count_requests,
    figures,
    ledger_faults,
    listens,
    miscounted,
    secrets_shown,
    summarize_calls,
    typed,
)
from drills.result import DrillResult
from drills.server import Server
from tests.provider import Answer, Provider
from tests.provider.answers import sensible_answer
from tests.provider.model_request import ProviderRequest

AGENT_S = 30.0
"""What the tutor's part may take."""
SLACK_S = 5.0
"""For the rest of the turn, on a busy machine."""
BACK_WITHIN_S, BACK_FROM_BARRED_S = 30.0, 75.0
"""Until the model answers again: after what passes, and after what an admin has to mend, which is looked at rarely."""
AGAIN_S = 2.0
LESSONS = 4
"""At once on a server. Each has the model answer before its next fault: the fifth failure opens the circuit."""
STARTING = Semaphore(2)
"""Servers that start at the same time: a model must not seem slow because the machine is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderFaultCase:
    """A fault, and how the calls that it strikes may be on record: by their error, else by their status."""

    fault: str
    question: str
    """What the learner says; no other case of its server has it."""
    endings: frozenset[str]
    status: str = "degraded"
    times: int = 1_000
    """Requests that it strikes."""
    after: int | None = None
    """Pieces of the answer that come before it; None is its usual place."""
    partial: bool = False
    """Whether it strikes when a sentence has been shown, which is kept."""
    barred: bool = False
    """Whether the model is left alone until somebody has mended it."""

    @property
    def name(self) -> str:
        once = " once" if self.times == 1 else ""
        return self.fault + once + (" at first" if self.after == 0 else "")


_QUESTIONS = cycle(QUESTIONS)


def case(fault: str, *endings: str, **more: object) -> ProviderFaultCase:
    question = next(_QUESTIONS)
    return ProviderFaultCase(fault=fault, question=question, endings=frozenset(endings), **more)  # type: ignore[arg-type]


PASSING = (
    # Those that must not be noticed come before anything has used up the retries, or opened a circuit.
    case("V1", "LLMRateLimited", times=1, status="done"),
    case("V2", "LLMRateLimited", times=1, status="done"),
    case("V11", "LLMTimeout", partial=True),
    case("V13", "LLMTimeout"),
    case("V12", "LLMTimeout", after=0),
    case("V12", "LLMTimeout", partial=True),
    case("V1", "LLMRateLimited"),
    case("V2", "LLMRateLimited"),
    case("V4:500", "LLMUnavailable"),
    case("V4:503", "LLMUnavailable"),
    case("V4:529", "LLMUnavailable"),
    case("V5:400", "LLMRejected"),
    case("V6:end", "LLMTruncated", partial=True),
    case("V6:mid", "LLMTruncated", partial=True),
    case("V7:reset", "LLMTruncated", partial=True),
    case("V7:cut", "LLMTruncated", partial=True),
    case("V7:reset", "LLMTruncated", after=0),
    case("V8", "LLMUnavailable", partial=True),
    case("V9", "LLMTruncated", partial=True),
    case("V10", "LLMUnavailable"),
    case("V14:tokens", "cancelled", status="done"),
    case("V14:line", "LLMTruncated", partial=True),
    case("V15:json", "answered"),
    case("V15:unknown", "answered"),
    case("V15:many", "answered"),
    case("V15:loop", "answered"),
    case("V17:503", "LLMUnavailable"),
    case("V17:reset", "LLMUnavailable"),
)
BARRED = (
    case("V3:429", "LLMSpendLimit", barred=True),
    case("V3:400", "LLMSpendLimit", barred=True),
    case("V5:401", "LLMKeyRejected", barred=True),
)

ON_PLAIN = case("V7:reset", "LLMTruncated", partial=True)
"""For a server that knows neither schemas nor tools."""


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    with ThreadPoolExecutor() as pool:
        groups = [
            pool.submit(played, base, speaks=speaks, cases=cases)
            for speaks in FLAVOURS
            for cases in (PASSING, *((each,) for each in BARRED))
        ]
        groups.append(pool.submit(played, base, speaks="openai", cases=(ON_PLAIN,), schema=False, tools=False))
        for group in groups:
            yield from group.result()


def played(
    base: PreparedFolder, *, speaks: str, cases: Sequence[ProviderFaultCase], **abilities: Any
) -> list[DrillResult]:
    """Play the faults on one server, dealt out to several lessons at once; return a line for each and one for all."""
    name = f"{speaks}{' plain' if abilities else ''} {cases[0].name if len(cases) == 1 else 'together'}"
    data = base.copy(f"faults-{name.replace(' ', '-').replace(':', '-')}")
    started = monotonic()
    dealt = [cases[number::LESSONS] for number in range(min(LESSONS, len(cases)))]
    with Provider(**abilities) as provider:
        provider.otherwise(Faulty(cases))
        with ExitStack() as stack:
            with STARTING:
                server = stack.enter_context(Server(data, variables=connected(speaks, provider.url)))
                server.wait_until_ready()
                lessons = [
                    ProviderFaultLesson(base, server, provider, speaks=speaks, number=each)
                    for each in range(len(dealt))
                ]
                for lesson in lessons:
                    lesson.begin()
            pool = stack.enter_context(ThreadPoolExecutor(LESSONS))
            playing = [pool.submit(lesson.take, each) for lesson, each in zip(lessons, dealt, strict=True)]
            results = [result for taken in playing for result in taken.result()]
            lessons[0].go_on_until_settled()
            server.end()
    faults = [fault for lesson in lessons for fault in lesson.stored()]
    faults += [*ledger_faults(data), *secrets_shown(data), *_alert_faults(data, cases)]
    whole = DrillResult(
        name=f"{name}: the record", faults=tuple(faults), seconds=monotonic() - started, measured="all in"
    )
    return [*results, whole]


class Faulty:
    """Answers by what the learner said: with the fault that the message names, else well."""

    def __init__(self, cases: Sequence[ProviderFaultCase]) -> None:
        self.cases = {each.question: each for each in cases}
        self.left = {text: each.times for text, each in self.cases.items()}

    def __call__(self, asked: ProviderRequest) -> Answer:
        # A message may first go to a coordinator, whose failure is told otherwise: each fault is of the reply's own model.
        if listens(asked) or asked.schema is not None:
            return sensible_answer(asked)
        said = typed(asked)
        each = self.cases.get(said)
        if each is None or not self.left[said]:
            return Answer(text=WORDS)
        self.left[said] -= 1
        return Answer(text=WORDS, fault=each.fault, after=each.after)


class ProviderFaultLesson:
    """One learner's lesson, with one fault after the other in it."""

    def __init__(self, base: PreparedFolder, server: Server, provider: Provider, *, speaks: str, number: int) -> None:
        self.token, self.server, self.provider = base.tokens[number], server, provider
        self.speaks, self.session = speaks, f"faults-{number}"
        self.said: list[str] = []

    def begin(self) -> None:
        """Raise RuntimeError where the model does not answer to begin with."""
        with Client(self.server.port, self.token, session=self.session) as client:
            self.say(client, OPENING)
            if self.back(client, BACK_WITHIN_S) is None:
                raise RuntimeError("the model does not answer before any fault")

    def take(self, cases: Sequence[ProviderFaultCase]) -> list[DrillResult]:
        with Client(self.server.port, self.token, session=self.session) as client:
            return [self.case(client, each) for each in cases]

    def say(self, client: Client, text: str) -> ClientTranscript:
        reading = ClientTranscript(text=text, client_id=f"said-{len(self.said)}")
        self.said.append(text)
        client.say(reading)
        client.read(reading)
        return reading

    def case(self, client: Client, each: ProviderFaultCase) -> DrillResult:
        started = monotonic()
        reading = self.say(client, each.question)
        if not count_requests(self.provider, reading.text):
            # Another lesson's fault had the models left alone.
            self.back(client, BACK_WITHIN_S)
            started = monotonic()
            reading = self.say(client, each.question)
        took_s = monotonic() - started
        calls = calls_of(self.server.data, reading.turn_id)
        requests = count_requests(self.provider, reading.text)
        faults = [*reading.faults, *self.ending_faults(each, reading), *miscounted(calls)]
        if took_s > AGENT_S + SLACK_S:
            faults.append("the turn took longer than it may")
        if len(calls) != requests:
            faults.append(f"{len(calls)} calls on record")
        if not {call.ending for call in calls} <= each.endings | {"answered"} or not any(
            call.ending in each.endings for call in calls
        ):
            faults.append("the record does not tell what happened")
        back_s = self.back(client, BACK_FROM_BARRED_S if each.barred else BACK_WITHIN_S)
        if back_s is None:
            faults.append("the model did not come back")
        ended = figures(reading.finished).get("shortfall") or "-"
        status = (reading.finished or {}).get("status")
        note = f"{status}/{ended}, {requests} requests: {summarize_calls(calls)}; back after {back_s or 0:.1f} s"
        return DrillResult(
            name=f"{self.speaks} {each.name}", faults=tuple(faults), seconds=took_s, measured="turn took", note=note
        )

    def ending_faults(self, each: ProviderFaultCase, reading: ClientTranscript) -> Iterator[str]:
        """Yield where the turn did not end as it should have, or not honestly."""
        finished = reading.finished or {}
        if finished.get("status") != each.status:
            yield f"the turn is {finished.get('status')}"
        if not reading.reply.strip() or "sk-" in reading.reply:
            yield f"the learner was told {reading.reply!r}"
        if figures(finished).get("shortfall") != ("model" if each.status == "degraded" else ""):
            yield f"the turn says {figures(finished)}"
        if (SILENT in reading.reply) != each.partial:
            yield f"the model {'was' if each.partial else 'was not'} cut off, and the learner was told {reading.reply!r}"

    def back(self, client: Client, within_s: float) -> float | None:
        """Speak on until a model answers; return how long that took, None where it took too long."""
        started = monotonic()
        while (waited_s := monotonic() - started) < within_s:
            reading = self.say(client, QUESTION)
            told = figures(reading.finished)
            if reading.finished and reading.finished["status"] == "done" and told["provider"] == self.speaks:
                return waited_s
            sleep(AGAIN_S)
        return None

    def go_on_until_settled(self) -> None:
        """Speak on while an alert is open: the last fault may have had the strong model left alone, and a weak one answered."""
        started = monotonic()
        with Client(self.server.port, self.token, session=self.session) as client:
            while any(_open_alerts(self.server.data).values()) and monotonic() - started < BACK_FROM_BARRED_S:
                sleep(AGAIN_S)
                self.back(client, BACK_WITHIN_S)

    def stored(self) -> list[str]:
        return storage_checks.faults(self.server.data, said=self.said, session=self.session, attempts=0)


def _alert_faults(data: Path, cases: Sequence[ProviderFaultCase]) -> Iterator[str]:
    """Yield where admins were not told of what only they can mend, or were not told that it is over."""
    kinds = _open_alerts(data)
    for each in cases:
        kind = "spend_limit" if each.fault.startswith("V3") else "rejected"
        if each.fault[:2] in ("V3", "V5") and kind not in kinds:
            yield f"no alert tells of {each.name}"
    if any(kinds.values()):
        yield f"alerts still open: {kinds}"


def _open_alerts(data: Path) -> dict[str, int]:
    """Return of each kind of alert how many are open for the strong model."""
    rows = storage_checks.rows(
        data, "SELECT kind, SUM(settled_at IS NULL AND model = 'fake-strong') FROM agents_alert GROUP BY kind"
    )
    return dict(rows)
