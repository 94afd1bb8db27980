"""The one way out to the network: what may be fetched, and what came of it. The client is loaded with the first fetch."""

from collections.abc import Collection

from agents.net.base import FetchedPage


async def fetch(url: str, *, media_types: Collection[str], service: str = "") -> FetchedPage:
    """Return what stands at an address, if it is public and of a wanted type: at most 2 MB, within 8 seconds.

    `service` is the address of a service that the operator configured: its host and port, and no other, may be
    reached wherever they are. Raise FetchFailed.
    """
    from agents.net.client import fetch

    return await fetch(url, media_types=media_types, service=service)
