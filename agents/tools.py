"""Tools: what a model may ask for, with typed arguments, within limits; code decides whether it is done."""

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from agents.errors import GraphError


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolUse:
    """One use of a tool, as the tool sees it."""

    turn_id: uuid.UUID | None
    person_id: int | None
    agent: str
    number: int
    """Its place among the agent's uses of tools in the turn, from 1."""
    tool: str

    @property
    def idempotency_key(self) -> str:
        """The same for the same use of a turn that runs again: what acts outside sends it along."""
        return f"{self.turn_id}:{self.agent}:{self.tool}:{self.number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Tool:
    name: str
    description: str
    """For the model: what it does and when to use it."""
    arguments: type[BaseModel]
    run: Callable[[Any, ToolUse], Awaitable[str]]
    """Its arguments, checked, and the use → what the model is told. Raise ToolFailed with words for the model."""
    timeout_s: float = 10.0
    has_effect: bool = False
    """Whether it changes or sends anything."""


class ToolFailed(Exception):
    """A tool could not do it; the text is safe to show to the model and to people."""


tools: dict[str, Tool] = {}


def register_tool(tool: Tool) -> Tool:
    """Make a tool known by its name; a second one of the name is refused."""
    if tools.get(tool.name, tool) is not tool:
        raise GraphError(f"tool {tool.name!r} is registered already")
    tools[tool.name] = tool
    return tool
