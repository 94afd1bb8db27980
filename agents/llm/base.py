"""The interface of a backend: a question to a model in, pieces of its answer out. Both in our own words."""

import math
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Literal

from pydantic import BaseModel

from agents.errors import OutsideCallForbidden
from agents.llm.call_context import NO_CONTEXT, CallContext
from agents.llm.prices import Price
from agents.llm.prompt import Prompt
from agents.llm.token_usage import Usage
from agents.tools import Tool
from agents.values import value

outside_calls_allowed = True
"""The one switch for calls that cost money: tests turn it off, and every such call is an error."""

StopReason = Literal["end", "length", "tools"]
"""Why a model stopped: it was done, its room was used up, or it waits for tools. A refusal is LLMRefused."""
OutputShape = Literal["schema", "json", "text"]
"""How a server is held to a result's shape: by its schema, to any JSON object, or by words alone."""


@value
class Image:
    media_type: str
    data: bytes


@value
class ChatText:
    """What somebody said, or showed."""

    author: Literal["learner", "team"]
    text: str
    images: tuple[Image, ...] = ()


@value
class ToolRequest:
    """A tool that the model wants used. Also a piece of an answer."""

    id: str
    name: str
    arguments: str
    """JSON as the model wrote it: nobody has checked it."""


@value
class ToolResponse:
    id: str
    name: str
    text: str
    ok: bool = True


Message = ChatText | ToolRequest | ToolResponse


@value
class ModelRequest:
    """One question to a model. What is equal but for `prompt`, `ends` and `behalf` asks the same."""

    agent: str
    """Whose question it is, by role name."""
    system: str
    """What holds for every question of the role, its prompt first: the same in every turn, so that providers can cache it."""
    messages: tuple[Message, ...]
    """Oldest first; the first and the last are the learner's, or a tool's."""
    context: str = ""
    """What holds for this turn alone; it is sent as a note at the end of the last message."""
    otherwise: str = ""
    """What is said where no model answers."""
    schema: type[BaseModel] | None = None
    """The shape that the whole answer must have; its text is then not for showing."""
    shape: OutputShape = "schema"
    tools: tuple[Tool, ...] = ()
    output_tokens: int = 1_000
    """The most the answer may have."""
    prompt: Prompt | None = field(default=None, compare=False)
    """What `system` begins with: for the record."""
    ends: float = field(default=math.inf, compare=False)
    """When the answer must be whole, in the event loop's time."""
    behalf: CallContext = field(default=NO_CONTEXT, compare=False)


@value
class TextPiece:
    """A piece of what the agent says."""

    text: str = field(kw_only=False)


@value
class AnswerEnd:
    """The answer is whole. A stream that ends without it is truncated."""

    stop: StopReason = "end"
    usage: Usage
    parsed: BaseModel | None = None
    """The answer in the shape that was asked for."""


AnswerPiece = TextPiece | ToolRequest | AnswerEnd


@dataclass(slots=True, kw_only=True)
class Abilities:
    """What a server can do. Learnt while it is used: a shape that it refuses is not asked of it again."""

    shape: OutputShape = "schema"
    """The strictest that it takes."""
    tools: bool = True
    images: bool = True


class LLMBackend(ABC):
    """Speaks to one provider, and nothing else: retry, limits, budget and recording wrap it from outside."""

    name: str
    model: str = ""
    abilities: Abilities
    price: Price | None = None
    """None where nobody knows it."""
    calls_outside: bool = True
    """Whether a person's words leave this installation: needs their consent."""
    is_local: bool = False
    """Whether it runs on this machine, so that nobody is paid."""

    @abstractmethod
    def stream(self, asked: ModelRequest) -> AsyncGenerator[AnswerPiece]:
        """Yield the answer's pieces, `Ended` last. Raise LLMError, and nothing else, when it cannot."""

    async def aopen(self) -> None:  # noqa: B027  # Most have nothing to open.
        """Do now what this loop's first question would wait for."""

    def refuse_forbidden_call(self) -> None:
        """Raise OutsideCallForbidden where the call would leave the machine and must not."""
        if not self.is_local and not outside_calls_allowed:
            raise OutsideCallForbidden(f"backend {self.name!r} would make a paid call")
