"""Learners as a load: open sockets, messages that are due whether the server keeps up or not, and what came of each."""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import batched
from time import perf_counter
from typing import Final

from bench.live_server.load_generator import SocketClient, masked, open_client
from bench.live_server.server import Served
from bench.load.deployment import LESSONS, SIMULATED, Deployment

PATIENCE_S: Final = 60.0
"""When a message that neither ended nor was refused is given up as lost."""
LOOK_S: Final = 0.1
BEGUN_AT_ONCE: Final = 15
OPENING: Final = "I want to learn one half"
"""Begins a lesson."""
QUESTIONS: Final = (
    "how do you know?",
    "what is a half?",
    "why is the sky blue?",
    "why are halves equal?",
    "why is the sea salty?",
    "what is a part?",
    "can a half be bigger?",
    "why is ice cold?",
)
"""What learners ask in a lesson: the tutor's model answers all of them."""
SIMULATED_QUESTION: Final = "What is a half?"
FIRST_SHOWN: Final = {LESSONS: b"reply_text", SIMULATED: b"agent_text"}
"""The event that first shows words of a model. The simulated team shows what its agents say to each other."""


@dataclass(slots=True)
class Offered:
    """A message that was due, and what came of it. Times are those of the clock."""

    due: float
    text: str
    accepted: float | None = None
    """When its turn was stored and acknowledged."""
    place: int = 0
    """The place in the queue that the client was told; 0 if it did not have to wait."""
    shown: float | None = None
    ended: float | None = None
    status: str = ""
    """How the turn ended."""
    refusal: str = ""
    """The code of the refusal; `rate_limited`, `unavailable`, …"""
    faults: list[str] = field(default_factory=list)
    """Events that were missing, doubled or out of order, and replies that are not what was streamed."""

    @property
    def outcome(self) -> str:
        if self.refusal:
            return "refused"
        if not self.status:
            return "lost"
        return "queued" if self.place else "served"

    def ms(self, moment: float | None) -> float:
        return ((moment or self.due) - self.due) * 1000


class Learner(SocketClient):
    """A learner's socket; one message is on its way at a time."""

    first_shown: bytes
    """The event that first shows words of a model."""
    offered: Offered | None = None
    """The message that is on its way."""

    def begin(self, offered: Offered) -> None:
        self.offered = offered
        self.over = asyncio.get_running_loop().create_future()
        self.seq, self.reply = 0, ""
        frame = json.dumps({"type": "message", "text": offered.text}, separators=(",", ":"))
        self.transport.write(masked(frame.encode()))

    def connection_lost(self, exc: Exception | None) -> None:
        if self.offered is not None:
            self.end("the connection was lost")

    def end(self, fault: str = "") -> None:
        if self.offered is not None:
            self.offered.faults += [fault] if fault else []
            self.offered = None
            self.over.set_result(None)

    def frame(self, payload: bytes) -> None:
        self.frames += 1
        offered = self.offered
        if offered is None:
            return
        at = payload.index(b'"type":"') + 8
        kind = payload[at : payload.index(b'"', at)]
        if kind == b"error":
            offered.refusal = json.loads(payload)["error"]["code"]
            self.end()
        elif kind == b"refetch":
            wanted = json.loads(payload)
            self.transport.write(masked(json.dumps(wanted | {"type": "resume"}, separators=(",", ":")).encode()))
        else:
            self.event(offered, kind, payload)

    def event(self, offered: Offered, kind: bytes, payload: bytes) -> None:
        now, seq = perf_counter(), int(payload[7 : payload.index(b",")])
        if kind != b"turn_resumed" and seq != self.seq + 1:
            offered.faults.append(f"event {seq} after {self.seq}")
        self.seq = seq
        if offered.shown is None and kind == self.first_shown:
            offered.shown = now
        match kind:
            case b"turn_started":
                offered.accepted = now
            case b"turn_resumed":
                self.reply = ""
            case b"queued":
                offered.place = json.loads(payload)["position"]
            case b"reply_text":
                self.reply += json.loads(payload)["text"]
            case b"turn_finished":
                ended = json.loads(payload)
                offered.ended, offered.status = now, ended["status"]
                self.end("" if ended["reply"] == self.reply else "the reply is not what was streamed")


async def learners_of(site: Deployment, team: str, *, first: int = 0, count: int | None = None) -> list[Learner]:
    """Open a socket for each person from the `first` on, at each web process in turn; in lessons, each begins one."""
    tokens, servers = site.place.tokens[first:][:count], site.servers
    found = [await _learner(servers[number % len(servers)], token, team) for number, token in enumerate(tokens)]
    if team == LESSONS:
        # A lesson's beginning is the most work. Some at a time, and not a part of what is measured.
        for some in batched(found, BEGUN_AT_ONCE, strict=False):
            await asyncio.gather(*(say(each, Offered(due=perf_counter(), text=OPENING)) for each in some))
    return found


async def _learner(server: Served, token: str, team: str) -> Learner:
    learner = await open_client(server, token, Learner)
    learner.first_shown = FIRST_SHOWN[team]
    return learner


async def say(learner: Learner, offered: Offered) -> Offered:
    """Say something, and wait until it is answered or refused, or nothing more can be expected."""
    learner.begin(offered)
    try:
        async with asyncio.timeout(PATIENCE_S):
            await learner.over
    except TimeoutError:
        learner.offered = None
    return offered


async def offer(learners: Sequence[Learner], due: Sequence[float], *, team: str) -> list[Offered]:
    """Have messages said by whoever is free, each at its time in seconds from now; return what came of them.

    If all wait for replies, a message is said later, and that counts as time that it waited.
    """
    free: asyncio.Queue[Learner] = asyncio.Queue()
    for learner in learners:
        free.put_nowait(learner)
    start = perf_counter() + 0.1

    async def one(number: int, at: float) -> Offered:
        offered = Offered(due=start + at, text=text_of(team, number))
        await asyncio.sleep(offered.due - perf_counter())
        learner = await free.get()
        await say(learner, offered)
        free.put_nowait(learner)
        return offered

    return await asyncio.gather(*(one(number, at) for number, at in enumerate(due)))


async def wait_until(is_so: Callable[[], bool], *, within_s: float) -> bool:
    """Wait until something is so, but not longer; return whether it is."""
    until = perf_counter() + within_s
    while not is_so() and perf_counter() < until:  # noqa: ASYNC110  # Nobody tells.
        await asyncio.sleep(LOOK_S)
    return is_so()


def text_of(team: str, number: int) -> str:
    """Return what is said in the message of this number."""
    return QUESTIONS[number % len(QUESTIONS)] if team == LESSONS else SIMULATED_QUESTION


def leave(sockets: Iterable[SocketClient]) -> None:
    for each in sockets:
        each.transport.abort()
