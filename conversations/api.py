"""The v2 surface over HTTP: converse, list sessions and turns, replay events."""

import asyncio
import uuid
from functools import partial
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Field, File, Query, Router, Schema, Status
from ninja.files import UploadedFile
from pydantic import ConfigDict, ValidationInfo, model_validator

from agents import rejections
from agents.conf import agent_settings
from agents.threads import in_orm_thread
from conversations import access, drill, given, turns
from conversations.answers import turn_state, whole_answer, wire_time
from conversations.library import attaching, uploads
from conversations.models import Event, Message, Session, Turn
from conversations.supervisor import supervisor

router = Router(tags=["conversations"])

PAGE_LIMIT = 100
PATIENCE_S = 60.0
"""How much longer than a turn's own time its answer is waited for, in seconds: another process may have to redo it."""


class Said(Schema):
    """A message to a session; a session new to the caller begins with it."""

    model_config = ConfigDict(extra="forbid")

    text: str
    session_id: str | None = None
    attachments: list[str] = []
    client_id: str | None = None


class Waiting(Schema):
    """A message that is stored and waits until the process has room for it."""

    turn_id: uuid.UUID
    queued: int
    """Its place in the line, counted from 1."""


class Parameters(Schema):
    """What stands behind the `?`. Ninja passes on only what it knows, so that the rest is looked for here."""

    @model_validator(mode="before")
    @classmethod
    def _unknown_ones_are_refused(cls, values: Any, info: ValidationInfo) -> Any:
        given = info.context["request"].GET if info.context else {}
        if unknown := sorted(given.keys() - cls.model_fields.keys()):
            raise rejections.unknown_fields(unknown)
        return values


class Page(Parameters):
    """Which turns of a session to list."""

    limit: int = Field(20, ge=1, le=PAGE_LIMIT)
    before: uuid.UUID | None = None
    """List the turns before this one."""


class Listing(Parameters):
    limit: int = Field(50, ge=1, le=PAGE_LIMIT)


class After(Parameters):
    after: int = Field(0, ge=0, lt=2**31)


def _checked(said: Said) -> dict[str, Any]:
    return {
        "session_key": given.checked_key(said.session_id) if said.session_id is not None else None,
        "text": given.checked_text(said.text),
        "attachments": attaching.checked_ids(said.attachments),
        "client_id": given.checked_client_id(said.client_id) if said.client_id is not None else None,
    }


@router.post(
    "/conversation",
    response={200: dict[str, Any], 202: Waiting},
    summary="Say something and wait for the whole answer",
)
async def converse(request: HttpRequest, said: Said) -> Status[Any]:
    """Begin a turn and answer when it has ended; at once where it has to wait. The same `client_id` is the same turn."""
    owner = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api` found them.
    await in_orm_thread(access.refuse_unless_enabled)(owner)
    unit = partial(turns.begin_turn, owner=owner, **_checked(said))
    accepted = await supervisor.writer.write(unit)
    if accepted.created:
        drill.step("after_accept")
    supervisor.start(accepted)
    if position := supervisor.position(accepted.turn.pk):
        return Status(202, {"turn_id": accepted.turn.pk, "queued": position})
    await supervisor.finished(accepted.turn.pk)
    turn = await _ended(accepted.turn.pk)
    return Status(200, await in_orm_thread(whole_answer)(turn))


async def _ended(turn_id: uuid.UUID) -> Turn:
    """Return the turn when it has ended, here or in another process. Raise Rejection 503 when it takes too long."""
    try:
        async with asyncio.timeout(agent_settings().turn_timeout_s + PATIENCE_S):
            while True:
                turn = await in_orm_thread(Turn.objects.select_related("session").get)(pk=turn_id)
                if not turn.is_open:
                    return turn
                await asyncio.sleep(0.2)
    except TimeoutError:
        raise rejections.unavailable(
            _("This takes too long. Your message is kept; ask for its answer later.")
        ) from None


class Attachment(Schema):
    """A file that was taken; its text and pages come once it has been read."""

    id: uuid.UUID
    name: str
    media_type: str
    size: int
    text: str | None = None
    pages: int | None = None


@router.post(
    "/attachments",
    response={201: Attachment},
    exclude_unset=True,
    url_name="attach",
    summary="Send a file, to go with a message",
)
def attach(request: HttpRequest, file: File[UploadedFile]) -> Status[Any]:
    """Take a file of the kinds named in the documentation, 10 MB at most. Its `id` goes into a message's `attachments`."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    access.refuse_unless_enabled(person)
    unknown = (request.POST.keys() | request.FILES.keys()) - {"file", "csrfmiddlewaretoken"}
    if unknown:
        raise rejections.unknown_fields(sorted(unknown))
    if len(request.FILES.getlist("file")) > 1:
        raise rejections.invalid("file", _("Send one file at a time."))
    return Status(201, uploads.as_wire(uploads.take(person, file, in_library=False)))


@router.get("/sessions", summary="Own conversations, newest first")
def sessions(request: HttpRequest, page: Query[Listing]) -> list[dict[str, Any]]:
    rows = Session.objects.filter(owner=request.auth).order_by("-updated_at")[: page.limit]  # type: ignore[attr-defined]  # Ninja's.
    return [
        {
            "session_id": row.key,
            "title": row.title,
            "created_at": wire_time(row.created_at),
            "updated_at": wire_time(row.updated_at),
        }
        for row in rows
    ]


@router.get("/sessions/{path:session_id}/turns", summary="A conversation's turns, oldest first")
def session_turns(request: HttpRequest, session_id: str, page: Query[Page]) -> dict[str, Any]:
    session = access.session_for(request.auth, session_id)  # type: ignore[attr-defined]  # Ninja's.
    rows = session.turns.filter(replaced_by=None).order_by("-number")
    if page.before is not None:
        before = access.turn_for(request.auth, page.before)  # type: ignore[attr-defined]  # Ninja's.
        if before.session != session:
            raise rejections.not_found()
        rows = rows.filter(number__lt=before.number)
    shown = list(rows[: page.limit])[::-1]
    said = {(m.turn_id, m.author): m.text for m in Message.objects.filter(turn__in=shown)}
    return {
        "session_id": session.key,
        "turns": [
            {
                "turn_id": str(turn.pk),
                "user_text": said.get((turn.pk, "learner"), ""),
                "agent_text": said.get((turn.pk, "team"), ""),
                "status": turn.status,
                "created_at": wire_time(turn.created_at),
            }
            for turn in shown
        ],
    }


@router.get("/turns/{turn_id}", summary="A turn's state and answer")
def turn(request: HttpRequest, turn_id: str) -> dict[str, Any]:
    return turn_state(access.turn_for(request.auth, turn_id))  # type: ignore[attr-defined]  # Ninja's.


@router.get("/turns/{turn_id}/events", summary="A turn's stored events")
def turn_events(request: HttpRequest, turn_id: str, page: Query[After]) -> dict[str, Any]:
    found = access.turn_for(request.auth, turn_id)  # type: ignore[attr-defined]  # Ninja's.
    rows = Event.objects.filter(turn=found, seq__gt=page.after).order_by("seq")
    return {"turn_id": str(found.pk), "events": list(rows.values_list("body", flat=True)[:1000])}
