"""As much of an HTTP/1.1 server as a provider needs, with the socket in reach of a fault."""

import asyncio
import json
import logging
import socket
import struct
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any

logger = logging.getLogger(__name__)

_SENT_AT_ONCE = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    """Names lowercased."""
    body: bytes

    def json(self) -> Any:
        """Return the parsed body; None where there is none. Raise ValueError where it is no JSON."""
        return json.loads(self.body) if self.body else None


class Connection(asyncio.Protocol):
    """One client. Each request is served in a task, which is cancelled when the client leaves."""

    transport: asyncio.Transport

    def __init__(self, serve: Callable[["Connection", Request], Awaitable[None]], known: set["Connection"]) -> None:
        self._serve, self._known = serve, known
        self._buffer = bytearray()
        self._task: asyncio.Task[None] | None = None
        self._room = asyncio.Event()
        self._room.set()
        self.client_left = False
        self._cut = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._known.add(self)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._take_up()

    def connection_lost(self, exc: Exception | None) -> None:
        self.client_left = not self._cut
        self._known.discard(self)
        if self._task is not None:
            self._task.cancel()

    def pause_writing(self) -> None:
        self._room.clear()

    def resume_writing(self) -> None:
        self._room.set()

    def _take_up(self) -> None:
        if self._task is None and (request := self._next_request()) is not None:
            self._task = asyncio.get_running_loop().create_task(self._served(request))

    def _next_request(self) -> Request | None:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return None
        first, *lines = self._buffer[:end].decode("latin-1").split("\r\n")
        headers = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        size = int(headers.get("content-length", 0))
        if len(self._buffer) < end + 4 + size:
            return None
        body = bytes(self._buffer[end + 4 : end + 4 + size])
        del self._buffer[: end + 4 + size]
        method, path, _ = first.split(" ")
        return Request(method=method, path=path.partition("?")[0], headers=headers, body=body)

    async def _served(self, request: Request) -> None:
        try:
            await self._serve(self, request)
        except Exception:
            logger.exception("%s %s could not be served", request.method, request.path)
            self.cut()
        finally:
            self._task = None
        self._take_up()

    async def write(self, data: bytes) -> None:
        """Send bytes as they are; wait while the client does not read."""
        if self.transport.is_closing():
            await asyncio.Event().wait()  # For the cancellation: `connection_lost` is on its way.
        self.transport.write(data)
        if not self._room.is_set():
            await self._room.wait()

    async def chunk(self, data: bytes) -> None:
        """Send a chunk of a body whose length nobody told."""
        await self.write(b"%x\r\n%b\r\n" % (len(data), data))

    async def chunks(self, size: int) -> None:
        """Send so many letters, in chunks as the client reads them."""
        letters = b"a" * _SENT_AT_ONCE
        for sent in range(0, size, _SENT_AT_ONCE):
            await self.chunk(letters[: size - sent])

    async def begin(self, *, headers: Mapping[str, str], content_type: str = "text/event-stream") -> None:
        """Send the head of an answer that comes in chunks."""
        await self.write(_head(200, {"content-type": content_type, "transfer-encoding": "chunked"} | dict(headers)))

    async def finish(self) -> None:
        """End a body in chunks as it should end."""
        await self.write(b"0\r\n\r\n")

    async def whole(
        self, status: int, body: bytes, *, headers: Mapping[str, str], content_type: str = "application/json"
    ) -> None:
        own = {"content-type": content_type, "content-length": str(len(body))}
        await self.write(_head(status, own | dict(headers)) + body)

    def cut(self, *, reset: bool = False) -> None:
        """Drop the client: its connection ends in the middle of whatever it reads, on `reset` with a TCP RST."""
        self._cut = True
        if reset:
            linger = struct.pack("ii", 1, 0)
            self.transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            self.transport.abort()
        else:
            self.transport.close()


def _head(status: int, headers: Mapping[str, str]) -> bytes:
    lines = [f"HTTP/1.1 {status} -", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join((*lines, "", "")).encode("latin-1")
