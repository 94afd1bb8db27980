"""Requests to learning platforms: limited in time and size, without redirects, and only to expected hosts."""

import asyncio
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

import httpcore2
from asgiref.sync import async_to_sync

from agents.net.addresses import resolve_host
from agents.net.base import FetchFailed
from agents.net.client import USER_AGENT, PublicNetworkBackend, origin_of, parse_url, trusted_certificates
from learnagent.lti import models
from learnagent.lti.models import Platform

logger = logging.getLogger(__name__)

TIMEOUT_S: Final = 10.0
"""For one request as a whole."""
MAX_BYTES: Final = 200_000


class PlatformUnreachable(Exception):
    """A platform gave no usable answer; the text says why, without addresses or tokens."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    status: int
    body: bytes

    @property
    def json(self) -> Any:
        """The body as a value. Raises PlatformUnreachable if it is none."""
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise PlatformUnreachable("the answer is not JSON") from None


def get_json(platform: Platform, url: str) -> Any:
    """Return the JSON value at a platform's address. Raises PlatformUnreachable."""
    answer = send_request(platform, "GET", url, headers={"Accept": "application/json"})
    if answer.status != 200:
        raise PlatformUnreachable(f"status {answer.status}")
    return answer.json


def post_form(platform: Platform, url: str, fields: Mapping[str, str]) -> Answer:
    """Return the answer to a form. Raises PlatformUnreachable."""
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    return send_request(platform, "POST", url, headers=headers, content=urlencode(fields).encode())


def send_request(
    platform: Platform, method: str, url: str, *, headers: Mapping[str, str], content: bytes = b""
) -> Answer:
    """Return the answer, whatever its status. Raises PlatformUnreachable.

    A host that no admin has entered for the platform must be on the public internet.
    """
    return async_to_sync(_send)(platform, method, url, headers=headers, content=content)


async def _send(platform: Platform, method: str, url: str, *, headers: Mapping[str, str], content: bytes) -> Answer:
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
