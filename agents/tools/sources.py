"""How much is to be given on what stands somewhere, by a rule that is written down, and what it is called in a turn."""

import hashlib
import re
from typing import Literal
from urllib.parse import urlsplit

from agents.tools import Source

PUBLIC_BODY = 0.8
"""A university or a public body, which answers for what it says."""
WIKIPEDIA = 0.7
"""Written and corrected by many, with references; at any moment it may be wrong."""
PREPRINT = 0.6
"""By people who put their names to it, reviewed by nobody yet."""
PUBLIC_BODIES = re.compile(
    r"(?:.*\.)?(?:(?:[^.]+\.)(?:edu|gov|int)|(?:[^.]+\.)(?:ac|edu|gov|gob|gouv|go)\.[a-z]{2}|europa\.eu)"
)

SourceType = Literal["web", "wikipedia", "arxiv"]


def credibility_of_host(url: str) -> float | None:
    """Return what a page's host alone says of it, from 0 to 1; None for the rest of the web, which nobody has judged."""
    host = (urlsplit(url).hostname or "").removesuffix(".")
    if host == "wikipedia.org" or host.endswith(".wikipedia.org"):
        return WIKIPEDIA
    if host == "arxiv.org" or host.endswith(".arxiv.org"):
        return PREPRINT
    return PUBLIC_BODY if PUBLIC_BODIES.fullmatch(host) else None


def make_source(
    *, title: str, url: str, type: SourceType = "web", id: str = "", credibility: float | None = None
) -> Source:
    """Return a source of a turn. Without an id it has one by its address, so that the same page is the same source."""
    return Source(
        id=f"{type}:{id or hashlib.sha256(url.encode()).hexdigest()[:12]}",
        title=title or url,
        url=url,
        type=type,
        credibility=credibility_of_host(url) if credibility is None else credibility,
    )


def is_web_address(url: str) -> bool:
    """Tell whether an address may be shown as a link: what a service says of one is not to be believed."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and len(url) <= 2_000
