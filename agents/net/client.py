"""HTTP client for pages: single GETs to checked addresses, with limits on time, bytes and redirects.

Built on httpcore, which follows no redirects, decompresses nothing, stores no cookies and reads no proxy settings.
"""

import asyncio
import re
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from ssl import SSLContext
from typing import Any

import httpcore2
import httpx2

from agents.net.addresses import Resolve, public_addresses, resolve_host
from agents.net.base import (
    URL_CHARACTERS,
    AddressRefused,
    BodyRefused,
    FetchedPage,
    HostUnreachable,
    StatusRefused,
)

FETCH_TIMEOUT_S = 8.0
"""For a whole fetch: lookup, redirects and body."""
CONNECT_S = 3.0
"""For connecting to one address of a host."""
MAX_ADDRESSES = 4
"""Addresses of one host that are tried, one after the other."""
MAX_REDIRECTS = 3
MAX_BYTES = 2_000_000
TOO_LARGE = f"The page is too large: more than {MAX_BYTES // 1_000_000} MB."
MAX_CHUNKS = 20_000
"""A body in more chunks is meant to keep its reader busy."""
PORTS = (80, 443)
REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
USER_AGENT = "learnagent/0.1 (a teaching program; fetches single pages for its learners)"
DEFAULT_PORTS = {"http": 80, "https": 443}
USERINFO = re.compile(r"[^/?#]*//[^/?#]*@")
"""The part before an `@` is meant to be mistaken for the host."""

Origin = tuple[str, int]
"""Host, in ASCII, and port."""


class PublicNetworkBackend(httpcore2.AsyncNetworkBackend):
    """Connects only to the addresses it has checked, so a later change of the DNS entry has no effect."""

    def __init__(self, *, service: Origin | None, resolve: Resolve, inner: httpcore2.AsyncNetworkBackend) -> None:
        self.service = service
        self.resolve = resolve
        self.inner = inner

    async def service_addresses(self) -> Sequence[str]:
        """Return the service's addresses, public or not. Raises HostUnreachable."""
        assert self.service
        try:
            return await self.resolve(*self.service)
        except OSError:
            raise HostUnreachable("The host name was not found.") from None

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's own interface.
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Raise AddressRefused, HostUnreachable, or httpcore's error for the last address tried."""
        if (host, port) == self.service:
            addresses = await self.service_addresses()
        elif port in PORTS:
            addresses = await public_addresses(host, port, resolve=self.resolve)
        else:
            raise AddressRefused("Only ports 80 and 443 can be used.")
        failure: Exception = HostUnreachable("The page cannot be reached.")
        for address in addresses[:MAX_ADDRESSES]:
            try:
                return await self.inner.connect_tcp(address, port, CONNECT_S, local_address, socket_options)
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure


async def fetch(
    url: str,
    *,
    media_types: Collection[str],
    service: str = "",
    resolve: Resolve = resolve_host,
    network: httpcore2.AsyncNetworkBackend | None = None,
) -> FetchedPage:
    """Return the page at a URL; see `agents.net.fetch`.

    `resolve` looks up names and `network` connects to checked addresses. Raises FetchFailed.
    """
    place = parse_url(url)
    origin = origin_of(parse_url(service)) if service else None
    checked = PublicNetworkBackend(service=origin, resolve=resolve, inner=network or httpcore2.AnyIOBackend())
    try:
        async with asyncio.timeout(FETCH_TIMEOUT_S):
            for _ in range(MAX_REDIRECTS + 1):
                found = await _get(place, media_types=media_types, network=checked)
                if isinstance(found, FetchedPage):
                    return found
                place = parse_url(str(found))
    except (TimeoutError, httpcore2.TimeoutException):
        raise HostUnreachable("The page did not answer in time.") from None
    except httpcore2.NetworkError:
        raise HostUnreachable("The page cannot be reached.") from None
    except (httpcore2.ProtocolError, httpcore2.UnsupportedProtocol):
        raise BodyRefused("The server’s answer cannot be read.") from None
    raise BodyRefused("The page has too many redirects.")


