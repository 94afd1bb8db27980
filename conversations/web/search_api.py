"""The v2 search API."""

import asyncio
from typing import Literal

from django.http import HttpRequest
from django.utils.html import conditional_escape
from django.utils.translation import gettext as _
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from conversations import access
from conversations.models import TEXT_MAX_LENGTH
from conversations.search import engine
from conversations.search.query import SnippetPiece
from conversations.timestamps import wire_time
from conversations.validators import STORABLE, is_storable
from conversations.web.answers import ResponseSchema
from conversations.web.api import WRITE_REFUSALS

router = Router(tags=["search"])

MOST_RESULTS = 100


class SearchRequest(Schema):
    """A search request. A query of more than 10,000 characters gives 413."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        json_schema_extra={"maxLength": TEXT_MAX_LENGTH, "pattern": STORABLE}, examples=["equal parts of a whole"]
    )
    limit: int = Field(20, ge=1, le=MOST_RESULTS)
    mode: Literal["keyword", "semantic", "hybrid"] = "hybrid"


class SearchResult(ResponseSchema):
    kind: str
    """`message`, `document` or `course`."""
    id: str
    """Unique within its kind."""
    session_id: str | None
    text: str
    snippet: str
    """Safe HTML; matches are in `<mark>`."""
    score: float
    """0–1."""
    timestamp: str | None
    title: str
    url: str
    """The page where it can be read in context."""
    page: int | None


class SearchResults(ResponseSchema):
    query: str
    mode: str
    """The mode that was used; `keyword` if the sentence model is missing."""
    notice: str
    """Why this is not the requested mode; empty if it is."""
    results: list[SearchResult]
    count: int


@router.post(
    "/search",
    response={200: SearchResults, **WRITE_REFUSALS},
    operation_id="search",
    summary="Search your messages, the documents you can read, and the courses",
)
async def search(request: HttpRequest, asked: SearchRequest) -> SearchResults:
    """Search by words, by meaning, or both. Messages are found by words, in every mode except `semantic`."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api.ninja_api` found them.
    await in_orm_thread(access.require_enabled)(person)
    query = checked_query(asked.query)
    if not engine.is_loaded():
        # Not in the shared ORM thread, which all others use.
        await asyncio.to_thread(engine.load_search)
    answer = await in_orm_thread(engine.search)(person, query, mode=asked.mode, limit=asked.limit)
    results = [_result(found) for found in answer.found]
    return SearchResults(query=query, mode=answer.mode, notice=answer.notice, results=results, count=len(results))


def checked_query(query: str) -> str:
    """Return the query. Raises Rejection: 413 if it is too long, 422 if it cannot be stored."""
    if len(query) > TEXT_MAX_LENGTH:
        raise rejections.too_large(_("A search can be at most %(limit)s characters long.") % {"limit": TEXT_MAX_LENGTH})
    if not is_storable(query):
        raise rejections.invalid(
            "query", _("Your search contains characters that can’t be used. Type it again without them.")
        )
    return query


def _result(found: engine.SearchHit) -> SearchResult:
    return SearchResult(
        kind=found.kind,
        id=found.id,
        session_id=found.session_key,
        text=found.text,
        snippet=snippet_html(found.snippet),
        score=round(found.score, 4),
        timestamp=wire_time(found.at),
        title=found.title,
        url=found.url,
        page=found.page,
    )


def snippet_html(snippet: tuple[SnippetPiece, ...]) -> str:
    """Return a snippet as HTML: its text escaped, its hits marked."""
    escaped = ((conditional_escape(piece.text), piece.is_hit) for piece in snippet)
    return "".join(f"<mark>{text}</mark>" if is_hit else text for text, is_hit in escaped)
