"""The client: one GET at a time, to checked addresses only, bounded in time, bytes and redirects.

It stands on httpcore, which follows no redirect, unpacks nothing, keeps no cookie and reads no proxy from the environment.
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
from agents.net.base import AddressRefused, BodyRefused, FetchedPage, HostUnreachable, StatusRefused

FETCH_TIMEOUT_S = 8.0
"""All of one fetch: names, redirects and the body."""
CONNECT_S = 3.0
"""One address of a host."""
MAX_ADDRESSES = 4
"""Of one host that are tried, one after the other."""
MAX_REDIRECTS = 3
MAX_BYTES = 2_000_000
TOO_LARGE = f"It is too large: more than {MAX_BYTES // 1_000_000} MB."
MAX_CHUNKS = 20_000
"""A body that comes in more is made to keep its reader busy."""
URL_CHARACTERS = 2_000
PORTS = (80, 443)
REDIRECT_STATUSES = frozenset({301, 302, 303, 307, 308})
USER_AGENT = "learnagent/0.1 (a teaching program; fetches single pages for its learners)"
DEFAULT_PORTS = {"http": 80, "https": 443}
USERINFO = re.compile(r"[^/?#]*//[^/?#]*@")
"""What stands before an `@` is there to be taken for the host."""

Origin = tuple[str, int]
"""Host, in ASCII, and port."""


class PublicNetworkBackend(httpcore2.AsyncNetworkBackend):
    """Connects to the very addresses that it has checked: what the name leads to a moment later does not matter."""

    def __init__(self, *, service: Origin | None, resolve: Resolve, inner: httpcore2.AsyncNetworkBackend) -> None:
        self.service = service
        self.resolve = resolve
        self.inner = inner

    async def service_addresses(self) -> Sequence[str]:
        """Return the service's addresses, wherever they are. Raise NotReached."""
        assert self.service
        try:
            return await self.resolve(*self.service)
        except OSError:
            raise HostUnreachable("Its name leads nowhere.") from None

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109  # httpcore's own interface.
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        """Raise AddressRefused, NotReached, or httpcore's own errors of the last address tried."""
        if (host, port) == self.service:
            addresses = await self.service_addresses()
        elif port in PORTS:
            addresses = await public_addresses(host, port, resolve=self.resolve)
        else:
            raise AddressRefused("Only the usual ports of the web, 80 and 443, are open.")
        failure: Exception = HostUnreachable("It cannot be reached.")
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
    """Return what stands at an address, see `agents.net.fetch`.

    `resolve` and `network` look names up and connect to addresses that were found good. Raise FetchFailed.
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
        raise HostUnreachable("It did not answer in time.") from None
    except httpcore2.NetworkError:
        raise HostUnreachable("It cannot be reached.") from None
    except (httpcore2.ProtocolError, httpcore2.UnsupportedProtocol):
        raise BodyRefused("It answers in a way that cannot be read.") from None
    raise BodyRefused("It leads from one address to the next.")


def parse_url(text: str) -> httpx2.URL:
    """Return an address of the web without its fragment. Raise AddressRefused for what is none, or hides where it leads."""
    if len(text) > URL_CHARACTERS or "\\" in text or any(each.isspace() or not each.isprintable() for each in text):
        raise AddressRefused("That is no address of a page.")
    try:
        url = httpx2.URL(text).copy_with(fragment=None)
    except (httpx2.InvalidURL, ValueError):
        raise AddressRefused("That is no address of a page.") from None
    if url.scheme not in DEFAULT_PORTS or not url.raw_host:
        raise AddressRefused("Only addresses that begin with http:// or https:// can be opened.")
    if USERINFO.match(text):
        raise AddressRefused("Addresses with a name or a password in them are not opened.")
    if url.port == 0:
        raise AddressRefused("That is no address of a page.")
    return url


def origin_of(url: httpx2.URL) -> Origin:
    """Return the host and the port that a connection for this address goes to."""
    port = DEFAULT_PORTS[url.scheme] if url.port is None else url.port
    return url.raw_host.decode("ascii"), port


@cache
def trusted_certificates() -> SSLContext:
    """Return whose certificates are believed: the system's own, or those of SSL_CERT_FILE. Reading them takes a while."""
    return httpcore2.default_ssl_context()


async def _get(
    place: httpx2.URL, *, media_types: Collection[str], network: PublicNetworkBackend
) -> FetchedPage | httpx2.URL:
    """Return what one request found: the page, or where it is instead. Raise FetchFailed or httpcore's errors."""
    host, port = origin_of(place)
    url = httpcore2.URL(scheme=place.scheme, host=host, port=port, target=place.raw_path)
    headers = {
        "host": place.netloc.decode("ascii"),
        "user-agent": USER_AGENT,
        "accept": ", ".join(media_types),
        # Nothing packed: what is small on the way stays small.
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
        raise AddressRefused("It leads to what is no address of a page.") from None


def _checked_headers(named: dict[str, str], *, media_types: Collection[str]) -> tuple[str, str]:
    """Return the body's media type and its charset. Raise BodyRefused for a body that is not to be read."""
    media_type, _, parameters = named.get("content-type", "").partition(";")
    media_type = media_type.strip().lower()
    if media_type not in media_types:
        raise BodyRefused("What is there cannot be read as text.")
    if named.get("content-encoding", "identity").lower() not in ("", "identity"):
        raise BodyRefused("It sends its pages packed only, and packed ones are not opened.")
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
            # Small chunks come from what was read already: without this, nothing else would run meanwhile.
            await asyncio.sleep(0)
    return bytes(body)
