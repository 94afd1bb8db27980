"""The search over HTTP."""

import asyncio
from typing import Literal

from django.http import HttpRequest
from django.utils.html import conditional_escape
from django.utils.translation import gettext as _
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from agents import rejections
from agents.threads import in_orm_thread
from conversations import access
from conversations.answers import Told, wire_time
from conversations.api import WRITE
from conversations.given import STORABLE, is_storable
from conversations.history.terms import Piece
from conversations.models import TEXT_MAX_LENGTH
from conversations.searching import sources

router = Router(tags=["search"])

MOST_RESULTS = 100


class Asked(Schema):
    """What to look for. A query of more than 10,000 characters is 413."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        json_schema_extra={"maxLength": TEXT_MAX_LENGTH, "pattern": STORABLE}, examples=["equal parts of a whole"]
    )
    limit: int = Field(20, ge=1, le=MOST_RESULTS)
    mode: Literal["keyword", "semantic", "hybrid"] = "hybrid"


class Result(Told):
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


class Results(Told):
    query: str
    mode: str
    """How it was really looked for: by keyword where the sentence model is missing."""
    notice: str
    """Why that is another mode than was asked for; empty where it is not."""
    results: list[Result]
    count: int


@router.post(
    "/search",
    response={200: Results, **WRITE},
    operation_id="search",
    summary="Search own messages, readable documents, and courses",
)
async def search(request: HttpRequest, asked: Asked) -> Results:
    """Find by words, by meaning, or by both. Messages are found by their words, in every mode but `semantic`."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api` found them.
    await in_orm_thread(access.refuse_unless_enabled)(person)
    query = _checked(asked.query)
    # Not in the thread that all others ask the database in.
    await asyncio.to_thread(sources.get_ready)
    answer = await in_orm_thread(sources.search)(person, query, mode=asked.mode, limit=asked.limit)
    results = [_result(found) for found in answer.found]
    return Results(query=query, mode=answer.mode, notice=answer.notice, results=results, count=len(results))


def _checked(query: str) -> str:
    """Return the query. Raise Rejection: 413 for too much, 422 for what no database takes."""
    if len(query) > TEXT_MAX_LENGTH:
        raise rejections.too_large(
            _("What you look for may have at most %(limit)s characters.") % {"limit": TEXT_MAX_LENGTH}
        )
    if not is_storable(query):
        raise rejections.invalid("query", _("This holds characters that cannot be stored. Type it anew."))
    return query


def _result(found: sources.Found) -> Result:
    return Result(
        kind=found.kind,
        id=found.id,
        session_id=found.session_key,
        text=found.text,
        snippet=as_html(found.snippet),
        score=round(found.score, 4),
        timestamp=wire_time(found.at),
        title=found.title,
        url=found.url,
        page=found.page,
    )


def as_html(snippet: tuple[Piece, ...]) -> str:
    """Return a snippet as HTML: its words escaped, its hits marked."""
    escaped = ((conditional_escape(piece.text), piece.is_hit) for piece in snippet)
    return "".join(f"<mark>{text}</mark>" if is_hit else text for text, is_hit in escaped)
