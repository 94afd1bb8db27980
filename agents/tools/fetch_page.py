"""`fetch_page`: tool that returns the readable text of a public page."""

from typing import Any

from pydantic import BaseModel, Field

from agents.net import fetch
from agents.net.base import URL_CHARACTERS, Fetch, FetchFailed
from agents.net.text_cleaning import truncate
from agents.tools import Source, Tool, ToolFailed, ToolResult, ToolUse
from agents.tools.sources import make_source

MEDIA_TYPES = ("text/html", "application/xhtml+xml", "text/plain", "text/markdown")
MAX_CHARACTERS = 12_000
"""Most characters of a page's text."""
TIMEOUT_S = 15.0
"""Fetching, reading, and waiting for both."""


class PageRequest(BaseModel):
    url: str = Field(
        min_length=1, max_length=URL_CHARACTERS, description="The page's full address, with https:// or http://."
    )


class PageText(ToolResult):
    source: Source
    text: str
    """In lines: headings start with `#`, list items with `-`."""
    goes_on: bool
    """Whether the page has more text."""

    @property
    def summary(self) -> str:
        return f"{self.source.title} ({len(self.text):,} characters{' of more' if self.goes_on else ''})"

    @property
    def sources(self) -> tuple[Source, ...]:
        return (self.source,)


def fetch_page(*, fetch: Fetch = fetch) -> Tool:
    """Return the tool that reads public pages."""

    async def run(wanted: Any, use: ToolUse) -> PageText:
        if use.open_addresses is not None and wanted.url not in use.open_addresses:
            raise ToolFailed("After reading outside text, only pages that a tool has found can be opened.")
        return await read_public_page(wanted.url, fetch=fetch)

    return Tool(
        name="fetch_page",
        description="Read a public web page: its title and its text. For an address that the learner gave or that"
        " another tool found.",
        arguments=PageRequest,
        run=run,
        timeout_s=TIMEOUT_S,
        is_untrusted=True,
        calls_outside=True,
    )


async def read_public_page(url: str, *, fetch: Fetch) -> PageText:
    """Return a page's text. Raises ToolFailed if there is none."""
    from agents.net.pages import read_page

    try:
        fetched = await fetch(url, media_types=MEDIA_TYPES)
    except FetchFailed as failure:
        raise ToolFailed(str(failure)) from None
    page = await read_page(fetched)
    if not page.text:
        raise ToolFailed("There is no readable text on that page.")
    return PageText(
        source=make_source(title=page.title, url=fetched.url),
        text=truncate(page.text, characters=MAX_CHARACTERS),
        goes_on=len(page.text) > MAX_CHARACTERS,
    )
