"""Requests to the configured record store."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Final

import httpx2
from django.conf import settings

from agents.net.client import USER_AGENT, trusted_certificates

VERSION: Final = "1.0.3"
"""The version of xAPI that both stores of 1.0 and of 2.0 take."""
TIMEOUT_S: Final = 20.0
"""For one request as a whole."""
REASON_BYTES: Final = 2_000
UNREACHABLE: Final = 0
"""In place of a status, if there is no answer."""


async def post_statements(statements: Sequence[dict[str, Any]]) -> tuple[int, str]:
    """Return the store's status, and what it says or why there is no answer."""
    content = json.dumps(list(statements), separators=(",", ":")).encode()
    return await _ask("POST", "statements", content=content)


async def about() -> tuple[int, str]:
    """Return the status and text with which the store describes itself."""
    return await _ask("GET", "about")


async def _ask(method: str, path: str, *, content: bytes | None = None) -> tuple[int, str]:
    headers = {"X-Experience-API-Version": VERSION, "Content-Type": "application/json", "User-Agent": USER_AGENT}
    try:
        async with asyncio.timeout(TIMEOUT_S), _client() as client:
            url = f"{settings.XAPI_ENDPOINT}/{path}"
            async with client.stream(method, url, headers=headers, content=content) as answer:
                return answer.status_code, f"{answer.status_code} {await _reason(answer)}".strip()
    except (TimeoutError, httpx2.TimeoutException):
        return UNREACHABLE, f"no answer within {TIMEOUT_S:.0f} s"
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        # Not its text, which can contain the address.
        return UNREACHABLE, type(error).__name__


def _client() -> httpx2.AsyncClient:
    # Redirects are not followed: records go to the store that the operator named and to no other.
    return httpx2.AsyncClient(
        auth=(settings.XAPI_KEY, settings.XAPI_SECRET),
        verify=trusted_certificates(),
        timeout=TIMEOUT_S,
        follow_redirects=False,
        trust_env=False,
    )


async def _reason(answer: httpx2.Response) -> str:
    """Return the beginning of what a store says about a refusal; empty for an accepted request."""
    if answer.status_code < 400:
        return ""
    body = b""
    async for chunk in answer.aiter_raw():
        body += chunk
        if len(body) >= REASON_BYTES:
            break
    said = body[:REASON_BYTES].decode("utf-8", "replace")
    return " ".join("".join(each if each.isprintable() else " " for each in said).split())
