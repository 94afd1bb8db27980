"""The v1 HTTP API: ask one agent, search, history, figures; and the call that chooses between v1 and v2."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, Path, Query, Router, Schema, Status
from pydantic import ConfigDict

from agents.wire import rejections
from conversations import access, validators
from conversations.models import TEXT_MAX_LENGTH
from conversations.owners import Owner
from conversations.search.query import QueryTerm, parse_query, snippet
from conversations.timestamps import wire_time
from conversations.turns.handler import Intent
from conversations.v1 import smart
from conversations.v1.conversation import SingleAgentAnswer, ask_single_agent
from conversations.v1.spoken import spoken_text
from conversations.v1_storage import exchanges
from conversations.v1_storage.exchange_search import search_exchanges
from conversations.v1_storage.figures import count_exchanges
from conversations.v1_storage.history import read_history
from conversations.web.answers import Answer, ResponseSchema
from conversations.web.api import PAGE_LIMIT, READ_REFUSALS, WRITE_REFUSALS, QueryParameters, SessionKey
from conversations.web.search_api import MOST_RESULTS, checked_query, snippet_html

router = Router(tags=["v1"])

Text = Annotated[str, Field(json_schema_extra=validators.TEXT_SCHEMA)]
Audio = Annotated[str, Field(json_schema_extra={"contentEncoding": "base64"})]


class AskRequest(Schema):
    """A message, as text or as a recording. Without both, the answer is 400."""

    model_config = ConfigDict(
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_extra={
            "anyOf": [
                {"required": ["text"], "properties": {"text": {"type": "string"}}},
                {"required": ["audio_base64"], "properties": {"audio_base64": {"type": "string"}}},
            ]
        },
    )

    session_id: SessionKey | None = None
    """As in `POST /v2/conversation`."""
    text: Text | None = Field(None, examples=["What is a half?"])
    """The learner's message. It must not be blank or contain NUL characters. More than 10,000 characters return 413."""
    audio_base64: Audio | None = None
    """A recording in base64: WebM, Ogg, WAV or MP4, at most two minutes and 10 MB. It is transcribed and not stored. It
    is ignored if there is a `text`. Returns 501 if the server cannot transcribe."""


class ExchangeAnswer(ResponseSchema):
    """A message and its reply."""

    session_id: str
    user_text: str
    """The message; of a recording, what was understood."""
    agent_text: str
    """The whole reply in words, as Markdown, with each card in words where it was shown."""
    intent: Intent
    """What the message does."""
    timestamp: str
    """When the message was accepted."""


class SmartAnswer(ExchangeAnswer):
    """The same, and which API served it."""

    served_by: Literal["v1", "v2"]
    """`v1`: one agent answered; `v2`: the team did, as in `POST /v2/conversation`."""
    v2: Answer | None
    """The whole answer, if the team gave it."""


class Exchange(ResponseSchema):
    id: str
    """The id of the turn. An imported message that is not in v2's store yet has a different id until it is."""
    timestamp: str
    user_text: str
    """Empty if a turn began without a message, such as when a lesson was opened."""
    agent_text: str
    """Empty until the reply is finished."""
    metadata: dict[str, Any]
    """The turn's `kind` and `status`, its figures as in `Metadata`, and what was imported with it."""


class History(ResponseSchema):
    session_id: str
    history: list[Exchange]
    """The latest ones, oldest first."""
    count: int


class HistoryQuery(QueryParameters):
    limit: int = Field(20, ge=1, le=PAGE_LIMIT)


class ExchangeSearchRequest(Schema):
    """A search request. A query of more than 10,000 characters gives 413."""

    model_config = ConfigDict(extra="forbid")

    query: str = Field(
        json_schema_extra={"maxLength": TEXT_MAX_LENGTH, "pattern": validators.STORABLE},
        examples=["equal parts"],
    )
    limit: int = Field(20, ge=1, le=MOST_RESULTS)


class ExchangeHit(ResponseSchema):
    id: str
    session_id: str
    timestamp: str
    user_text: str
    agent_text: str
    user_snippet: str
    """Safe HTML; matches are in `<mark>`."""
    agent_snippet: str


class ExchangeHits(ResponseSchema):
    query: str
    results: list[ExchangeHit]
    """The latest ones first."""
    count: int


class StoredFigures(ResponseSchema):
    total_captures: int
    """Number of messages with their replies."""
    unique_sessions: int
    last_capture: str | None
    """When the latest message was accepted; null if there is none."""


