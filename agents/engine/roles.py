"""What an agent is for: a role, the request it is given, and its plan for this turn."""

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel

from agents.engine.events import Event, FailureStrategy
from agents.errors import GraphError
from agents.llm.base import Image
from agents.llm.prompt import Prompt
from agents.tools import ToolResult
from agents.values import value

Tier = Literal["fast", "strong", "vision"]
NAME = re.compile(r"[a-z0-9_]{1,30}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    author: Literal["learner", "team"]
    text: str


@value
class Request:
    """What a role works from. Immutable: a role's own result and state reach the others through the runner."""

    text: str = ""
    """The learner's message of this turn."""
    history: tuple[ChatMessage, ...] = ()
    """Earlier messages, oldest first."""
    facts: Any = None
    """What the room that serves the turn knows about it; the engine never looks inside."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """State shared by all agents of the conversation, as changed so far in this run."""
    results: Mapping[str, BaseModel | None] = field(default_factory=dict)
    """Role name → its latest result in this run."""


def accept_all(text: str) -> str:
    """Return the reason why a text must not be shown: none."""
    return ""


TOO_MUCH = "enough"
"""What a guard says of a sentence that is one too many: it is left out, and what came before it stands."""


@value
class Wording:
    """A place of a plan where the words are a model's to find, where there is one."""

    words: str
    """What is said without a model, and in place of words that must not be shown."""
    task: str
    """What a model is told to say here."""
    guard: Callable[[str], str] = accept_all
    """The text so far, up to the end of a sentence → why it must not be shown, in a word; empty when it may."""
    most_words: int = 90
    """After the sentence that reaches this, the model is cut off."""
    lead: str = ""
    """What comes before the words, if any come: the blank line between two paragraphs."""
    trail: str = ""
    """What comes after them, if any come."""
    may_use_tools: bool = False
    """Whether a model may use the role's tools to find them."""
    material: str = ""
    """What a model is to answer from, in others' words: it is told so, beside the messages and never as an instruction."""


@value
class PlannedToolUse:
    """A place of a plan where a tool of the role's is used, and what is said there comes of what it found."""

    tool: str
    arguments: BaseModel
    then: "Callable[[ToolResult | str], tuple[PlanPart, ...]]"
    """What it found, or in words why nothing (empty where it is not to be had) → what is said here. Pure and quick."""


type PlanPart = str | Wording | Event | PlannedToolUse
"""A part of a plan: authored words, said as they are; a wording; a card or a finding where it belongs; a use of a tool."""


@value
class Plan:
    """What a role does this turn, as decided by code; how it is worded is the backend's part."""

    say: tuple[PlanPart, ...] = ()
    background: str = ""
    """What a model is told for this turn beside the role's prompt."""
    images: tuple[Image, ...] = ()
    """What a model is shown where it is asked for the result; whoever wrote on it asks for nothing."""
    result: BaseModel | None = None
    """Decided by code; None where only the backend can give it."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """Shared state to change: keys that the role `writes` only."""
    waits: bool = False
    """The learner speaks next: the walk rests here and comes back to this role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What an agent is for. One role, one file."""

    name: str
    purpose: object
    """What it is for, in a few words for learners and admins: a string, or one translated when it is shown."""
    label: object = ""
    """Its name as people see it; also a string or one translated late."""
    plan: Callable[[Request], Plan]
    """Decide this turn's part. Pure and quick: it runs on the event loop."""
    prompt: Prompt | None = None
    standing: str = ""
    """What a model is told after the prompt in every turn, whoever wrote the prompt: rules, and examples of good replies."""
    result: type[BaseModel] | None = None
    tools: tuple[str, ...] = ()
    writes: frozenset[str] = frozenset()
    """The keys of the shared state that this role alone may change."""
    tier: Tier = "fast"
    timeout_s: float = 30.0
    on_failure: FailureStrategy = "skip"
    speaks: bool = False
    """Its words go straight to the learner."""

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise GraphError(f"role {self.name!r}: a name is 1 to 30 of a-z, 0-9 and _")
        if self.timeout_s <= 0:
            raise GraphError(f"role {self.name!r}: timeout_s must be above 0, not {self.timeout_s!r}")


@value
class RoleCall:
    """One part to be said: whose, in which turn, as planned."""

    role: Role
    request: Request
    plan: Plan
    prompt: Prompt | None = None
    ends: float = math.inf
    """When the agent's time is over, in the event loop's time."""

    def with_parts(self, parts: tuple[PlanPart, ...], place: int) -> "RoleCall":
        """Return the call with these parts in the place of one."""
        say = (*self.plan.say[:place], *parts, *self.plan.say[place + 1 :])
        return replace(self, plan=replace(self.plan, say=say))
