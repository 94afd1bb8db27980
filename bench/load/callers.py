"""Clients that send their messages by HTTP: an answer as a whole, the place in the queue, or a refusal."""

import asyncio
import json
from collections.abc import Sequence
from itertools import count
from time import perf_counter
from typing import Any

from bench.live_server.server import Served
from bench.load.deployment import Deployment
from bench.load.learners import PATIENCE_S, Offered, text_of

LATER = "later"
"""The status of a turn whose caller was told its place in the queue."""


class Callers:
    """People who send each message in a conversation of its own, so that none waits for another."""

    def __init__(self, site: Deployment, tokens: Sequence[str], *, team: str) -> None:
        self.site, self.tokens, self.team = site, tokens, team
        self._numbers = count()

    async def offer(self, due: Sequence[float]) -> list[Offered]:
        """Send messages, each at its time in seconds from now; return what came of them."""
        start = perf_counter() + 0.1
        return await asyncio.gather(*(self._one(start + at) for at in due))

    async def _one(self, due: float) -> Offered:
        number = next(self._numbers)
        offered = Offered(due=due, text=text_of(self.team, number))
        await asyncio.sleep(due - perf_counter())
        server = self.site.servers[number % len(self.site.servers)]
        message = {"text": offered.text, "session_id": f"call{number}"}
        try:
            async with asyncio.timeout(PATIENCE_S):
                status, body = await _post(server, self.tokens[number % len(self.tokens)], message)
        except (OSError, TimeoutError, ValueError) as error:
            offered.faults.append(f"no answer to a call: {error!r}")
            return offered
        match status:
            case 200:
                offered.ended, offered.status = perf_counter(), "done"
            case 202:
                offered.place, offered.status = body["queued"], LATER
            case _:
                offered.refusal = body["error"]["code"]
        return offered


async def _post(server: Served, token: str, message: Any) -> tuple[int, Any]:
    """Return the status and the body of the answer."""
    host, _, port = server.address.partition(":")
    body = json.dumps(message).encode()
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        writer.write(
            b"POST /v2/conversation HTTP/1.1\r\nHost: %b\r\nConnection: close\r\nAuthorization: Bearer %b\r\n"
            b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%b"
            % (server.address.encode(), token.encode(), len(body), body)
        )
        head, _, answer = (await reader.read()).partition(b"\r\n\r\n")
    finally:
        writer.close()
    if b"chunked" in head.lower():
        answer = b"".join(answer.split(b"\r\n")[1::2])
    return int(head.split(b" ", 2)[1]), json.loads(answer)
