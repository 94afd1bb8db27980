"""Fetching a page: its errors, its result, the protocol."""

from collections.abc import Collection
from typing import Protocol

from agents.values import value


class FetchFailed(Exception):
    """Nothing was fetched; the text is safe to show to a model and to people."""


class AddressRefused(FetchFailed):
    """The address is no public one, or is written in a way that hides where it leads."""


class HostUnreachable(FetchFailed):
    """Nobody answered there in time, or the network is away."""


class StatusRefused(FetchFailed):
    """What is there was not given out."""

    def __init__(self, status: int) -> None:
        words = {401: "not open to everybody", 403: "not open to everybody", 404: "not there", 410: "not there"}
        busy = {429, 503}
        super().__init__(f"It is {'too busy' if status in busy else words.get(status, 'not given out')} ({status}).")
        self.status = status
        self.is_busy = status in busy


class BodyRefused(FetchFailed):
    """What came is too large, packed, broken, or of no wanted type."""


@value
class FetchedPage:
    url: str
    """Where it was found, after redirects."""
    media_type: str
    charset: str
    """As the server named it; empty where it named none."""
    body: bytes


class Fetch(Protocol):
    async def __call__(self, url: str, *, media_types: Collection[str], service: str = "") -> FetchedPage: ...
