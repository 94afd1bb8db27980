"""Frames that a client may send over a run's socket."""

import uuid
from typing import Annotated, Any, Literal

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from agents import rejections, strict_json

MAX_FRAME_CHARACTERS = 160_000


class Frame(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Say(Frame):
    type: Literal["message"]
    text: str
    attachments: list[str] = []
    client_id: str | None = None
    board: uuid.UUID | None = None
    """The drawing that goes with it."""
    replaces: uuid.UUID | None = None
    """The turn whose message is said anew in this one."""


class Stop(Frame):
    type: Literal["stop"]
    turn_id: uuid.UUID | None = None
    """The latest turn if none is named."""


class Resume(Frame):
    type: Literal["resume"]
    turn_id: uuid.UUID | None = None
    after: int = Field(0, ge=0, lt=2**31)


class Seen(Frame):
    type: Literal["seen"]
    turn_id: uuid.UUID
    seq: int = Field(ge=1, lt=2**31)


class Ping(Frame):
    type: Literal["ping"]


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
        raise rejections.invalid_fields(error) from None
