"""Network access: fetching public pages. The HTTP client is imported at the first fetch."""

from collections.abc import Collection

from agents.net.base import FetchedPage


async def fetch(url: str, *, media_types: Collection[str], service: str = "") -> FetchedPage:
    """Return the page at a URL if it is public and has an accepted media type: at most 2 MB, within 8 seconds.

    `service` is the URL of a service that the operator configured: its host and port, and no others, may be on a
    private network. Raises FetchFailed.
    """
    from agents.net.client import fetch

    return await fetch(url, media_types=media_types, service=service)
