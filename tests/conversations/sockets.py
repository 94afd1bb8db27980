"""Sockets as a client has them, for tests."""

import json
from typing import Any, Self

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import AsyncClient

from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.asgi import application

PATIENCE_S = 20
"""When a frame that should come is given up; no test waits so long unless it fails."""

token_of = sync_to_async(make_token)


async def cookie_of(person: Any) -> str:
    """Sign the person in as a browser does; return the cookie header."""
    client = AsyncClient()
    await client.aforce_login(person)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


class Socket:
    """One end of a socket."""

    def __init__(self, path: str, headers: dict[str, str]) -> None:
        pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        self.wire = WebsocketCommunicator(application, path, headers=pairs)
        self.is_open = False

    @classmethod
    async def by_token(cls, person: Any, path: str) -> Self:
        return cls(path, {"Authorization": f"Bearer {await token_of(person)}"})

    @classmethod
    async def by_cookie(cls, person: Any, path: str) -> Self:
        return cls(path, {"Cookie": await cookie_of(person), "Origin": settings.PUBLIC_URL})

    async def open(self) -> Self:
        self.is_open, _ = await self.wire.connect(timeout=PATIENCE_S)
        return self

    async def listening(self) -> Self:
        """Return once it hears of the turns that other tabs begin, which is a moment after it was accepted."""
        await self.send({"type": "ping"})
        await self.until("pong")
        return self

    async def send(self, frame: object) -> None:
        """Send a frame: text and bytes as they are, anything else as JSON."""
        match frame:
            case bytes():
                await self.wire.send_to(bytes_data=frame)
            case str():
                await self.wire.send_input({"type": "websocket.receive", "text": frame})
            case _:
                await self.wire.send_to(text_data=json.dumps(frame))

    async def say(self, text: str, **fields: Any) -> None:
        await self.send({"type": "message", "text": text, **fields})

    async def text(self) -> str:
        return str(await self.wire.receive_from(timeout=PATIENCE_S))

    async def frame(self) -> dict[str, Any]:
        frame: dict[str, Any] = json.loads(await self.text())
        return frame

    async def until(self, kind: str) -> list[dict[str, Any]]:
        """Return the frames up to the first of this type, that one included."""
        frames = [await self.frame()]
        while frames[-1]["type"] != kind:
            frames.append(await self.frame())
        return frames

    async def until_text(self, part: str) -> str:
        """Return all that came up to the first frame that holds this text, that one included."""
        said = await self.text()
        while part not in said:
            said += await self.text()
        return said

    async def refused(self) -> tuple[str, int]:
        """Return the code of the error frame that comes next, and the code the socket is closed with after it."""
        frame = await self.frame()
        return frame["error"]["code"], await self.closed()

    async def closed(self) -> int:
        message = await self.wire.receive_output(timeout=PATIENCE_S)
        assert message["type"] == "websocket.close", message
        self.is_open = False
        return int(message["code"])

    async def stays(self) -> bool:
        """Whether the socket still answers, with nothing else said before."""
        await self.send({"type": "ping"})
        return await self.frame() == {"type": "pong"}

    async def leave(self) -> None:
        await self.wire.disconnect(timeout=PATIENCE_S)
