"""The search over HTTP."""

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
    """What to look for. A query of more than 10,000 characters is 413."""

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
    """Unique among its kind."""
    session_id: str | None
    text: str
    snippet: str
    """Safe as HTML; what was looked for stands in `<mark>`."""
    score: float
    """0–1."""
    timestamp: str | None
    title: str
    url: str
    """Where it is read in its place."""
    page: int | None


class SearchResults(ResponseSchema):
    query: str
    mode: str
    """How it was really looked for: by keyword where the sentence model is missing."""
    notice: str
    """Why that is another mode than was asked for; empty where it is not."""
    results: list[SearchResult]
    count: int


@router.post(
    "/search",
    response={200: SearchResults, **WRITE_REFUSALS},
    operation_id="search",
    summary="Search own messages, readable documents, and courses",
)
async def search(request: HttpRequest, asked: SearchRequest) -> SearchResults:
    """Find by words, by meaning, or by both. Messages are found by their words, in every mode but `semantic`."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api.ninja_api` found them.
    await in_orm_thread(access.require_enabled)(person)
    query = _checked(asked.query)
    # Not in the thread that all others ask the database in.
    await asyncio.to_thread(engine.load_search)
    answer = await in_orm_thread(engine.search)(person, query, mode=asked.mode, limit=asked.limit)
    results = [_result(found) for found in answer.found]
    return SearchResults(query=query, mode=answer.mode, notice=answer.notice, results=results, count=len(results))


def _checked(query: str) -> str:
    """Return the query. Raise Rejection: 413 for too much, 422 for what no database takes."""
    if len(query) > TEXT_MAX_LENGTH:
        raise rejections.too_large(
            _("What you look for may have at most %(limit)s characters.") % {"limit": TEXT_MAX_LENGTH}
        )
    if not is_storable(query):
        raise rejections.invalid("query", _("This holds characters that cannot be stored. Type it anew."))
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
    """Return a snippet as HTML: its words escaped, its hits marked."""
    escaped = ((conditional_escape(piece.text), piece.is_hit) for piece in snippet)
    return "".join(f"<mark>{text}</mark>" if is_hit else text for text, is_hit in escaped)
