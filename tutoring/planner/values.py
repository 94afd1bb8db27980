"""The planner's requests: what a message asks of the planner agents. Frozen; stored as JSON on a turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Final, Literal, get_args

from pydantic import TypeAdapter

from tutoring.planner.times.values import TimePhrase, UnclearTime

type AgentName = Literal["task", "event", "food", "memory"]
AGENTS: Final[tuple[AgentName, ...]] = get_args(AgentName.__value__)
type Action = Literal[
    "create", "complete", "reopen", "change", "move", "delete", "list",
    "free", "conflicts", "plan_study",
    "log", "plan_meal", "patterns", "suggest", "rate", "advice",
    "remember", "recall", "forget",
    "undo", "drop", "unclear",
]  # fmt: skip
"""`drop`: the person no longer wants what was asked back about; `unclear`: an agent is meant, but not what it should do."""
SHARING: Final[frozenset[str]] = frozenset({"task", "event"})
SHARED: Final[frozenset[Action]] = frozenset({"delete", "move"})
"""What the agents in `SHARING` both do: whose row is meant is only known by its name."""
type Missing = Literal["title", "when", "which", "foods", "rating", "note", "before", "confirm"]
"""What is asked back. `which`: several rows match; `before`: the event that a reminder is set before;
`confirm`: whether it is meant at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RowRef:
    """A row that a conversation is about: what "it" means."""

    agent: AgentName
    id: int
    title: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannerRequest:
    """One thing that a message asks of one agent."""

    agent: AgentName
    action: Action
    quote: str
    """The exact span of the message."""
    kind: str = ""
    """Homework, a test, lunch: the kind of the row, by the models' names."""
    title: str = ""
    """What is created, or the new name of what is changed."""
    when: TimePhrase | UnclearTime | None = None
    on: date | None = None
    """The day of the occurrence that is meant."""
    all_day: bool = False
    """It has no time of day, and the person has said so."""
    before: str = ""
    """The event before which somebody wants to be reminded, or to eat, in words: "football"."""
    lead_minutes: int | None = None
    """How long before it; None if nothing is said about it."""
    after: bool = False
    """It is wanted after that event, not before it."""
    target: str = ""
    """The row that is meant, in words."""
    row: RowRef | None = None
    """The row that is meant, if the conversation has named it."""
    every: bool = False
    """All of a recurring event, not one occurrence; or all rows that match."""
    priority: int | None = None
    """1–3; None if nothing is said about it."""
    parts: tuple[str, ...] = ()
    """Subtasks."""
    foods: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    rating: int | None = None
    """1–5."""
    note: str = ""
    missing: tuple[Missing, ...] = ()
    """What has to be asked back before it can be served, the most important first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedBack:
    """What an agent has asked back: the next message may answer it."""

    request: PlannerRequest
    missing: Missing
    options: tuple[str, ...] = ()
    """The buttons' labels, in order."""
    rows: tuple[RowRef, ...] = ()
    """For `which`: the rows to choose from, in the order of the options."""
    question: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionContext:
    """What the planner's reader has to know besides the message."""

    now: datetime
    """In the person's zone."""
    asked: AskedBack | None = None
    """What was asked back in the last turn."""
    last: RowRef | None = None
    """The row of the last turns that "it" may mean."""
    last_request: PlannerRequest | None = None
    """The request that was served last: "on Thursday too" repeats one that makes something, "and on Friday?" a question."""
    listed: tuple[RowRef, ...] = ()
    """The rows that were listed last, in order: "the second one"."""
    known: tuple[RowRef, ...] = ()
    """Rows that the agents have changed in this conversation, and those that were listed last."""
    agent: AgentName | None = None
    """The agent that has served the last turns; None if no planner agent did."""
    follows: bool = False
    """Whether that was the turn before: what only goes on, such as "and the other one?", is said to whoever spoke last."""
    can_undo: bool = False
    """Whether the last turns made a change that can be undone."""
    waiting: tuple[PlannerRequest, ...] = ()
    """Requests of the last turn that still have to be asked back about."""
    workspace: str = ""
    """The key of the workspace, whose own words may lead to an agent; empty for the person's own."""
    only_clear: bool = False
    """In a lesson, a quiz or a placement: only what is clearly a request leaves the card."""


_ADAPTERS: Final[dict[type, TypeAdapter[Any]]] = {
    kind: TypeAdapter(kind) for kind in (RowRef, PlannerRequest, AskedBack)
}


def to_json(value: RowRef | PlannerRequest | AskedBack) -> Any:
    """Return a value of this module as JSON data, without what is empty."""
    return _ADAPTERS[type(value)].dump_python(value, mode="json", exclude_defaults=True)


def from_json[T: (RowRef, PlannerRequest, AskedBack)](kind: type[T], data: Any) -> T:
    """Return a value of this module from JSON data. Raises ValidationError for other data."""
    found: T = _ADAPTERS[kind].validate_python(data)
    return found


def requests_to_json(requests: Sequence[PlannerRequest]) -> list[dict[str, Any]]:
    return [to_json(each) for each in requests]


def requests_from_json(data: Sequence[Mapping[str, Any]]) -> tuple[PlannerRequest, ...]:
    """Return stored requests. Raises ValidationError for other data."""
    return tuple(from_json(PlannerRequest, each) for each in data)