class SessionFigures(ResponseSchema):
    active: int
    """Number of conversations with a message in the last 30 minutes."""
    ids: list[str]
    """Their names, the latest first, at most 100."""


class Stats(ResponseSchema):
    """Figures of your own messages on all surfaces; of everybody's, for an admin whose token has the scope `admin`."""

    database: StoredFigures
    sessions: SessionFigures


@router.post(
    "/conversation",
    response={200: ExchangeAnswer, **WRITE_REFUSALS},
    operation_id="ask",
    url_name="ask",
    summary="Send a message to one agent and wait for the whole answer",
)
async def ask(request: HttpRequest, said: AskRequest) -> Status[Any]:
    """The tutor alone answers, whatever the conversation's own setting says."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api.ninja_api` found them.
    key, text = await _message(person, said)
    return Status(200, _wire(await ask_single_agent(person, text, key)))


@router.post(
    "/conversation/smart",
    response={200: SmartAnswer, **WRITE_REFUSALS},
    operation_id="ask_smart",
    url_name="ask-smart",
    summary="Send a message to one agent or to the team, whichever fits",
)
async def ask_smart(request: HttpRequest, said: AskRequest) -> Status[Any]:
    """The team answers a question that asks for an explanation or for facts, if the team is enabled for you. If the team
    fails before its first words, one agent answers in its place; there is always one answer.
    """
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    key, text = await _message(person, said)
    answer = await smart.ask(person, text, key)
    return Status(200, _wire(answer.exchange) | {"served_by": "v1" if answer.v2 is None else "v2", "v2": answer.v2})


async def _message(person: Owner, said: AskRequest) -> tuple[str | None, str]:
    """Return the session key and the text, transcribed if it was spoken. Raises Rejection, 400 if there is neither."""
    key = validators.validate_session_key(said.session_id) if said.session_id is not None else None
    if said.text:
        return key, validators.validate_text(said.text)
    if not said.audio_base64:
        raise rejections.unreadable(_("Send a text or a recording."))
    return key, await spoken_text(person, said.audio_base64, field="audio_base64")


def _wire(answer: SingleAgentAnswer) -> dict[str, Any]:
    return {
        "session_id": answer.session_key,
        "user_text": answer.user_text,
        "agent_text": answer.agent_text,
        "intent": answer.intent,
        "timestamp": answer.timestamp,
    }


@router.post(
    "/search",
    response={200: ExchangeHits, **WRITE_REFUSALS},
    operation_id="search_exchanges",
    url_name="search-exchanges",
    summary="Search your messages and their replies by words",
)
def search(request: HttpRequest, asked: ExchangeSearchRequest) -> dict[str, Any]:
    """A message and its reply together contain all words; a quoted phrase is in one of them, a word with a minus in neither."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    query = checked_query(asked.query)
    terms = parse_query(query)
    found = search_exchanges(person, query, limit=asked.limit)
    results = [{"session_id": each.session_key, **_stored(each), **_snippets(each, terms)} for each in found]
    return {"query": query, "results": results, "count": len(results)}


@router.get(
    "/session/{path:session_id}/history",
    response={200: History, **READ_REFUSALS},
    operation_id="history",
    summary="List a conversation's messages with their replies, oldest first",
)
def history(request: HttpRequest, session_id: Path[SessionKey], page: Query[HistoryQuery]) -> dict[str, Any]:
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    found = read_history(person, session_id, page.limit)
    if not found:
        # A conversation may be without messages, or in v1's storage alone.
        access.session_for(person, session_id)
    rows = [_stored(each) | {"metadata": each.metadata} for each in found]
    return {"session_id": session_id, "history": rows, "count": len(rows)}


def _stored(exchange: exchanges.Exchange) -> dict[str, Any]:
    return {
        "id": exchange.id,
        "timestamp": wire_time(exchange.timestamp),
        "user_text": exchange.user_text,
        "agent_text": exchange.agent_text,
    }


def _snippets(exchange: exchanges.Exchange, terms: Sequence[QueryTerm]) -> dict[str, str]:
    # Emphasis is rendered on a page; here it would show as asterisks.
    agent_text = exchange.agent_text.replace("**", "").replace("`", "")
    texts = {"user_snippet": exchange.user_text, "agent_snippet": agent_text}
    return {name: snippet_html(snippet(text, terms)) for name, text in texts.items()}


@router.get("/stats", response={200: Stats, **READ_REFUSALS}, operation_id="stats", summary="Count your messages")
def stats(request: HttpRequest) -> dict[str, Any]:
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    return count_exchanges(person, of_everybody=person.is_staff and "admin" in person.scopes)
