"""Tools: what a model may ask for, with typed arguments and results, within limits; code decides whether it is done."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from agents.errors import GraphError


class Source(BaseModel):
    """Where something that a tool found stands, for a reader to open."""

    id: str
    """Unique among the sources of one turn."""
    title: str
    url: str
    """An address of ours, or one outside."""
    type: Literal["document", "course", "message", "web", "wikipedia", "arxiv"]
    credibility: float | None = None
    """0 to 1; None for not judged."""


class ToolResult(BaseModel):
    """What a tool found or did. Its JSON is what a model is told; each tool has its own fields."""

    @property
    def summary(self) -> str:
        """What the record and the page say of it, in a line."""
        return self.model_dump_json(exclude_none=True)

    @property
    def sources(self) -> tuple[Source, ...]:
        """What it rests on."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One use of a tool, as the tool sees it."""

    turn_id: uuid.UUID | None
    person_id: int | None
    agent: str
    number: int
    """Its place among the agent's uses of tools in the turn, from 1."""
    tool: str
    open_addresses: frozenset[str] | None = None
    """The only pages that may be opened; None for any. Once others' words were read, an address may carry what they want."""

    @property
    def idempotency_key(self) -> str:
        """The same for the same use of a turn that runs again: what acts outside sends it along."""
        return f"{self.turn_id}:{self.agent}:{self.tool}:{self.number}"


def is_always_ready() -> bool:
    """Tell that a tool needs nothing to be set up."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    name: str
    description: str
    """For the model: what it does and when to use it."""
    arguments: type[BaseModel]
    run: Callable[[Any, ToolUse], Awaitable[ToolResult]]
    """Its arguments, checked, and the use → what it found. Raise ToolFailed with words for the model."""
    timeout_s: float = 10.0
    has_effect: bool = False
    """Whether it changes or sends anything."""
    is_untrusted: bool = False
    """Whether others than the operator wrote what it finds: documents, pages, what outside services say."""
    calls_outside: bool = False
    """Whether what it is asked leaves this installation: needs the person's consent."""
    is_ready: Callable[[], bool] = is_always_ready
    """Whether what it needs is set up; a tool that is not ready is not offered."""


class ToolFailed(Exception):
    """A tool could not do it; the text is safe to show to the model and to people."""


tools: dict[str, Tool] = {}


def register_tool(tool: Tool) -> Tool:
    """Make a tool known by its name; a second one of the name is refused."""
    if tools.get(tool.name, tool) is not tool:
        raise GraphError(f"tool {tool.name!r} is registered already")
    tools[tool.name] = tool
    return tool
