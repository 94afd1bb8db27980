"""HTTP client for both SDKs. Imported with them, at first use."""

from collections.abc import AsyncIterator
from typing import Any

import httpx2

from agents.net.client import trusted_certificates

ERROR_BYTES = 64_000
"""Most bytes of an error body that are read."""
TIMEOUT = httpx2.Timeout(60.0, connect=5.0)
"""In seconds; for a stream, between two chunks. Wrappers set tighter limits, on words instead of bytes."""


class TruncatedBody(httpx2.AsyncByteStream):
    """A response body cut off at ERROR_BYTES."""

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
    """Limit how much of an error body the SDK reads; by default it reads everything."""
    if not response.is_success:
        response.stream = TruncatedBody(response.stream)


HEADERS = {"accept-encoding": "identity"}
"""No compression, so that small chunks arrive at once."""
_DIRECTLY = dict.fromkeys(("all://", "http://", "https://"))


def client_options(*, is_local: bool) -> dict[str, Any]:
    """Return the options of the SDKs' HTTP client. `is_local`: it calls only this machine."""
    return {
        "timeout": TIMEOUT,
        "verify": trusted_certificates(),
        # A redirect could send the key and the messages to another host.
        "follow_redirects": False,
        "event_hooks": {"response": [truncate_error_body]},
        # Requests to this machine ignore proxies from the environment, so that no text leaves it.
        "mounts": _DIRECTLY if is_local else {},
    }
