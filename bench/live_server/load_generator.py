"""An open loop of turns: each is due at its time, whether earlier ones have ended or not, and is timed from then."""

import asyncio
import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter

from bench.live_server.server import Place, Served
from bench.live_server.team_script import MODEL_S

TEXT, PING, PONG = 1, 9, 10
"""Kinds of WebSocket frames."""

PATIENCE_S = 30.0
"""When a turn that has not ended is given up as lost."""
START, END = b'"type":"turn_started"', b'"type":"turn_finished"'
QUESTION = {"text": "What is a half?"}


@dataclass(slots=True)
class LoadResult:
    """What came of the turns."""

    turns: int
    cpu_ms: float
    """The server's CPU time of one turn."""
    acknowledged_ms: list[float] = field(default_factory=list)
    """From the time a turn was due to its acknowledgement."""
    overhead_ms: list[float] = field(default_factory=list)
    """From the time a turn was due to its last event, but for its models' time."""
    frames: int = 0

    @property
    def lost(self) -> int:
        return self.turns - len(self.overhead_ms)


class SocketClient(asyncio.Protocol):
    """A client's end of a socket, as cheap as it gets: it shares the machine with the server it measures."""

    def __init__(self, opening: bytes) -> None:
        self.opening = opening
        self.rest = b""
        self.is_open = asyncio.get_running_loop().create_future()
        self.begun: asyncio.Future[float] | None = None
        self.ended: asyncio.Future[float] | None = None
        self.seq = self.frames = 0
        self.last = b""
        """The event that ended the latest turn."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.opening)

    def data_received(self, data: bytes) -> None:
        data = self.rest + data
        if not self.is_open.done():
            head, mark, data = data.partition(b"\r\n\r\n")
            if not mark:
                self.rest = head
                return
            self.is_open.set_result(head.startswith(b"HTTP/1.1 101"))
        at = 0
        while (end := frame_end(data, at)) is not None:
            start, stop = end
            kind = data[at] & 0x0F
            if kind == TEXT:
                self.frame(data[start:stop])
            elif kind == PING:
                # Without an answer the server takes the client for gone: of 120 sockets it closed 72 within a minute.
                self.transport.write(masked(data[start:stop], kind=PONG))
            at = stop
        self.rest = data[at:]

    def frame(self, payload: bytes) -> None:
        now = perf_counter()
        self.frames += 1
        seq = int(payload[7 : payload.index(b",")]) if payload.startswith(b'{"seq":') else 0
        in_order, self.seq = seq == self.seq + 1, seq
        if self.begun is None or self.ended is None or self.ended.done():
            return
        if not in_order:
            self.ended.set_exception(RuntimeError(f"event {seq} came out of order"))
        elif START in payload:
            self.begun.set_result(now)
        elif END in payload:
            self.last = payload
            if b'"status":"done"' in payload:
                self.ended.set_result(now)
            else:
                self.ended.set_exception(RuntimeError("a turn was not answered"))

    async def turn(self, message: Mapping[str, object] = QUESTION) -> tuple[float, float]:
        """Say something; return when it was acknowledged and when it was answered."""
        loop = asyncio.get_running_loop()
        self.begun, self.ended, self.seq = loop.create_future(), loop.create_future(), 0
        self.transport.write(masked(json.dumps({"type": "message", **message}, separators=(",", ":")).encode()))
        async with asyncio.timeout(PATIENCE_S):
            return await self.begun, await self.ended


def frame_end(data: bytes, at: int) -> tuple[int, int] | None:
    """Return where the payload of the frame at this place starts and stops; None when it is not whole."""
    if len(data) < at + 2:
        return None
    length, start = data[at + 1] & 0x7F, at + 2
    if length >= 126:
        size = 2 if length == 126 else 8
        if len(data) < start + size:
            return None
        length, start = int.from_bytes(data[start : start + size]), start + size
    return (start, start + length) if len(data) >= start + length else None


def masked(payload: bytes, *, kind: int = TEXT) -> bytes:
    """Return a client's frame of fewer than 126 bytes, under the mask that changes nothing."""
    return bytes((0x80 | kind, 0x80 | len(payload))) + bytes(4) + payload


async def open_socket(served: Served, token: str, *, session: str = "load") -> SocketClient:
    return await open_client(served, token, SocketClient, session=session)


async def open_client[Client: SocketClient](
    served: Served, token: str, make: Callable[[bytes], Client], *, session: str = "load"
) -> Client:
    """Open a person's socket of a session. Raises RuntimeError if the server refuses it."""
    host, _, port = served.address.partition(":")
    opening = (
        f"GET /v2/ws/{session} HTTP/1.1\r\nHost: {served.address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
        f"Authorization: Bearer {token}\r\n\r\n"
    )
    _, wire = await asyncio.get_running_loop().create_connection(lambda: make(opening.encode()), host, int(port))
    if not await wire.is_open:
        raise RuntimeError("the server refused a socket")
    return wire


def due_times(*, rate: float, seconds: float, seed: int) -> Sequence[float]:
    """Return when turns are due, as people come: at random, so many a second."""
    chance, at, due = random.Random(seed), 0.0, []
    while (at := at + chance.expovariate(rate)) < seconds:
        due.append(at)
    return due


def run_load(served: Served, place: Place, *, sessions: int, rate: float, seconds: float, seed: int = 0) -> LoadResult:
    """Let this many sessions say something, so many turns a second, for a while; return what came of it."""
    return asyncio.run(_run_load(served, place.tokens[:sessions], due_times(rate=rate, seconds=seconds, seed=seed)))


async def _run_load(served: Served, tokens: Sequence[str], due: Sequence[float]) -> LoadResult:
    wires = [await open_socket(served, token) for token in tokens]
    free = [asyncio.Lock() for _ in wires]
    result = LoadResult(turns=len(due), cpu_ms=0.0)
    start, cpu = perf_counter(), served.cpu_s()

    async def one(number: int, at: float) -> None:
        await asyncio.sleep(start + at - perf_counter())
        place = number % len(wires)
        # A person says nothing while they are answered; the wait counts against us all the same.
        async with free[place]:
            acknowledged, ended = await wires[place].turn()
        result.acknowledged_ms.append((acknowledged - start - at) * 1000)
        result.overhead_ms.append((ended - start - at - MODEL_S) * 1000)

    await asyncio.gather(*(one(number, at) for number, at in enumerate(due)), return_exceptions=True)
    result.cpu_ms = (served.cpu_s() - cpu) / len(due) * 1000
    result.frames = sum(wire.frames for wire in wires)
    for wire in wires:
        wire.transport.abort()
    return result
