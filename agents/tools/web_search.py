"""`web_search`: tool that searches the web with a SearXNG."""

from typing import Any

from pydantic import BaseModel, Field, ValidationError

from agents.net import fetch
from agents.net.base import Fetch
from agents.net.text_cleaning import single_line
from agents.tools import Source, Tool, ToolResult, ToolUse
from agents.tools.outside_services import ServicesGetter, query_service, unreadable_answer
from agents.tools.sources import is_web_address, make_source

NAME = "The web search"
TITLE_CHARACTERS = 200
SNIPPET_CHARACTERS = 500


class WebQuestion(BaseModel):
    query: str = Field(min_length=1, max_length=300, description="A few words, as for a search engine.")
    limit: int = Field(5, ge=1, le=10, description="The maximum number of results to return.")


class WebHit(BaseModel):
    source: Source
    snippet: str


class WebHits(ToolResult):
    """Results found, best first; may be empty."""

    hits: list[WebHit]

    @property
    def summary(self) -> str:
        return "; ".join(hit.source.title for hit in self.hits) or "Nothing found."

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(hit.source for hit in self.hits)


class _SearxngResult(BaseModel):
    url: str
    title: str = ""
    content: str | None = None


class _SearxngAnswer(BaseModel):
    """The fields we read of a SearXNG JSON answer (docs.searxng.org/dev/search_api.html)."""

    results: list[_SearxngResult]


def web_search(configured: ServicesGetter, *, fetch: Fetch = fetch) -> Tool:
    """Return the tool that queries a SearXNG."""

    async def run(question: Any, _use: ToolUse) -> WebHits:
        return await search_web(question, url=configured().searxng_url, fetch=fetch)

    return Tool(
        name="web_search",
        description="Search the web. Returns titles, addresses and short passages; fetch_page reads one of them in full.",
        arguments=WebQuestion,
        run=run,
        is_untrusted=True,
        calls_outside=True,
        is_ready=lambda: bool(configured().searxng_url),
    )


async def search_web(question: WebQuestion, *, url: str, fetch: Fetch) -> WebHits:
    """Return the results. Raises ToolFailed."""
    service = url if url.rstrip("/").endswith("/search") else url.rstrip("/") + "/search"
    # Strict safe search, because children use it too.
    parameters: dict[str, str | int] = {"q": question.query, "format": "json", "categories": "general", "safesearch": 2}
    fetched = await query_service(
        service, name=NAME, parameters=parameters, media_types=("application/json",), fetch=fetch
    )
    try:
        answer = _SearxngAnswer.model_validate_json(fetched.body)
    except ValidationError:
        raise unreadable_answer(NAME) from None
    found = [result for result in answer.results if is_web_address(result.url)]
    return WebHits(hits=[_hit(result) for result in found[: question.limit]])


def _hit(result: _SearxngResult) -> WebHit:
    title = single_line(result.title, characters=TITLE_CHARACTERS)
    return WebHit(
        source=make_source(title=title, url=result.url),
        snippet=single_line(result.content or "", characters=SNIPPET_CHARACTERS),
    )
