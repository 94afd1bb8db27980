"""The HTTP client under both SDKs. Imported with them, at first use."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2

ERROR_BYTES = 64_000
"""The most of an error's body that is read."""
TIMEOUT = httpx2.Timeout(60.0, connect=5.0)
"""In seconds; for a stream, between two of its chunks. Tighter limits, on words instead of bytes, stand around it."""


class TruncatedBody(httpx2.AsyncByteStream):
    """A body that ends where it has been long enough."""

    def __init__(self, body: Any) -> None:
        self.body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = ERROR_BYTES
        async for chunk in self.body:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self.body.aclose()


async def truncate_error_body(response: httpx2.Response) -> None:
    """Let the SDK read no more of an error than is of use: it reads all there is."""
    if not response.is_success:
        response.stream = TruncatedBody(response.stream)


HEADERS = {"accept-encoding": "identity"}
"""Nothing packed: a small chunk stays small."""
_DIRECTLY = dict.fromkeys(("all://", "http://", "https://"))


def client_options(*, is_local: bool) -> dict[str, Any]:
    """Return the options of the SDKs' own kind of client. `is_local`: it asks this machine only."""
    return {
        "timeout": TIMEOUT,
        # A redirect could carry the key, and what was said, to another host.
        "follow_redirects": False,
        "event_hooks": {"response": [truncate_error_body]},
        # What stays on this machine goes through no proxy that the environment names: the words would leave with it.
        "mounts": _DIRECTLY if is_local else {},
    }
