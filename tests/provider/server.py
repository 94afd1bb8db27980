"""The stand-in itself: a server in a thread, what it is told to do, and what it was asked."""

import asyncio
import threading
from collections import deque
from dataclasses import dataclass
from ipaddress import IPv4Address
from typing import Any, Self

from tests.provider import audio_wire
from tests.provider.answers import Answer, Answering, AnswerScripts, sensible_answer
from tests.provider.faults import Fault
from tests.provider.gullible_model import obedient_model
from tests.provider.http import Connection, Request
from tests.provider.recorded_request import RecordedRequest
from tests.provider.request_handler import serve

_REMEMBERED = 2_000
_START_S = _STOP_S = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Abilities:
    """What the server can do, and how it refuses what it cannot."""

    speaks: str = "any"
    """`anthropic`, `openai` or `any`."""
    schema: bool = True
    tools: bool = True
    images: bool = True
    usage: bool = True
    """Whether a stream tells the tokens that it took."""
    refuses_with: int = 400
    """The status for what it cannot; some servers say 500."""
    models: tuple[str, ...] = ("fake-strong", "fake-fast")


class Provider:
    """A model provider on this machine, for as long as its `with` block runs.

    Its methods can be called from any thread, at any time.
    """

    def __init__(
        self, *, host: str = "127.0.0.1", port: int = 0, pace_s: float = 0.0, beat_s: float = 1.0, **abilities: Any
    ) -> None:
        """Raise ValueError for a host that is not this machine.

        `pace_s` lies between two pieces of an answer, `beat_s` between two of V11's or V12's; both in seconds.
        """
        if not IPv4Address(host).is_loopback:
            raise ValueError(f"{host}: this server is for this machine only")
        self.pace_s, self.beat_s, self.abilities = pace_s, beat_s, Abilities(**abilities)
        self.requests: deque[RecordedRequest] = deque(maxlen=_REMEMBERED)
        self.attempts = 0
        """Requests so far, also those that are remembered no more."""
        self.hears = "A half is one of two equal parts."
        """What is said in every recording."""
        self.sound = audio_wire.tone()
        """What everything read aloud sounds like."""
        self._host, self._port = host, port
        self._scripts = AnswerScripts(sensible_answer)
        self._fault: Fault | None = None
        self._hits_left: int | None = None
        self._changed = threading.Condition()
        self._connections: set[Connection] = set()
        self._listener: asyncio.Server | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True)
        self._ready = threading.Event()

    @property
    def url(self) -> str:
        """Where it listens, without `/v1`."""
        return f"http://{self._host}:{self._port}"

    def __enter__(self) -> Self:
        self._thread.start()
        if not self._ready.wait(_START_S) or self._listener is None:
            raise OSError(f"{self.url} could not be opened")
        return self

    def __exit__(self, *exc: object) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(_STOP_S)

    def script(self, match: str, *answers: Answering) -> None:
        """Answer so whoever's system prompt holds these words: in order, the last again and again; none ends it."""
        with self._changed:
            self._scripts.script(match, *answers)

    def otherwise(self, answering: Answering) -> None:
        """Answer so whom no script is for."""
        with self._changed:
            self._scripts.otherwise = answering

    def gullible(self, on: bool = True) -> None:
        """Obey whatever stands in the prompt, or answer sensibly again."""
        self.otherwise(obedient_model() if on else sensible_answer)

    def fault(self, name: str | None, *, times: int | None = None, after: int | None = None) -> None:
        """Do this to the next requests, or to all; None makes the server well again.

        `after` says after how many pieces of the answer it strikes. An answer that it hits counts as not played yet.
        """
        fault = Fault.parse(name, after=after) if name else None
        with self._changed:
            self._fault, self._hits_left = fault, times

    def outage(self) -> None:
        """Be gone (V17): refuse every connection and drop those that there are."""
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result(_STOP_S)

    def recover(self) -> None:
        """Be well again after `fault` and `outage`."""
        self.fault(None)
        asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(_START_S)

    def wait_for(self, attempts: int, *, timeout_s: float = 10) -> None:
        """Wait until so many requests have come. Raise TimeoutError if they do not."""
        with self._changed:
            if not self._changed.wait_for(lambda: self.attempts >= attempts, timeout_s):
                raise TimeoutError(f"{self.attempts} of {attempts} requests came")

    def take(self, recorded: RecordedRequest) -> tuple[Answer | None, Fault | None]:
        """Remember a request; return its answer, where it asks for one, and what is to be done to it."""
        with self._changed:
            self.requests.append(recorded)
            self.attempts += 1
            self._changed.notify_all()
            fault = self._due_fault()
            answer = self._scripts.answer(recorded.asked, play=fault is None) if recorded.asked else None
        if fault is None and answer is not None and answer.fault:
            fault = Fault.parse(answer.fault, after=answer.after)
        recorded.fault = f"{fault.id}:{fault.variant}" if fault else ""
        return answer, fault

    def _due_fault(self) -> Fault | None:
        if self._fault is None or self._hits_left == 0:
            return None
        if self._hits_left is not None:
            self._hits_left -= 1
        return self._fault

    async def _run(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        try:
            await self._listen()
        finally:
            self._ready.set()
        await self._stop.wait()
        await self._close()

    async def _listen(self) -> None:
        if self._listener is None:
            self._listener = await self._loop.create_server(self._connection, self._host, self._port)
            self._port = self._listener.sockets[0].getsockname()[1]

    async def _close(self) -> None:
        if self._listener is not None:
            self._listener.close()
            self._listener = None
        for connection in tuple(self._connections):
            connection.cut(reset=True)
        await asyncio.sleep(0)  # The dropped clients' tasks end here.

    def _connection(self) -> Connection:
        async def served(connection: Connection, request: Request) -> None:
            await serve(self, connection, request)

        return Connection(served, self._connections)