def parse_url(text: str) -> httpx2.URL:
    """Return a web address without its fragment. Raises AddressRefused if it is invalid or hides its target."""
    if len(text) > URL_CHARACTERS or "\\" in text or any(each.isspace() or not each.isprintable() for each in text):
        raise AddressRefused("That is not a web address.")
    try:
        url = httpx2.URL(text).copy_with(fragment=None)
    except (httpx2.InvalidURL, ValueError):
        raise AddressRefused("That is not a web address.") from None
    if url.scheme not in DEFAULT_PORTS or not url.raw_host:
        raise AddressRefused("Only addresses that start with http:// or https:// can be opened.")
    if USERINFO.match(text):
        raise AddressRefused("Addresses that contain a username or a password cannot be opened.")
    if url.port == 0:
        raise AddressRefused("That is not a web address.")
    return url


def origin_of(url: httpx2.URL) -> Origin:
    """Return the host and port to connect to for this URL."""
    port = DEFAULT_PORTS[url.scheme] if url.port is None else url.port
    return url.raw_host.decode("ascii"), port


@cache
def trusted_certificates() -> SSLContext:
    """Return an SSL context with the system's trusted certificates, or those of SSL_CERT_FILE. Slow to create."""
    return httpcore2.default_ssl_context()


async def _get(
    place: httpx2.URL, *, media_types: Collection[str], network: PublicNetworkBackend
) -> FetchedPage | httpx2.URL:
    """Return the result of one request: the page, or its redirect. Raises FetchFailed or httpcore's errors."""
    host, port = origin_of(place)
    url = httpcore2.URL(scheme=place.scheme, host=host, port=port, target=place.raw_path)
    headers = {
        "host": place.netloc.decode("ascii"),
        "user-agent": USER_AGENT,
        "accept": ", ".join(media_types),
        # No compression: what is small on the network stays small.
        "accept-encoding": "identity",
    }
    async with (
        httpcore2.AsyncConnectionPool(ssl_context=trusted_certificates(), network_backend=network) as pool,
        pool.stream("GET", url, headers=list(headers.items())) as response,
    ):
        named = {name.decode("ascii").lower(): value.decode("latin-1").strip() for name, value in response.headers}
        if response.status in REDIRECT_STATUSES and named.get("location"):
            return _joined(place, named["location"])
        if response.status != 200:
            raise StatusRefused(response.status)
        media_type, charset = _checked_headers(named, media_types=media_types)
        return FetchedPage(url=str(place), media_type=media_type, charset=charset, body=await _body(response))


def _joined(place: httpx2.URL, location: str) -> httpx2.URL:
    try:
        return place.join(location.encode("latin-1").decode("utf-8", "replace"))
    except (httpx2.InvalidURL, ValueError):
        raise AddressRefused("The page redirects to something that is not a web address.") from None


def _checked_headers(named: dict[str, str], *, media_types: Collection[str]) -> tuple[str, str]:
    """Return the body's media type and charset. Raises BodyRefused for a body that must not be read."""
    media_type, _, parameters = named.get("content-type", "").partition(";")
    media_type = media_type.strip().lower()
    if media_type not in media_types:
        raise BodyRefused("The page cannot be read as text.")
    if named.get("content-encoding", "identity").lower() not in ("", "identity"):
        raise BodyRefused("The server only sends compressed pages, which cannot be opened.")
    length = named.get("content-length", "")
    if length.isdecimal() and (len(length) > 18 or int(length) > MAX_BYTES):
        raise BodyRefused(TOO_LARGE)
    _, _, charset = parameters.lower().partition("charset=")
    return media_type, charset.partition(";")[0].strip(" \"'")


async def _body(response: httpcore2.Response) -> bytes:
    body = bytearray()
    chunks = 0
    async for chunk in response.aiter_stream():
        body += chunk
        chunks += 1
        if len(body) > MAX_BYTES or chunks > MAX_CHUNKS:
            raise BodyRefused(TOO_LARGE)
        if chunks % 100 == 0:
            # Small chunks come from the read buffer: without this, no other task would run meanwhile.
            await asyncio.sleep(0)
    return bytes(body)
