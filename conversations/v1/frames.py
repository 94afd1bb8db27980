"""Frames of the v1 socket: what a client may send, and what it gets."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from agents.sockets.frames import Frame, Ping
from agents.wire import rejections
from agents.wire.rejections import ErrorDetails
from conversations.turns.handler import Intent


class SayText(Frame):
    """Sends a message; its reply comes as one `response`."""

    type: Literal["text"]
    text: str
    """1 to 10,000 characters, not only whitespace, without NUL."""


class SayAudio(Frame):
    """Sends a recording; it is transcribed, and then answered like a text. The frame may have up to 1 MB."""

    type: Literal["audio"]
    audio: str
    """The recording in base64: WebM, Ogg, WAV or MP4, at most two minutes."""


class End(Frame):
    """Asks for a summary of the conversation. It can go on after that."""

    type: Literal["end"]


class Response(BaseModel):
    """The reply to a message."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: Literal["response"]
    user_text: str
    """The message; of a recording, what was understood."""
    agent_text: str
    """The whole reply in words, as Markdown."""
    intent: Intent
    """What the message does."""


class Summary(BaseModel):
    """What happened in the conversation."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: Literal["summary"]
    text: str
    """A few sentences of Markdown."""


class PlainErrorFrame(BaseModel):
    """A frame or the socket itself was rejected; the socket stays open unless a close code follows."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    type: Literal["error"]
    message: str
    """A message to show to the person; the same as in `error`."""
    error: ErrorDetails


type AnyV1Frame = SayText | SayAudio | End | Ping
_frames: TypeAdapter[AnyV1Frame] = TypeAdapter(Annotated[SayText | SayAudio | End | Ping, Field(discriminator="type")])


def parse_v1_frame(content: dict[str, Any]) -> AnyV1Frame:
    """Return the frame. Raises Rejection 422, naming the fields, if it is invalid."""
    try:
        return _frames.validate_python(content)
    except ValidationError as error:
        raise rejections.invalid_fields(error, tag="type") from None
