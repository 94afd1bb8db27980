"""No provider for a while (V17): learners go on in built-in words, nobody storms the provider, and all find it back.

DRILL_DOWN_S says for how many seconds.
"""

import os
import socket
import struct
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Self

from drills import storage_checks
from drills.client import Client, ClientTranscript, get
from drills.data_folder import OPENING, PreparedFolder
from drills.model_connection import (
    FLAVOURS,
    QUESTION,
    QUESTIONS,
    WORDS,
    calls_of,
    connected,
    figures,
    ledger_faults,
    summarize_calls,
)
from drills.result import DrillResult
from drills.server import Server
from tests.provider import Answer, Provider

DOWN_S = float(os.environ.get("DRILL_DOWN_S", "30"))
EVERY_S = 1.5
"""How often each learner speaks."""
LEARNERS = 4
PROMPT_S, PROBED_S = 3.0, 8.0
"""What a turn may take that does not try the model, and one that does."""
BACK_WITHIN_S = 30.0
MOST_ATTEMPTS = 1.1
"""Attempts at the provider for each turn."""
BANNER = "can’t be reached right now"


class Refusing:
    """Stands at the address of a provider that is gone: drops whoever comes, and counts them."""

    def __init__(self, port: int) -> None:
        self.attempts = 0
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.listener.bind(("127.0.0.1", port))
        self.listener.listen(100)
        self.thread = threading.Thread(target=self.refuse, daemon=True)

    def __enter__(self) -> Self:
        self.thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()

    def refuse(self) -> None:
        while True:
            try:
                client, _address = self.listener.accept()
            except OSError:
                return
            self.attempts += 1
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidTurn:
    """One turn of a learner's."""

    reading: ClientTranscript
    at: float
    seconds: float

    @property
    def status(self) -> str:
        return str((self.reading.finished or {}).get("status", "without an end"))


class Learner:
    """Speaks every few moments until told to stop."""

    def __init__(self, base: PreparedFolder, server: Server, *, number: int) -> None:
        self.token, self.browser = base.tokens[number], base.browsers[number]
        self.server, self.session = server, f"outage-{number}"
        self.turns: list[SaidTurn] = []

    def speak(self, *texts: str) -> None:
        with Client(self.server.port, self.token, session=self.session) as client:
            for text in texts:
                self.say(client, text)

    def speak_until(self, enough: threading.Event) -> None:
        with Client(self.server.port, self.token, session=self.session) as client:
            while not enough.is_set():
                self.say(client, QUESTIONS[len(self.turns) % len(QUESTIONS)])
                enough.wait(EVERY_S)

    def speak_until_answered(self, provider: str) -> None:
        ends = monotonic() + BACK_WITHIN_S
        with Client(self.server.port, self.token, session=self.session) as client:
            while monotonic() < ends:
                self.say(client, QUESTIONS[len(self.turns) % len(QUESTIONS)])
                if self.turns[-1].status == "done" and self.told()["provider"] == provider:
                    return
                sleep(EVERY_S)

    def say(self, client: Client, text: str) -> None:
        reading = ClientTranscript(text=text, client_id=f"said-{len(self.turns)}")
        at = monotonic()
        client.say(reading)
        client.read(reading)
        self.turns.append(SaidTurn(reading=reading, at=at, seconds=monotonic() - at))

    def told(self) -> dict[str, Any]:
        return figures(self.turns[-1].reading.finished)

    def page(self) -> str:
        return get(self.server.port, self.browser, f"/c/{self.session}/")


def run(base: PreparedFolder) -> Iterator[DrillResult]:
    with ThreadPoolExecutor() as pool:
        outages = [pool.submit(outage, base, speaks=speaks) for speaks in FLAVOURS]
        for each in outages:
            yield each.result()


def outage(base: PreparedFolder, *, speaks: str) -> DrillResult:
    """Take the provider away while learners speak; return what they, it and the page have seen."""
    data = base.copy(f"outage-{speaks}")
    faults: list[str] = []
    with Provider() as provider:
        provider.otherwise(Answer(text=WORDS))
        with Server(data, variables=connected(speaks, provider.url)) as server, ThreadPoolExecutor(LEARNERS) as pool:
            server.wait_until_ready()
            learners = [Learner(base, server, number=each) for each in range(LEARNERS)]
            list(pool.map(lambda each: each.speak(OPENING, QUESTION), learners))
            if {each.told()["provider"] for each in learners} != {speaks} or BANNER in learners[0].page():
                faults.append("the model did not answer before the outage")
            down_at, attempts = _down(provider, pool, learners)
            if not all(BANNER in each.page() for each in learners):
                faults.append("the page does not say that no model answers")
            provider.recover()
            back_at = monotonic()
            list(pool.map(lambda each: each.speak_until_answered(speaks), learners))
            back_s = max(each.turns[-1].at + each.turns[-1].seconds for each in learners) - back_at
            if any(each.turns[-1].status != "done" for each in learners):
                faults.append("the model did not come back to everybody")
            if any(BANNER in each.page() for each in learners):
                faults.append("the page still says that no model answers")
            server.end()
    meanwhile = [turn for each in learners for turn in each.turns if down_at <= turn.at < back_at]
    faults += [*_turn_faults(data, meanwhile), *ledger_faults(data)]
    faults += _learner_faults(data, learners)
    if attempts > MOST_ATTEMPTS * len(meanwhile):
        faults.append("too many attempts at a provider that is gone")
    note = f"{len(meanwhile)} turns in {DOWN_S:.0f} s, {attempts} attempts; {_how_long(data, meanwhile)}"
    return DrillResult(name=f"outage, {speaks}", faults=tuple(faults), seconds=back_s, measured="back after", note=note)


def _learner_faults(data: Path, learners: list[Learner]) -> Iterator[str]:
    for each in learners:
        yield from (fault for turn in each.turns for fault in turn.reading.faults)
        said = [turn.reading.text for turn in each.turns]
        yield from storage_checks.faults(data, said=said, session=each.session, attempts=0)


def _how_long(data: Path, turns: list[SaidTurn]) -> str:
    """Return how many turns tried the provider, and how long they and the others took."""
    alone = [turn.seconds for turn in turns if not calls_of(data, turn.reading.turn_id)]
    slowest, untried = max(turn.seconds for turn in turns), max(alone, default=0)
    return f"{len(turns) - len(alone)} turns tried it, the slowest took {slowest:.1f} s, of the others {untried:.1f} s"


def _down(provider: Provider, pool: ThreadPoolExecutor, learners: Sequence[Learner]) -> tuple[float, int]:
    """Let learners speak without a provider; return since when, and how often it was tried."""
    enough = threading.Event()
    provider.outage()
    down_at = monotonic()
    with Refusing(int(provider.url.rpartition(":")[2])) as gone:
        speaking = [pool.submit(each.speak_until, enough) for each in learners]
        sleep(DOWN_S)
        enough.set()
        for each in speaking:
            each.result()
    return down_at, gone.attempts


def _turn_faults(data: Path, turns: Sequence[SaidTurn]) -> Iterator[str]:
    """Yield where a turn without a provider was not answered in built-in words, or not at once."""
    for turn in turns:
        if (
            turn.status != "degraded"
            or figures(turn.reading.finished)["provider"] != "offline"
            or not turn.reading.reply
        ):
            yield f"without a provider a turn is {turn.status}, and says {turn.reading.reply!r}"
        calls = calls_of(data, turn.reading.turn_id)
        if turn.seconds > (PROBED_S if calls else PROMPT_S):
            yield f"a learner waited {turn.seconds:.1f} s ({summarize_calls(calls)})"
