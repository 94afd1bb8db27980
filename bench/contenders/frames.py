"""A server that sends as many frames as it is asked for: Daphne, uvicorn, or bare writes: `python -m … SERVER PORT`."""

import asyncio
import sys
from typing import Any

import django
from channels.generic.websocket import AsyncWebsocketConsumer
from django.conf import settings

WORD = "token of twenty bytes"[:20]
AT_ONCE = 50
"""Frames between two returns to the loop; words of one frame where they are joined."""


class Frames(AsyncWebsocketConsumer):
    """Asked for `COUNT WORDS` it sends that many frames of so many words."""

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        count, words = map(int, (text_data or "").split())
        for number in range(count):
            await self.send(text_data=WORD * words)
            if number % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)


class Bare(asyncio.Protocol):
    """The floor: no ASGI, no parsing but of what its one client sends."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        if data.startswith(b"GET"):
            self.transport.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n")
        else:
            count, words = map(int, data[6:].split())
            self.task = asyncio.ensure_future(self.send(count, WORD.encode() * words))

    async def send(self, count: int, payload: bytes) -> None:
        size = len(payload)
        head = bytes((0x81, size)) if size < 126 else bytes((0x81, 126)) + size.to_bytes(2)
        for number in range(count):
            self.transport.write(head + payload)
            if number % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)


def serve(server: str, port: int) -> None:
    """Serve until the process is killed."""
    settings.configure(INSTALLED_APPS=[], CHANNEL_LAYERS={})
    django.setup()
    application: Any = Frames.as_asgi()
    if server == "uvicorn":
        import uvicorn

        uvicorn.run(
            application,
            port=port,
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            log_level="error",
            lifespan="off",
        )
    elif server == "daphne":
        _serve_by_daphne(application, port)
    else:
        asyncio.run(_serve_bare(port))


def _serve_by_daphne(application: Any, port: int) -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    from twisted.internet import asyncioreactor

    asyncioreactor.install(loop)
    from learnagent.http.daphne_limits import BoundedServer

    BoundedServer(application, endpoints=[f"tcp:port={port}:interface=127.0.0.1"], signal_handlers=False).run()


async def _serve_bare(port: int) -> None:
    server = await asyncio.get_running_loop().create_server(Bare, "127.0.0.1", port)
    await server.serve_forever()


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
