"""Sends one request to a learning platform: limited in time and size, without redirects, and only to expected hosts."""

import asyncio
from collections.abc import Mapping
from typing import Final

import httpcore2

from agents.net.addresses import resolve_host
from agents.net.base import FetchFailed
from agents.net.client import USER_AGENT, PublicNetworkBackend, origin_of, parse_url, trusted_certificates
from learnagent.lti import models
from learnagent.lti.models import Platform
from learnagent.lti.platform_requests import Answer, PlatformUnreachable

TIMEOUT_S: Final = 10.0
"""For one request as a whole."""
MAX_BYTES: Final = 200_000


async def send(platform: Platform, method: str, url: str, *, headers: Mapping[str, str], content: bytes) -> Answer:
    """Return the answer, whatever its status. Raises PlatformUnreachable."""
    try:
        async with asyncio.timeout(TIMEOUT_S):
            return await _exchange(platform, method, url, headers=headers, content=content)
    except (TimeoutError, httpcore2.TimeoutException):
        raise PlatformUnreachable("no answer in time") from None
    except FetchFailed as refused:
        raise PlatformUnreachable(str(refused)) from None
    except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.UnsupportedProtocol, OSError) as error:
        raise PlatformUnreachable(type(error).__name__) from None


async def _exchange(platform: Platform, method: str, url: str, *, headers: Mapping[str, str], content: bytes) -> Answer:
    place = parse_url(url)
    host, port = origin_of(place)
    is_entered = models.origin_of(url) in platform.service_origins
    network = PublicNetworkBackend(
        service=(host, port) if is_entered else None, resolve=resolve_host, inner=httpcore2.AnyIOBackend()
    )
    target = httpcore2.URL(scheme=place.scheme, host=host, port=port, target=place.raw_path)
    sent = {"Host": place.netloc.decode("ascii"), "User-Agent": USER_AGENT, "Accept-Encoding": "identity"} | dict(
        headers
    )
    if content:
        sent["Content-Length"] = str(len(content))
    async with (
        httpcore2.AsyncConnectionPool(ssl_context=trusted_certificates(), network_backend=network) as pool,
        pool.stream(method, target, headers=list(sent.items()), content=content or None) as response,
    ):
        return Answer(status=response.status, body=await _body(response))


async def _body(response: httpcore2.Response) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_stream():
        body += chunk
        if len(body) > MAX_BYTES:
            raise PlatformUnreachable("the answer is too large")
    return bytes(body)
