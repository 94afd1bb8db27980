"""Frames of a run's socket: those a client may send, and those it gets besides events."""

import uuid
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from agents.wire import rejections, strict_json
from agents.wire.rejections import ErrorBody

MAX_FRAME_CHARACTERS = 160_000


class Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, use_attribute_docstrings=True)


class Say(Frame):
    """Sends a message; the events of the turn that answers it follow."""

    type: Literal["message"]
    text: str
    """1 to 10,000 characters, not only whitespace, without NUL."""
    attachments: list[str] = []
    """Ids from `POST /v2/attachments`, at most 5."""
    client_id: str | None = None
    """Your own name for this message, 1 to 64 printable ASCII characters. If you send it again, you get the same turn
    instead of a new one."""
    board: uuid.UUID | None = None
    """The drawing attached to it. The page's drawing board uses this; a program can leave it out."""
    unseen: uuid.UUID | None = None
    """The question that has come but was not shown yet when this was written. The page uses this while it shows the result
    of the question before."""
    replaces: uuid.UUID | None = None
    """The turn whose message this one edits. That turn and all later ones no longer count and are not listed."""


class Stop(Frame):
    """Stops a running turn; it ends with `turn_finished` and the text so far."""

    type: Literal["stop"]
    turn_id: uuid.UUID | None = None
    """The latest turn if none is given."""


class Resume(Frame):
    """Requests a turn's events again from a position. The turn may be finished; if it is running, new events follow."""

    type: Literal["resume"]
    turn_id: uuid.UUID | None = None
    """The latest turn if none is given."""
    after: int = Field(0, ge=0, lt=2**31)
    """The number of the last event you have; 0 for all."""


class Seen(Frame):
    """Acknowledges all events of a turn up to this one. Clients that use it send it every 32 events or every second."""

    type: Literal["seen"]
    turn_id: uuid.UUID
    seq: int = Field(ge=1, lt=2**31)


class Ping(Frame):
    """Checks the connection; the server answers `pong`."""

    type: Literal["ping"]


class Pong(BaseModel):
    """Answers a `ping`."""

    type: Literal["pong"]


class Refetch(BaseModel):
    """Too many events are unacknowledged or unread: no more of this turn is sent until you send `resume`."""

    type: Literal["refetch"]
    turn_id: uuid.UUID
    after: int
    """The event to resume after."""


class ErrorFrame(ErrorBody):
    """One of your frames or the socket itself was rejected; the socket stays open unless a close code follows."""

    type: Literal["error"]


AnyFrame = Annotated[Say | Stop | Resume | Seen | Ping, Field(discriminator="type")]
_frames: TypeAdapter[Say | Stop | Resume | Seen | Ping] = TypeAdapter(AnyFrame)


def parse_json(raw: str) -> dict[str, Any]:
    """Return a frame's fields. Raises Rejection 400 if it is not a JSON object."""
    try:
        content = strict_json.loads(raw)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise rejections.unreadable(_("This frame is not a JSON object."))
    return content


def parse_frame(content: dict[str, Any]) -> Say | Stop | Resume | Seen | Ping:
    """Return the frame. Raises Rejection 422, naming the fields, if it is invalid."""
    try:
        return _frames.validate_python(content)
    except ValidationError as error:
        raise rejections.invalid_fields(error, tag="type") from None
