"""The v2 HTTP API: converse, list sessions and turns, replay events."""

import uuid
from functools import partial
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, File, Path, Query, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import ConfigDict, ValidationInfo, model_validator

from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from agents.wire.rejections import ErrorBody
from conversations import access, validators
from conversations.cards import add_card_texts
from conversations.library import attached_documents, uploads
from conversations.models import Event, Message, Session, TurnStatus
from conversations.timestamps import wire_time
from conversations.turns import begin, whole_turns
from conversations.turns.reply_text import reply_texts
from conversations.turns.supervisor import supervisor
from conversations.web.answers import Answer, ResponseSchema, TurnState, build_answer, build_turn_state

router = Router(tags=["conversations"])

READ_REFUSALS: dict[int, Any] = dict.fromkeys((400, 401, 404, 413, 422, 429, 500, 503), ErrorBody)
"""Rejections of a call that reads."""
WRITE_REFUSALS: dict[int, Any] = READ_REFUSALS | dict.fromkeys((403, 409, 415, 501), ErrorBody)
"""Rejections of a call with a body."""
PAGE_LIMIT = 100
EVENTS_AT_ONCE = 1000


SessionKey = Annotated[str, Field(json_schema_extra=validators.KEY_SCHEMA)]
TurnId = Annotated[str, Field(json_schema_extra={"format": "uuid"})]


class ConverseRequest(Schema):
    """A message to a session; a new session is created for an unknown id."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    text: str = Field(json_schema_extra=validators.TEXT_SCHEMA, examples=["Why do the parts have to be equal?"])
    """The learner's message. It must not be blank or contain NUL characters. More than 10,000 characters return 413."""
    session_id: SessionKey | None = None
    """Your own name for the conversation, private to its owner. Without one, a new conversation is created. It must not
    contain control characters, or `.` or `..` between slashes."""
    attachments: list[str] = Field(
        [],
        json_schema_extra=attached_documents.IDS_SCHEMA,
    )
    """Ids from `POST /v2/attachments`."""
    client_id: str | None = Field(
        None,
        json_schema_extra={"anyOf": [{"type": "string"} | validators.CLIENT_ID_SCHEMA, {"type": "null"}]},
        examples=["4f9d1c"],
    )
    """Your own name for this message, unique among your messages. If you send it again, you get the first answer, and
    the message does not run twice."""


class QueuedTurn(ResponseSchema):
    """The message is stored and waits until the process has capacity."""

    turn_id: uuid.UUID
    queued: int
    """The place in the queue, counting from 1."""


class QueryParameters(Schema):
    """Query parameters. Ninja passes on only known ones, so unknown ones are checked here."""

    @model_validator(mode="before")
    @classmethod
    def _unknown_ones_are_refused(cls, values: Any, info: ValidationInfo) -> Any:
        given = info.context["request"].GET if info.context else {}
        if unknown := sorted(given.keys() - cls.model_fields.keys()):
            raise rejections.unknown_fields(unknown)
        return values


class TurnsQuery(QueryParameters):
    """Which turns of a session to list."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    limit: int = Field(20, ge=1, le=PAGE_LIMIT)
    before: uuid.UUID | None = None
    """List the turns before this one."""


class SessionsQuery(QueryParameters):
    limit: int = Field(50, ge=1, le=PAGE_LIMIT)


class EventsQuery(QueryParameters):
    model_config = ConfigDict(use_attribute_docstrings=True)

    after: int = Field(0, ge=0, lt=2**31)
    """Return the events with a higher number than this."""


class SessionSummary(ResponseSchema):
    session_id: str
    title: str
    created_at: str
    updated_at: str


class TurnSummary(ResponseSchema):
    turn_id: str
    user_text: str
    agent_text: str
    """The whole reply in words, as in `Answer.response`."""
    status: TurnStatus
    created_at: str


class TurnList(ResponseSchema):
    session_id: str
    turns: list[TurnSummary]


class TurnEvents(ResponseSchema):
    """Get a turn's stored events, at most 1,000: request more after the last one."""

    turn_id: str
    # Stored as sent, so not validated again. `learnagent.api.openapi` describes them.
    events: list[dict[str, Any]]


def _validated(said: ConverseRequest) -> dict[str, Any]:
    return {
        "session_key": validators.validate_session_key(said.session_id) if said.session_id is not None else None,
        "text": validators.validate_text(said.text),
        "attachments": attached_documents.validate_ids(said.attachments),
        "client_id": validators.validate_client_id(said.client_id) if said.client_id is not None else None,
    }


