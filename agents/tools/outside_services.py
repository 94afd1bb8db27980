"""Outside services that tools query: their addresses, and how they are queried."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from agents.net.base import Fetch, FetchedPage, FetchFailed, HostUnreachable, StatusRefused
from agents.tools import ToolFailed


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideServices:
    """The addresses that the operator configured; empty for a service that is not set up."""

    searxng_url: str = ""
    wikipedia_url: str = ""
    """URL of a MediaWiki's `api.php`."""
    arxiv_url: str = ""
    """URL of arXiv's query API."""


def service_address_fault(url: str) -> str:
    """Return why an address is invalid for a service, worded for the operator; empty if it is valid."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return "is not a valid address"
    if parts.scheme not in ("http", "https") or not host:
        return "must start with http:// or https:// and name a host"
    if "@" in parts.netloc:
        return "contains a username or a password; remove it"
    return "must not contain ? or #" if parts.query or parts.fragment else ""


ServicesGetter = Callable[[], OutsideServices]
"""Returns the configured services."""


def service_address(url: str, *, path: str) -> str:
    """Return a service's full address: one without a path gets the usual path."""
    return url if urlsplit(url).path.rstrip("/") else url.rstrip("/") + path


async def query_service(
    service: str, *, name: str, parameters: Mapping[str, str | int], media_types: Collection[str], fetch: Fetch
) -> FetchedPage:
    """Return a service's answer. Raises ToolFailed with a text that names the service."""
    try:
        return await fetch(f"{service}?{urlencode(parameters)}", media_types=media_types, service=service)
    except HostUnreachable:
        raise ToolFailed(f"{name} cannot be reached right now.") from None
    except StatusRefused as refused:
        if refused.is_busy:
            raise ToolFailed(f"{name} is getting too many requests right now. Try again later.") from None
        raise ToolFailed(f"{name} refused the question ({refused.status}).") from None
    except FetchFailed:
        raise unreadable_answer(name) from None


def unreadable_answer(name: str) -> ToolFailed:
    """Return the error for a service whose answer has an unexpected format."""
    return ToolFailed(f"{name} sent an answer that cannot be read.")
