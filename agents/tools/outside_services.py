"""The outside services that tools ask: where they are, and how they are asked."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from agents.net.base import Fetch, FetchedPage, FetchFailed, HostUnreachable, StatusRefused
from agents.tools import ToolFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideServices:
    """The addresses that the operator configured; empty for a service that there is not."""

    searxng_url: str = ""
    wikipedia_url: str = ""
    """Of a MediaWiki's `api.php`."""
    arxiv_url: str = ""
    """Of arXiv's query interface."""


def service_address_fault(url: str) -> str:
    """Return why a service cannot have this address, in words for its operator; empty where it can."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is no address"
    if parts.scheme not in ("http", "https") or not host:
        return "must start with http:// or https:// and name a host"
    if "@" in parts.netloc:
        return "holds a name or a password: a service is asked without"
    return "ends before its ? and #" if parts.query or parts.fragment else ""


ServicesGetter = Callable[[], OutsideServices]
"""Tells the services in force."""


def service_address(url: str, *, path: str) -> str:
    """Return a service's full address: one that names no path gets the usual one."""
    return url if urlsplit(url).path.rstrip("/") else url.rstrip("/") + path


async def query_service(
    service: str, *, name: str, parameters: Mapping[str, str | int], media_types: Collection[str], fetch: Fetch
) -> FetchedPage:
    """Return what a service answers. Raise ToolFailed, in words that name the service."""
    try:
        return await fetch(f"{service}?{urlencode(parameters)}", media_types=media_types, service=service)
    except HostUnreachable:
        raise ToolFailed(f"{name} cannot be reached at the moment.") from None
    except StatusRefused as refused:
        if refused.is_busy:
            raise ToolFailed(f"{name} is asked too often at the moment. Try again later.") from None
        raise ToolFailed(f"{name} refused the question ({refused.status}).") from None
    except FetchFailed:
        raise unreadable_answer(name) from None


def unreadable_answer(name: str) -> ToolFailed:
    """Return the failure of a service that said something else than was agreed."""
    return ToolFailed(f"{name} answered in a way that cannot be read.")
