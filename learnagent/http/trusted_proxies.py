"""Who is behind a trusted proxy: client address and scheme by `X-Forwarded-For` and `X-Forwarded-Proto`.

Both count only where the connection comes from an address of `TRUSTED_PROXIES`; anybody else may claim what they like.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

type Address = IPv4Address | IPv6Address
type Network = IPv4Network | IPv6Network
type Headers = Iterable[tuple[bytes, bytes]]
type Application = Callable[..., Awaitable[None]]

SCHEMES = {"http": "http", "https": "https", "ws": "http", "wss": "https"}


def parse_networks(text: str) -> tuple[Network, ...]:
    """Return the networks named, with commas or blanks between them. Raises ValueError for what is none."""
    return tuple(ip_network(part) for part in text.replace(",", " ").split())


def trusted_proxy_middleware(application: Application, trusted: Sequence[Network]) -> Application:
    """Return the ASGI application, which is told of the client where it would be told of a trusted proxy."""

    async def look_behind(scope: dict[str, Any], receive: Any, send: Any) -> None:
        await application(scope_behind_proxies(scope, trusted), receive, send)

    return look_behind if trusted else application


def scope_behind_proxies(scope: dict[str, Any], trusted: Sequence[Network]) -> dict[str, Any]:
    """Return the scope of a request or socket with the client's own address and scheme, as far as they can be trusted."""
    peer = _address((scope.get("client") or ("",))[0])
    if peer is None or not _is_in(peer, trusted):
        return scope
    client = _rightmost_untrusted(_values(scope["headers"], b"x-forwarded-for"), peer, trusted)
    claimed = SCHEMES.get((_values(scope["headers"], b"x-forwarded-proto") or [""])[-1].lower())
    return {**scope, "client": (str(client), 0)} | _scheme(scope, claimed)


def _rightmost_untrusted(hops: Sequence[str], peer: Address, trusted: Sequence[Network]) -> Address:
    """Return the nearest hop that is no trusted proxy: each told truly of the one before it, and no further."""
    nearest = peer
    for hop in reversed(hops):
        address = _address(hop)
        if address is None:
            return nearest
        nearest = address
        if not _is_in(address, trusted):
            return nearest
    return nearest


def _scheme(scope: dict[str, Any], claimed: str | None) -> dict[str, str]:
    """Return the claimed scheme as an entry of the scope; none if nothing is claimed, as Daphne's sockets have none."""
    if claimed is None:
        return {}
    return {"scheme": claimed.replace("http", "ws") if scope["type"] == "websocket" else claimed}


def _values(headers: Headers, name: bytes) -> list[str]:
    """Return the list that a header holds; several of one name are one list."""
    lines = [value.decode("latin-1") for key, value in headers if key.lower() == name]
    return [value.strip() for value in ",".join(lines).split(",") if value.strip()]


def _address(text: str) -> Address | None:
    """Return the address that is written, with or without a port; None for anything else."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return address.ipv4_mapped or address if isinstance(address, IPv6Address) else address


def _is_in(address: Address, networks: Sequence[Network]) -> bool:
    return any(address in network for network in networks)
