"""The interface of a backend: a call in, pieces of its answer out."""

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from dataclasses import field
from typing import ClassVar

from pydantic import BaseModel

from agents.errors import OutsideCallForbidden
from agents.events import Event
from agents.outcomes import Usage
from agents.roles import Plan, Request, Role
from agents.values import value

outside_calls_allowed = True
"""The one switch for calls that cost money: tests turn it off, and every such call is an error."""


@value
class Call:
    """One question to a backend."""

    role: Role
    request: Request
    plan: Plan


@value
class Text:
    """A piece of what the agent says."""

    text: str = field(kw_only=False)


@value
class Shown:
    """An event that belongs at this place of the answer: a card, a finding."""

    event: Event = field(kw_only=False)


@value
class Completed:
    """The answer is whole. A stream that ends without it is truncated."""

    result: BaseModel | None
    usage: Usage


Piece = Text | Shown | Completed


class LLMBackend(ABC):
    """Speaks to one provider, and nothing else: retry, limits, budget and recording wrap it from outside."""

    name: ClassVar[str]
    calls_outside: ClassVar[bool] = True
    """Whether a call leaves this machine, costs money, or hands on a person's words."""
    supports_tools: ClassVar[bool] = False
    supports_images: ClassVar[bool] = False
    supports_schema: ClassVar[bool] = False

    @abstractmethod
    def stream(self, call: Call) -> AsyncIterator[Piece]:
        """Yield the answer's pieces, `Completed` last. Raise LLMError, and nothing else, when it cannot."""

    def refuse_forbidden_call(self) -> None:
        """Raise OutsideCallForbidden where the call would leave the machine and must not."""
        if self.calls_outside and not outside_calls_allowed:
            raise OutsideCallForbidden(f"backend {self.name!r} would make a paid call")
