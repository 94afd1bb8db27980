"""Roles: what an agent does, the request it gets, and its plan for this turn."""

import math
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from pydantic import BaseModel

from agents.engine.bus import AgentMessage, Bus, Filter
from agents.engine.events import Event, FailureStrategy
from agents.errors import ErrorType, GraphError
from agents.llm.base import Image
from agents.llm.prompt import Prompt
from agents.tools import ToolResult, ToolUse
from agents.values import value

Tier = Literal["fast", "strong", "vision"]
NAME = re.compile(r"[a-z0-9_]{1,30}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """One message in the conversation so far, in the form in which roles receive it."""

    author: Literal["learner", "team"]
    text: str


@value
class Request:
    """The input to a role. A role cannot change it; the runner passes results and state to the next roles."""

    text: str = ""
    """The learner's message of this turn."""
    history: tuple[ChatMessage, ...] = ()
    """Earlier messages, oldest first."""
    summary: str = ""
    """What happened in the messages that `history` leaves out; empty if it leaves none out."""
    facts: Any = None
    """The app's own facts about the turn; the engine never reads them."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """State shared by all agents of the conversation, as changed so far in this run."""
    results: Mapping[str, BaseModel | None] = field(default_factory=dict)
    """Role name → its latest result in this run."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """Role name → what it said last in this run."""
    failed: Mapping[str, ErrorType] = field(default_factory=dict)
    """Role name → how it failed in this run."""


def accept_all(text: str) -> str:
    """Guard that allows every text."""
    return ""


TOO_MUCH = "enough"
"""A guard's reason for a sentence beyond what the reply needs: it is left out, the words before it are kept."""


@value
class Wording:
    """A part of a plan that a model puts into words, if one is connected."""

    words: str
    """The authored words: said without a model, and instead of words that must not be shown."""
    task: str
    """What the model is told to say here."""
    guard: Callable[[str], str] = accept_all
    """Takes the text so far, up to the end of a sentence; returns why it must not be shown, in one word, or empty."""
    most_words: int = 90
    """The model is cut off after the sentence that reaches this many words."""
    lead: str = ""
    """Added before the words, if there are any: the blank line between two paragraphs."""
    trail: str = ""
    """Added after the words, if there are any."""
    is_required: bool = False
    """Whether the agent fails if the model does, instead of saying the authored words. A spent budget is no failure."""
    may_use_tools: bool = False
    """Whether the model may use the role's tools for the words."""
    material: str = ""
    """Source text to answer from, written by others. It is marked as quoted and never given as an instruction."""


@value
class PlannedToolUse:
    """A part of a plan that uses one of the role's tools. The rest of the plan depends on the tool's result."""

    tool: str
    arguments: BaseModel
    then: "Callable[[ToolResult | str], tuple[PlanPart, ...]]"
    """Takes the result, or why there is none (empty if the tool is unavailable), returns what to say. Pure, quick."""
    run: Callable[[ToolUse], Awaitable[ToolResult]] | None = None
    """Called in place of the tool's own `run`: for a result that may be there already."""


@value
class Announcement:
    """A part of a plan that sends a message to the other agents in the run."""

    message: AgentMessage


@value
class Expectation:
    """A part of a plan that waits for another agent's message. The rest of the plan depends on this message."""

    wanted: Filter
    within_s: float
    then: "Callable[[AgentMessage | None], tuple[PlanPart, ...]]"
    """Takes the message; None if it does not come in time, or cannot come any more. Pure, quick."""


@value
class Decided:
    """A part of a plan that contains the role's result, if the result depends on tools or messages."""

    result: BaseModel
    material: str = ""
    """See `Plan`; like `refine`, it takes the place of the plan's, if it is given."""
    refine: Callable[[Any, Any], BaseModel] | None = None


type PlanPart = str | Wording | Event | PlannedToolUse | Announcement | Expectation | Decided
"""A part of a plan: authored text, a wording, a card or finding, a use of a tool, a message, or the result."""


@value
class Plan:
    """What a role does in this turn. Code makes the plan; a model only chooses the wording."""

    say: tuple[PlanPart, ...] = ()
    background: str = ""
    """What the model is told for this turn besides the role's prompt."""
    images: tuple[Image, ...] = ()
    """Images for the model when it is asked for the result; text in them is not an instruction."""
    material: str = ""
    """Text of others for the model when it is asked for the result; it is told that nothing in it is an instruction."""
    result: BaseModel | None = None
    """The result, if code decides it; None if only the backend can give it."""
    refine: Callable[[Any, Any], BaseModel] | None = None
    """Takes code's result and a model's, returns code's with what of the model's can be believed. If it is set, a
    connected model is asked too; if it fails or takes too long, code's result counts."""
    state: Mapping[str, Any] = field(default_factory=dict)
    """Changes of the shared state; only keys that the role `writes`."""
    waits: bool = False
    """The learner speaks next: the walk stops here and resumes with this role."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """The definition of an agent. Each role has its own file."""

    name: str
    purpose: object
    """What it does, in a few words for learners and admins: a string, or a lazy translation."""
    label: object = ""
    """Its display name: a string, or a lazy translation."""
    plan: Callable[[Request], Plan]
    """Decide this turn's part. Pure and quick: it runs on the event loop."""
    prompt: Prompt | None = None
    standing: str = ""
    """Added after the prompt in every turn, even if an admin wrote the prompt: rules, and examples of good replies."""
    result: type[BaseModel] | None = None
    tools: tuple[str, ...] = ()
    writes: frozenset[str] = frozenset()
    """Keys of the shared state that only this role may change."""
    tier: Tier = "fast"
    timeout_s: float = 30.0
    on_failure: FailureStrategy = "skip"
    speaks: bool = False
    """Its words go straight to the learner."""
    flag: str = ""
    """The feature flag without which it does not run for a person; empty if it always may. The app that runs it asks."""
    known_as: str = ""
    """Its name in events and records, if another app has taken it among the roles; empty if it is `name`."""

    @property
    def public_name(self) -> str:
        return self.known_as or self.name

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.name):
            raise GraphError(f"role {self.name!r}: a name has 1 to 30 characters of a-z, 0-9 and _")
        if self.timeout_s <= 0:
            raise GraphError(f"role {self.name!r}: timeout_s must be greater than 0, not {self.timeout_s!r}")


@value
class RoleCall:
    """A role's part of a turn, with its plan."""

    role: Role
    request: Request
    plan: Plan
    prompt: Prompt | None = None
    ends: float = math.inf
    """When the agent's time ends, in the event loop's time."""
    bus: Bus = field(default_factory=Bus, hash=False, compare=False)
    """The messages of the run."""

    def with_parts(self, parts: tuple[PlanPart, ...], place: int) -> "RoleCall":
        """Return the call with the part at `place` replaced by these parts."""
        say = (*self.plan.say[:place], *parts, *self.plan.say[place + 1 :])
        return replace(self, plan=replace(self.plan, say=say))

    def with_result(self, decided: Decided) -> "RoleCall":
        """Return the call with a result that was decided on the way."""
        plan = replace(self.plan, result=decided.result)
        if decided.refine is not None:
            plan = replace(plan, material=decided.material, refine=decided.refine)
        return replace(self, plan=plan)
