"""Tools a model may request: typed arguments and results, within limits. Code decides whether a tool runs."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import BaseModel

from agents.engine.bus import Bus
from agents.errors import GraphError


class Source(BaseModel):
    """A source that a tool found, which a reader can open."""

    id: str
    """Unique among the sources of one turn."""
    title: str
    url: str
    """A URL of this site or outside."""
    type: Literal["document", "course", "article", "message", "web", "wikipedia", "arxiv"]
    credibility: float | None = None
    """0 to 1; None if not rated."""


class ToolResult(BaseModel):
    """The result of a tool. The model gets its JSON; each tool adds its own fields."""

    @property
    def summary(self) -> str:
        """One line for the record and the page."""
        return self.model_dump_json(exclude_none=True)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The sources it is based on."""
        return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One use of a tool, as passed to the tool."""

    turn_id: uuid.UUID | None
    person_id: int | None
    agent: str
    number: int
    """Its place among the agent's tool uses in the turn, from 1."""
    tool: str
    open_addresses: frozenset[str] | None = None
    """The only pages that may be opened; None for any. After untrusted text was read, a URL could carry data out."""
    role: str = ""
    """The agent's role, whose uses are numbered; empty if it is `agent`."""
    bus: Bus | None = None
    """The messages of the agent's run; None outside a run."""

    @property
    def idempotency_key(self) -> str:
        """The same key when the turn runs again; a tool with outside effects sends it along."""
        return f"{self.turn_id}:{self.role or self.agent}:{self.tool}:{self.number}"


def is_always_ready() -> bool:
    """Return true: the tool needs no setup."""
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    name: str
    description: str
    """For the model: what it does and when to use it."""
    arguments: type[BaseModel]
    run: Callable[[Any, ToolUse], Awaitable[ToolResult]]
    """Takes the validated arguments and the use, returns the result. Raises ToolFailed with a text for the model."""
    timeout_s: float = 10.0
    has_effect: bool = False
    """Whether it changes or sends anything."""
    is_untrusted: bool = False
    """Whether its results contain text by others than the operator: documents, pages, outside services."""
    calls_outside: bool = False
    """Whether its input leaves this site, which needs the person's consent."""
    is_ready: Callable[[], bool] = is_always_ready
    """Returns whether it is set up; otherwise it is not offered."""


class ToolFailed(Exception):
    """A tool failed; the text is safe to show to the model and to people."""


tools: dict[str, Tool] = {}


def register_tool(tool: Tool) -> Tool:
    """Register a tool under its name. Raises GraphError if the name is taken."""
    if tools.get(tool.name, tool) is not tool:
        raise GraphError(f"tool {tool.name!r} is already registered")
    tools[tool.name] = tool
    return tool
