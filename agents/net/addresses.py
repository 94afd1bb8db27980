"""Public IP addresses: which addresses may be fetched. The resolved addresses are checked, not the name."""

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import BoundedSemaphore, Thread

from agents.net.base import AddressRefused, HostUnreachable

REFUSED_V4 = [
    ip_network(network)
    for network in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "168.63.129.16/32",  # Azure's own services, reachable in every Azure machine.
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/3",
    )
]
GLOBAL_V6 = ip_network("2000::/3")
"""Other IPv6 addresses (mapped, translated, local, multicast) lead to IPv4 or stay inside."""
REFUSED_V6 = [
    ip_network(network)
    for network in (
        "2001::/23",  # Teredo and similar.
        "2001:db8::/32",
        "2002::/16",  # 6to4 carries any IPv4 address.
        "2620:4f:8000::/48",
        "3fff::/20",
    )
]
LOCAL_ENDINGS = frozenset(
    {"alt", "arpa", "corp", "home", "internal", "intranet", "lan", "local", "localhost", "onion", "private"}
)
NAME = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])\.?")
"""At least two labels, the last not a number: resolvers read `127.1`, `0x7f.1` and `2130706433` as addresses."""
NO_PUBLIC_PLACE = "There is no public page at this address."
"""The same message for private and missing hosts, so that nobody learns which private names exist."""

Resolve = Callable[[str, int], Awaitable[Sequence[str]]]
"""Takes host and port, returns all its addresses. Raises OSError as socket.getaddrinfo does."""

# Separate threads that nobody joins: an unresponsive name server would block all other threads' work and the exit
# of the process.
_look_ups = BoundedSemaphore(8)


def is_public(address: str) -> bool:
    """Return whether an IP address is on the public internet; false for anything else."""
    try:
        ip = ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, IPv4Address):
        return not any(ip in network for network in REFUSED_V4)
    return ip.scope_id is None and ip in GLOBAL_V6 and not any(ip in network for network in REFUSED_V6)


def is_public_name(host: str) -> bool:
    """Return whether a host may be looked up: a full name that is not marked as local."""
    return NAME.fullmatch(host) is not None and host.rstrip(".").rpartition(".")[2] not in LOCAL_ENDINGS


async def resolve_host(host: str, port: int) -> list[str]:
    """Return all addresses of a host from the system's resolver. Raises OSError, HostUnreachable."""
    if not _look_ups.acquire(blocking=False):
        raise HostUnreachable("Too many lookups right now. Try again later.")
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()
    Thread(target=_look_up, args=(host, port, loop, found), name="look-up", daemon=True).start()
    return await found


def _look_up(host: str, port: int, loop: asyncio.AbstractEventLoop, found: "asyncio.Future[list[str]]") -> None:
    result: list[str] | OSError | UnicodeError
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        result = list(dict.fromkeys(str(answer[4][0]) for answer in answers))
    except (OSError, UnicodeError) as error:
        result = error
    finally:
        _look_ups.release()
    with suppress(RuntimeError):  # The caller and its event loop may be gone.
        loop.call_soon_threadsafe(_tell, found, result)


def _tell(found: "asyncio.Future[list[str]]", result: list[str] | OSError | UnicodeError) -> None:
    if found.done():
        return
    if isinstance(result, list):
        found.set_result(result)
    else:
        found.set_exception(result)


async def public_addresses(host: str, port: int, *, resolve: Resolve) -> Sequence[str]:
    """Return a host's addresses if all of them are public. Raises AddressRefused, HostUnreachable."""
    if _is_address(host):
        addresses: Sequence[str] = [host]
    elif is_public_name(host):
        addresses = await _resolved(host, port, resolve=resolve)
    else:
        raise AddressRefused(NO_PUBLIC_PLACE)
    # A mix of private and public addresses is a trick to reach the private one at a second attempt.
    if not addresses or not all(is_public(address) for address in addresses):
        raise AddressRefused(NO_PUBLIC_PLACE)
    return addresses


def _is_address(host: str) -> bool:
    try:
        return isinstance(ip_address(host), IPv4Address | IPv6Address)
    except ValueError:
        return False


async def _resolved(host: str, port: int, *, resolve: Resolve) -> Sequence[str]:
    try:
        return await resolve(host, port)
    except (OSError, UnicodeError) as error:
        if isinstance(error, socket.gaierror) and error.errno == socket.EAI_AGAIN:
            raise HostUnreachable("The network cannot be reached.") from None
        raise AddressRefused(NO_PUBLIC_PLACE) from None
