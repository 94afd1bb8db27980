"""Frames of a run's socket: those that a client may send, and those it gets beside events."""

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
    """Says something; the events of the turn that answers it follow."""

    type: Literal["message"]
    text: str
    """Not only white space, without NUL, 10,000 characters at most."""
    attachments: list[str] = []
    """Ids that `POST /v2/attachments` gave, 5 at most."""
    client_id: str | None = None
    """Your own name for this message, 1 to 64 printable ASCII characters: sent again, it shows the same turn again instead
    of beginning another."""
    board: uuid.UUID | None = None
    """The drawing that goes with it: the page's drawing board made it, and a program can leave this out."""
    replaces: uuid.UUID | None = None
    """The turn whose message is said anew in this one. That turn and all after it no longer count, and are not listed."""


class Stop(Frame):
    """Stops a turn that runs; it ends with `turn_finished` and what was said so far."""

    type: Literal["stop"]
    turn_id: uuid.UUID | None = None
    """The latest turn if none is named."""


class Resume(Frame):
    """Asks for a turn's events again from a place on, of a finished one too; one that still runs is followed."""

    type: Literal["resume"]
    turn_id: uuid.UUID | None = None
    """The latest turn if none is named."""
    after: int = Field(0, ge=0, lt=2**31)
    """The number of the last event you have; 0 for all."""


class Seen(Frame):
    """Acknowledges all events of a turn up to one. Who sends it once should do so every 32 events or every second."""

    type: Literal["seen"]
    turn_id: uuid.UUID
    seq: int = Field(ge=1, lt=2**31)


class Ping(Frame):
    """Asks whether the server is there; it answers `pong`."""

    type: Literal["ping"]


class Pong(BaseModel):
    """Answers a `ping`."""

    type: Literal["pong"]


class Refetch(BaseModel):
    """Too much was sent that you have not acknowledged or read: no more of this turn comes until you send `resume`."""

    type: Literal["refetch"]
    turn_id: uuid.UUID
    after: int
    """The event to resume after."""


class ErrorFrame(ErrorBody):
    """A frame of yours was refused, or the socket itself; the socket stays open unless a close code follows."""

    type: Literal["error"]


AnyFrame = Annotated[Say | Stop | Resume | Seen | Ping, Field(discriminator="type")]
_frames: TypeAdapter[Say | Stop | Resume | Seen | Ping] = TypeAdapter(AnyFrame)


def parse_json(raw: str) -> dict[str, Any]:
    """Return a frame's fields. Raise Rejection 400 for what is no JSON object."""
    try:
        content = strict_json.loads(raw)
    except ValueError:
        content = None
    if not isinstance(content, dict):
        raise rejections.unreadable(_("This frame is not a JSON object."))
    return content


def parse_frame(content: dict[str, Any]) -> Say | Stop | Resume | Seen | Ping:
    """Return the frame. Raise Rejection 422, naming the fields, for one of another shape."""
    try:
        return _frames.validate_python(content)
    except ValidationError as error:
        raise rejections.invalid_fields(error, tag="type") from None
