"""`arxiv`: tool that finds scientific papers with arXiv's query API, within its rate limit."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from threading import Lock
from time import monotonic
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from pydantic import BaseModel, Field

from agents.net import fetch
from agents.net.base import Fetch
from agents.net.text_cleaning import single_line
from agents.tools import Source, Tool, ToolFailed, ToolResult, ToolUse
from agents.tools.outside_services import ServicesGetter, query_service, service_address, unreadable_answer
from agents.tools.sources import PREPRINT, make_source

NAME = "arXiv"
PATH = "/api/query"
INTERVAL_S = 3.0
"""Between two requests of one process (info.arxiv.org/help/api/tou.html)."""
MAX_WAIT_S = 6.0
"""The longest a request waits for its turn."""
TIMEOUT_S = 16.0
"""Waiting, fetching, and the time in between."""
MAX_WORDS = 12
AUTHORS = 5
ABSTRACT_CHARACTERS = 1_500
ATOM = "{http://www.w3.org/2005/Atom}"
PAPER = re.compile(r"https?://arxiv\.org/abs/([a-z.-]+/\d{7}|\d{4}\.\d{4,5})(v\d+)?", re.IGNORECASE)
OPERATORS = frozenset({"and", "or", "andnot", "not"})


class ArxivQuestion(BaseModel):
    query: str = Field(min_length=1, max_length=300, description="Words that appear in the paper, in English.")
    limit: int = Field(3, ge=1, le=10, description="The maximum number of papers to return.")


class Paper(BaseModel):
    source: Source
    authors: list[str]
    """The first five."""
    published: str
    """The date of its first version, as 2026-03-21."""
    abstract: str


class Papers(ToolResult):
    """Papers found, best first; may be empty."""

    papers: list[Paper]

    @property
    def summary(self) -> str:
        return "; ".join(paper.source.title for paper in self.papers) or "No papers found."

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(paper.source for paper in self.papers)


class RequestPacer:
    """Keeps requests apart, in one process, over all its threads."""

    def __init__(self, *, interval_s: float, patience_s: float) -> None:
        self.interval_s = interval_s
        self.patience_s = patience_s
        self._free_at = float("-inf")
        self._lock = Lock()

    def reserve_slot(self, now: float) -> float | None:
        """Return the seconds until a request may be made, and reserve that slot; None if too many wait."""
        with self._lock:
            begins = max(now, self._free_at)
            if begins - now > self.patience_s:
                return None
            self._free_at = begins + self.interval_s
            return begins - now


request_pacer = RequestPacer(interval_s=INTERVAL_S, patience_s=MAX_WAIT_S)
Sleep = Callable[[float], Awaitable[None]]


def arxiv(
    configured: ServicesGetter,
    *,
    fetch: Fetch = fetch,
    pace: RequestPacer = request_pacer,
    sleep: Sleep = asyncio.sleep,
) -> Tool:
    """Return the tool that queries arXiv."""

    async def run(question: Any, _use: ToolUse) -> Papers:
        query = arxiv_query(question.query)
        wait_s = pace.reserve_slot(monotonic())
        if wait_s is None:
            raise ToolFailed(f"{NAME} is getting too many requests right now. Try again later.")
        await sleep(wait_s)
        return await search_papers(query, limit=question.limit, url=configured().arxiv_url, fetch=fetch)

    return Tool(
        name="arxiv",
        description="Find scientific papers on arXiv (physics, mathematics, computer science and related fields), with their"
        " abstracts. Not for school-level facts.",
        arguments=ArxivQuestion,
        run=run,
        timeout_s=TIMEOUT_S,
        is_untrusted=True,
        calls_outside=True,
        is_ready=lambda: bool(configured().arxiv_url),
    )


def arxiv_query(words: str) -> str:
    """Return arXiv's query for some words, all of which a paper must contain. Raises ToolFailed if there are none."""
    wanted = [word for word in re.findall(r"\w+", words) if word.lower() not in OPERATORS]
    if not wanted:
        raise ToolFailed("The question has no words to search for.")
    return " AND ".join(f"all:{word}" for word in wanted[:MAX_WORDS])


async def search_papers(query: str, *, limit: int, url: str, fetch: Fetch) -> Papers:
    """Return the matching papers. Raises ToolFailed."""
    fetched = await query_service(
        service_address(url, path=PATH),
        name=NAME,
        parameters={"search_query": query, "start": 0, "max_results": limit, "sortBy": "relevance"},
        media_types=("application/atom+xml", "application/xml", "text/xml"),
        fetch=fetch,
    )
    entries = _parse_feed(fetched.body)
    if any("/api/errors" in _text(entry, "id") for entry in entries):
        raise ToolFailed(f"{NAME} could not understand the question.")
    papers = [paper for entry in entries if (paper := _paper(entry)) is not None]
    return Papers(papers=papers[:limit])


def _parse_feed(body: bytes) -> list[Element]:
    """Return the feed's entries. Raises ToolFailed."""
    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import fromstring

    try:
        feed = fromstring(body, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError):
        raise unreadable_answer(NAME) from None
    if feed.tag != f"{ATOM}feed":
        raise unreadable_answer(NAME)
    entries: list[Element] = feed.findall(f"{ATOM}entry")
    return entries


def _paper(entry: Element) -> Paper | None:
    """Return a feed entry as a paper; None if it is not one."""
    named = PAPER.fullmatch(_text(entry, "id").strip())
    if named is None:
        return None
    number = named.group(1) + (named.group(2) or "")
    names = [single_line(_text(author, "name"), characters=100) for author in entry.findall(f"{ATOM}author")]
    return Paper(
        source=make_source(
            title=single_line(_text(entry, "title"), characters=300),
            url=f"https://arxiv.org/abs/{number}",
            type="arxiv",
            id=number,
            credibility=PREPRINT,
        ),
        authors=names[:AUTHORS],
        published=_text(entry, "published")[:10],
        abstract=single_line(_text(entry, "summary"), characters=ABSTRACT_CHARACTERS),
    )


def _text(entry: Element, tag: str) -> str:
    return entry.findtext(f"{ATOM}{tag}") or ""
