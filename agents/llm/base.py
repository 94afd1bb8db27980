"""Interface of a model backend: takes a request to a model, yields pieces of its answer, in our own types."""

import math
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel

from agents.errors import LLMError, OutsideCallForbidden
from agents.llm.call_context import NO_CONTEXT, CallContext
from agents.llm.prices import Price
from agents.llm.prompt import Prompt
from agents.llm.token_usage import Usage
from agents.tools import Tool
from agents.values import value

outside_calls_allowed = True
"""Switch for paid calls. Tests turn it off; then every such call is an error."""

StopReason = Literal["end", "length", "tools"]
"""Why a model stopped: done, output limit reached, or waiting for tools. A refusal is LLMRefused."""
OutputShape = Literal["schema", "json", "text"]
"""How a server enforces a result's shape: by a schema, by JSON mode, or only by instructions."""


@value
class Image:
    media_type: str
    data: bytes


@value
class ChatText:
    """A message, with images if there are any."""

    author: Literal["learner", "team"]
    text: str
    images: tuple[Image, ...] = ()


@value
class ToolRequest:
    """A tool call requested by the model; also a piece of an answer."""

    id: str
    name: str
    arguments: str
    """JSON as the model wrote it, not validated."""


@value
class ToolResponse:
    id: str
    name: str
    text: str
    ok: bool = True


Message = ChatText | ToolRequest | ToolResponse


@value
class ModelRequest:
    """One request to a model. Requests that differ only in `prompt`, `ends` and `call_context` are equal."""

    agent: str
    """Name of the role that asks."""
    system: str
    """The role's fixed instructions, starting with its prompt. The same in every turn, so providers can cache it."""
    messages: tuple[Message, ...]
    """Oldest first; the first and the last are from the learner or a tool."""
    context: str = ""
    """Instructions for this turn only, sent as a note at the end of the last message."""
    otherwise: str = ""
    """Text to use if no model answers."""
    schema: type[BaseModel] | None = None
    """Schema of the whole answer; its text is then not shown."""
    shape: OutputShape = "schema"
    tools: tuple[Tool, ...] = ()
    output_tokens: int = 1_000
    """Output limit of the answer."""
    prompt: Prompt | None = field(default=None, compare=False)
    """The prompt that `system` starts with, for the call record."""
    ends: float = field(default=math.inf, compare=False)
    """Deadline for the complete answer, in the event loop's time."""
    call_context: CallContext = field(default=NO_CONTEXT, compare=False)


@value
class TextPiece:
    """A piece of what the agent says."""

    text: str = field(kw_only=False)


@value
class AnswerEnd:
    """The answer is complete. A stream that ends without it is truncated."""

    stop: StopReason = "end"
    usage: Usage
    parsed: BaseModel | None = None
    """The answer parsed with the requested schema."""
    failure: type[LLMError] | None = None
    """How the model failed whose words the authored ones replace; None if a model answered."""


AnswerPiece = TextPiece | ToolRequest | AnswerEnd


def is_visible(piece: AnswerPiece, asked: ModelRequest) -> bool:
    """Return whether the caller may already have shown or used the piece; then no other answer may start."""
    return asked.schema is None and not isinstance(piece, AnswerEnd)


@dataclass(slots=True, kw_only=True)
class Abilities:
    """What a server supports, learned in use: a shape that it rejected is not tried again."""

    shape: OutputShape = "schema"
    """The strictest shape it accepts."""
    tools: bool = True
    images: bool = True


class LLMBackend(ABC):
    """Calls one provider, nothing else. Retry, limits, budgets and recording are wrappers around it."""

    name: str
    model: str = ""
    abilities: Abilities
    price: Price | None = None
    """None if unknown."""
    calls_outside: bool = True
    """Whether a person's words leave this site, which needs their consent."""
    is_local: bool = False
    """Whether it runs on this machine and costs nothing."""
    max_parallel: int | None = None
    """Calls at the same time from one process, over all models of the same name; None for no limit."""

    @abstractmethod
    def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        """Yield the answer's pieces, `AnswerEnd` last. Raises LLMError, and nothing else, on failure."""

    @property
    def is_paused(self) -> bool:
        """Whether it has failed so often that calls are paused, except for one that tries it again."""
        return False

    async def aopen(self) -> None:  # noqa: B027  # Most have nothing to open.
        """Prepare this event loop's first request, so that it does not have to wait."""

    def refuse_forbidden_call(self) -> None:
        """Raise OutsideCallForbidden if the call would leave the machine while such calls are forbidden."""
        if not self.is_local and not outside_calls_allowed:
            raise OutsideCallForbidden(f"backend {self.name!r} would make a paid call")
