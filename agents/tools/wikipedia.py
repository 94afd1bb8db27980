"""`wikipedia`: tool that finds articles and their beginnings in a MediaWiki."""

from typing import Any

from pydantic import BaseModel, Field, ValidationError

from agents.net import fetch
from agents.net.base import Fetch
from agents.net.text_cleaning import single_line
from agents.tools import Source, Tool, ToolFailed, ToolResult, ToolUse
from agents.tools.outside_services import ServicesGetter, query_service, service_address, unreadable_answer
from agents.tools.sources import WIKIPEDIA, is_web_address, make_source

NAME = "Wikipedia"
PATH = "/w/api.php"
EXTRACT_CHARACTERS = 1_500


class WikipediaQuestion(BaseModel):
    query: str = Field(min_length=1, max_length=300, description="What the article is about, in a few words.")
    limit: int = Field(2, ge=1, le=5, description="The maximum number of articles to return.")


class Article(BaseModel):
    source: Source
    extract: str
    """Its beginning, as plain text."""


class Articles(ToolResult):
    """Articles found, best first; may be empty."""

    articles: list[Article]

    @property
    def summary(self) -> str:
        return "; ".join(article.source.title for article in self.articles) or "No articles found."

    @property
    def sources(self) -> tuple[Source, ...]:
        return tuple(article.source for article in self.articles)


class _MediaWikiPage(BaseModel):
    pageid: int
    index: int
    """Its rank among the results, from 1."""
    title: str
    fullurl: str
    extract: str = ""
    pageprops: dict[str, str] = {}


class _MediaWikiPages(BaseModel):
    pages: list[_MediaWikiPage] = []


class _MediaWikiAnswer(BaseModel):
    """The fields we read of a MediaWiki query answer, format version 2 (mediawiki.org/wiki/API:Query)."""

    query: _MediaWikiPages = _MediaWikiPages()
    error: dict[str, Any] | None = None


def wikipedia(configured: ServicesGetter, *, fetch: Fetch = fetch) -> Tool:
    """Return the tool that queries Wikipedia, or another MediaWiki."""

    async def run(question: Any, _use: ToolUse) -> Articles:
        return await search_articles(question, url=configured().wikipedia_url, fetch=fetch)

    return Tool(
        name="wikipedia",
        description="Find Wikipedia articles and how each begins: for facts, definitions, people, places, history.",
        arguments=WikipediaQuestion,
        run=run,
        is_untrusted=True,
        calls_outside=True,
        is_ready=lambda: bool(configured().wikipedia_url),
    )


async def search_articles(question: WikipediaQuestion, *, url: str, fetch: Fetch) -> Articles:
    """Return the matching articles, in one request. Raises ToolFailed."""
    parameters: dict[str, str | int] = {
        "action": "query",
        "format": "json",
        "formatversion": 2,
        "generator": "search",
        "gsrsearch": question.query,
        # A few more, because disambiguation pages are dropped.
        "gsrlimit": question.limit + 2,
        "prop": "extracts|info|pageprops",
        "exintro": 1,
        "explaintext": 1,
        "exlimit": "max",
        "inprop": "url",
        "ppprop": "disambiguation",
        "redirects": 1,
    }
    fetched = await query_service(
        service_address(url, path=PATH),
        name=NAME,
        parameters=parameters,
        media_types=("application/json",),
        fetch=fetch,
    )
    try:
        answer = _MediaWikiAnswer.model_validate_json(fetched.body)
    except ValidationError:
        raise unreadable_answer(NAME) from None
    if answer.error is not None:
        raise ToolFailed(f"{NAME} could not understand the question.")
    return Articles(articles=_articles(answer.query.pages)[: question.limit])


def _articles(pages: list[_MediaWikiPage]) -> list[Article]:
    good = [page for page in pages if "disambiguation" not in page.pageprops and is_web_address(page.fullurl)]
    return [
        Article(
            source=make_source(
                title=single_line(page.title, characters=200),
                url=page.fullurl,
                type="wikipedia",
                id=str(page.pageid),
                credibility=WIKIPEDIA,
            ),
            extract=single_line(page.extract, characters=EXTRACT_CHARACTERS),
        )
        for page in sorted(good, key=lambda page: page.index)
    ]