@router.post(
    "/conversation",
    response={200: Answer, 202: QueuedTurn, **WRITE_REFUSALS},
    operation_id="converse",
    summary="Send a message and wait for the whole answer",
)
async def converse(request: HttpRequest, said: ConverseRequest) -> Status[Any]:
    """Start a turn and answer when it has ended, or at once if it has to wait.

    The same `client_id` means the same turn.
    """
    owner = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api.ninja_api` found them.
    wanted = _validated(said)
    await in_orm_thread(access.require_enabled)(owner, wanted["session_key"])
    accepted = await whole_turns.start_turn(partial(begin.begin_turn, owner=owner, **wanted))
    if position := supervisor.position(accepted.turn.pk):
        return Status(202, {"turn_id": accepted.turn.pk, "queued": position})
    turn = await whole_turns.wait_for_end(accepted.turn.pk)
    return Status(200, await in_orm_thread(build_answer)(turn, owner))


class Attachment(ResponseSchema):
    """An accepted file; its text and pages are added once it has been read."""

    model_config = ConfigDict(json_schema_serialization_defaults_required=False)

    id: uuid.UUID
    name: str
    media_type: str
    size: int
    text: str | None = None
    pages: int | None = None


@router.post(
    "/attachments",
    response={201: Attachment, **WRITE_REFUSALS},
    operation_id="attach",
    exclude_unset=True,
    url_name="attach",
    summary="Upload a file to attach to a message",
)
def attach(request: HttpRequest, file: File[UploadedFile]) -> Status[Any]:
    """Upload one file of at most 10 MB: PNG, JPEG, WebP, GIF, TIFF, PDF, DOCX, Markdown, plain text, CNXML, or a
    collection of CNXML as `.zip` or `.tar.gz`. Its type is detected from its content. Use its `id` in a message's
    `attachments`.
    """
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    access.require_enabled(person)
    unknown = (request.POST.keys() | request.FILES.keys()) - {"file", "csrfmiddlewaretoken"}
    if unknown:
        raise rejections.unknown_fields(sorted(unknown))
    if len(request.FILES.getlist("file")) > 1:
        raise rejections.invalid("file", _("Send one file at a time."))
    return Status(201, uploads.as_wire(uploads.accept(person, file, in_library=False)))


@router.get(
    "/sessions",
    response={200: list[SessionSummary], **READ_REFUSALS},
    operation_id="sessions",
    summary="List your conversations, newest first",
)
def sessions(request: HttpRequest, page: Query[SessionsQuery]) -> list[dict[str, Any]]:
    rows = Session.objects.filter(owner=request.auth).order_by("-updated_at", "-pk")[: page.limit]  # type: ignore[attr-defined]  # Ninja's.
    return [
        {
            "session_id": row.key,
            "title": row.title,
            "created_at": wire_time(row.created_at),
            "updated_at": wire_time(row.updated_at),
        }
        for row in rows
    ]


@router.get(
    "/sessions/{path:session_id}/turns",
    response={200: TurnList, **READ_REFUSALS},
    operation_id="turns",
    summary="List a conversation's turns, oldest first",
)
def session_turns(request: HttpRequest, session_id: Path[SessionKey], page: Query[TurnsQuery]) -> dict[str, Any]:
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    session = access.session_for(person, session_id)
    rows = session.turns.filter(replaced_by=None).order_by("-number")
    if page.before is not None:
        before = access.turn_for(person, page.before)
        if before.session != session:
            raise rejections.not_found()
        rows = rows.filter(number__lt=before.number)
    shown = list(rows[: page.limit])[::-1]
    messages = list(Message.objects.filter(turn__in=shown))
    said = {each.turn_id: each.text for each in messages if each.author == Message.Author.LEARNER}
    replies = reply_texts([each for each in messages if each.author == Message.Author.TEAM], person)
    return {
        "session_id": session.key,
        "turns": [
            {
                "turn_id": str(turn.pk),
                "user_text": said.get(turn.pk, ""),
                "agent_text": replies.get(turn.pk, ""),
                "status": turn.status,
                "created_at": wire_time(turn.created_at),
            }
            for turn in shown
        ],
    }


@router.get(
    "/turns/{turn_id}",
    response={200: TurnState, **READ_REFUSALS},
    operation_id="turn",
    summary="Get a turn's state and answer",
)
def turn(request: HttpRequest, turn_id: Path[TurnId]) -> TurnState:
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    return build_turn_state(access.turn_for(person, turn_id), person)


@router.get(
    "/turns/{turn_id}/events",
    response={200: TurnEvents, **READ_REFUSALS},
    operation_id="events",
    summary="Get a turn's stored events",
)
def turn_events(request: HttpRequest, turn_id: Path[TurnId], page: Query[EventsQuery]) -> dict[str, Any]:
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    found = access.turn_for(person, turn_id)
    rows = Event.objects.filter(turn=found, seq__gt=page.after).order_by("seq")
    events = add_card_texts(rows.values_list("body", flat=True)[:EVENTS_AT_ONCE], person)
    return {"turn_id": str(found.pk), "events": events}
