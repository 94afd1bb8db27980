"""Types of fetching: errors, the result, the protocol."""

from collections.abc import Collection
from typing import Protocol

from agents.values import value

URL_CHARACTERS = 2_000
"""A longer address is refused."""


class FetchFailed(Exception):
    """Nothing was fetched; the text is safe to show to a model and to people."""


class AddressRefused(FetchFailed):
    """The address is not public, or is written in a way that hides its target."""


class HostUnreachable(FetchFailed):
    """The host did not answer in time, or there is no network."""


class StatusRefused(FetchFailed):
    """The server answered with an error status."""

    def __init__(self, status: int) -> None:
        words = {401: "not public", 403: "not public", 404: "not there", 410: "not there"}
        busy = {429, 503}
        super().__init__(
            f"The page is {'too busy' if status in busy else words.get(status, 'not available')} ({status})."
        )
        self.status = status
        self.is_busy = status in busy


class BodyRefused(FetchFailed):
    """The body is too large, compressed, broken, or of another media type."""


@value
class FetchedPage:
    url: str
    """The final URL, after redirects."""
    media_type: str
    charset: str
    """As the server sent it; empty if it sent none."""
    body: bytes


class Fetch(Protocol):
    async def __call__(self, url: str, *, media_types: Collection[str], service: str = "") -> FetchedPage: ...
