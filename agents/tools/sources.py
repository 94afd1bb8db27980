"""Sources: their credibility, by a written rule, and their ids in a turn."""

import hashlib
import re
from typing import Literal
from urllib.parse import urlsplit

from agents.tools import Source

PUBLIC_BODY = 0.8
"""Universities and public bodies, which are accountable for what they publish."""
WIKIPEDIA = 0.7
"""Written and corrected by many, with references; may be wrong at any moment."""
PREPRINT = 0.6
"""Signed by its authors, not reviewed yet."""
PUBLIC_BODIES = re.compile(
    r"(?:.*\.)?(?:(?:[^.]+\.)(?:edu|gov|int)|(?:[^.]+\.)(?:ac|edu|gov|gob|gouv|go)\.[a-z]{2}|europa\.eu)"
)

SourceType = Literal["web", "wikipedia", "arxiv"]


def credibility_of_host(url: str) -> float | None:
    """Return the credibility of a page's host, from 0 to 1; None for hosts that nobody rated."""
    host = (urlsplit(url).hostname or "").removesuffix(".")
    if host == "wikipedia.org" or host.endswith(".wikipedia.org"):
        return WIKIPEDIA
    if host == "arxiv.org" or host.endswith(".arxiv.org"):
        return PREPRINT
    return PUBLIC_BODY if PUBLIC_BODIES.fullmatch(host) else None


def make_source(
    *, title: str, url: str, type: SourceType = "web", id: str = "", credibility: float | None = None
) -> Source:
    """Return a source of a turn. The default id depends on the address, so the same page is the same source."""
    return Source(
        id=f"{type}:{id or hashlib.sha256(url.encode()).hexdigest()[:12]}",
        title=title or url,
        url=url,
        type=type,
        credibility=credibility_of_host(url) if credibility is None else credibility,
    )


def is_web_address(url: str) -> bool:
    """Return whether an address may be shown as a link; addresses from services are not trusted."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and len(url) <= 2_000
