"""The companion's calls: a message and its answer, whole or as a stream, and the state of a session."""

import json
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any

from asgiref.sync import sync_to_async
from django.http import HttpRequest, StreamingHttpResponse
from django.utils.translation import gettext as _
from ninja import Field, Path, Router, Schema
from pydantic import ConfigDict

from agents.storage.threads import in_orm_thread
from conversations import access, validators
from conversations.cards import add_card_texts
from conversations.companion.answers import ChatAnswer, build_chat_answer
from conversations.companion.checkpoints import SessionCheckpoint, load_checkpoint
from conversations.companion.workspaces import NAME_MAX_LENGTH, require_workspace
from conversations.history import actions
from conversations.models import Session
from conversations.owners import Owner
from conversations.turns import begin, notices, whole_turns
from conversations.turns.begin import AcceptedTurn
from conversations.turns.feed import Wire
from conversations.turns.stream import watch
from conversations.turns.supervisor import supervisor
from conversations.web.answers import ResponseSchema
from conversations.web.api import READ_REFUSALS, WRITE_REFUSALS, SessionKey

router = Router(tags=["companion"])

CHAT_REFUSALS: dict[int, Any] = {status: body for status, body in WRITE_REFUSALS.items() if status != 501}
"""Rejections of a message: the companion is always on."""
DELETE_REFUSALS: dict[int, Any] = READ_REFUSALS | {403: READ_REFUSALS[404]}

WorkspaceName = Annotated[
    str, Field(json_schema_extra={"minLength": 1, "maxLength": NAME_MAX_LENGTH, "pattern": r"^[-a-zA-Z0-9_]+$"})
]


class ChatRequest(Schema):
    """A message to the companion; a new session is created for an unknown id."""

    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)

    message: str = Field(json_schema_extra=validators.TEXT_SCHEMA, examples=["Remind me to bring my ruler tomorrow."])
    """It must not be blank or contain NUL characters. More than 10,000 characters return 413."""
    session_id: SessionKey | None = None
    """Your own name for the conversation, private to its owner, as in `POST /v2/conversation`. Without one, a new
    conversation is created."""
    workspace: WorkspaceName | None = None
    """The workspace whose tasks, events, meals and notes the message is about; `personal` always exists. Without one, the
    session's own, which is `personal` in a new session. A workspace that is unknown or not yours returns 404."""


class DeletedSession(ResponseSchema):
    """A session that was deleted."""

    message: str


class StreamedEvent(ResponseSchema):
    """An event of the turn, as listed in docs/reference/events.md."""

    type: str
    seq: int
    turn_id: str
    at: str


@router.post(
    "/chat",
    response={200: ChatAnswer, **CHAT_REFUSALS},
    operation_id="chat",
    url_name="chat",
    by_alias=True,
    summary="Send a message to the companion and wait for the whole answer",
)
async def chat(request: HttpRequest, said: ChatRequest) -> ChatAnswer:
    """Tasks, events, meals and notes are served by their own agents; all other messages by the tutor."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api.ninja_api` found them.
    accepted = await _start(person, said)
    turn = await whole_turns.wait_for_end(accepted.turn.pk)
    return await in_orm_thread(build_chat_answer)(turn, person)


@router.post(
    "/chat/stream",
    response={200: StreamedEvent, **CHAT_REFUSALS},
    operation_id="chat_stream",
    url_name="chat-stream",
    summary="Send a message to the companion and get its events as they come",
)
async def chat_stream(request: HttpRequest, said: ChatRequest) -> StreamingHttpResponse:
    """The answer is an event stream, `text/event-stream`: it begins as soon as the message is stored, and ends with
    `turn_finished`. The turn goes on if you close the connection."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    accepted = await _start(person, said)
    return StreamingHttpResponse(
        _lines(accepted, person),
        content_type="text/event-stream",
        # A proxy that collects the answer first would make a stream useless.
        headers={"Cache-Control": "no-cache", "X-Accel-Buffering": "no", "X-Turn-Id": str(accepted.turn.pk)},
    )


@router.get(
    "/session/{path:session_id}",
    response={200: SessionCheckpoint, **READ_REFUSALS},
    operation_id="companion_session",
    url_name="companion-session",
    summary="Get the state of a session",
)
def companion_session(request: HttpRequest, session_id: Path[SessionKey]) -> SessionCheckpoint:
    return load_checkpoint(access.session_for(request.auth, session_id))  # type: ignore[attr-defined]  # Ninja's.


@router.delete(
    "/session/{path:session_id}",
    response={200: DeletedSession, **DELETE_REFUSALS},
    operation_id="delete_session",
    url_name="delete-session",
    summary="Delete a session for good",
)
async def delete_session(request: HttpRequest, session_id: Path[SessionKey]) -> DeletedSession:
    """Delete a conversation and all that is cached of it, and stop what runs in it. Tasks, events, meals and notes stay."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's.
    session, unfinished = await sync_to_async(_delete)(person, session_id)
    for turn_id in unfinished:
        await supervisor.stop_anywhere(turn_id)
    notices.notify_session_deleted(session)
    return DeletedSession(message=_("The conversation was deleted."))


async def _start(person: Owner, said: ChatRequest) -> AcceptedTurn:
    """Store the message's turn and have it served. Raises Rejection for anything wrong with the request."""
    text = validators.validate_text(said.message, field="message")
    key = validators.validate_session_key(said.session_id) if said.session_id is not None else None
    if said.workspace is not None:
        await in_orm_thread(require_workspace)(person, said.workspace)
    wanted = {"owner": person, "session_key": key, "text": text, "workspace": said.workspace or ""}
    return await whole_turns.start_turn(partial(begin.begin_turn, **wanted))


async def _lines(accepted: AcceptedTurn, person: Owner) -> AsyncIterator[str]:
    async for batch in watch(accepted.turn.pk, after=0):
        for event in await _with_card_texts(batch, person):
            yield f"data: {json.dumps(event, ensure_ascii=False)}\n\n"


async def _with_card_texts(batch: list[Wire], person: Owner) -> list[Wire]:
    has_cards = any(event["type"] == "card" for event in batch)
    return await in_orm_thread(add_card_texts)(batch, person) if has_cards else batch


def _delete(person: Owner, key: str) -> tuple[Session, Any]:
    session = access.session_for(person, key)
    unfinished = actions.delete(session)
    # Not to the trash: whoever deletes by API has asked for it to be gone.
    actions.delete_forever(person, session.pk)
    return session, unfinished
