"""What the planner's roles get of a turn, and the results of their parts of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import Field, InstanceOf

from agents.engine.roles import Request
from tutoring.lesson.turn_results import SpokenTurn
from tutoring.planner.tools.results import FoundRow
from tutoring.planner.values import AgentName, AskedBack, PlannerRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanionFacts:
    """A turn that planner agents serve."""

    turn_id: str
    text: str
    requests: tuple[PlannerRequest, ...]
    now: datetime
    """In the person's zone."""
    changes: tuple[str, ...] = ()
    """The changes of the last turn that made any: what "undo that" means."""
    has_model: bool = False
    """Whether a connected model serves what was not understood; buttons to ask back are not needed then."""


class CompanionTurn(SpokenTurn):
    """The result of a planner agent's part of a turn."""

    actions: list[str] = Field(default_factory=list)
    """What it did: `create`, `list` and so on."""
    rows: list[FoundRow] = Field(default_factory=list)
    """The rows that it changed, the last one last."""
    changes: list[str] = Field(default_factory=list)
    listed: list[FoundRow] = Field(default_factory=list, exclude=True)
    """The rows that it listed last, in order."""
    hand_off: str = ""
    """The agent that it hands the conversation to by name; empty if it does not."""
    handed: tuple[InstanceOf[PlannerRequest], ...] = Field((), exclude=True)
    """The requests that it hands over."""
    reason: str = ""
    asked: InstanceOf[AskedBack] | None = Field(None, exclude=True)
    waiting: tuple[InstanceOf[PlannerRequest], ...] = Field((), exclude=True)
    """Requests that are asked back about later: one question at a time."""
    last_request: InstanceOf[PlannerRequest] | None = Field(None, exclude=True)


def turns_before(request: Request) -> list[CompanionTurn]:
    """Return the results of the planner agents that have served the turn so far."""
    return [each for each in request.results.values() if isinstance(each, CompanionTurn)]


def requests_for(
    agent: str, request: Request, *, others: tuple[PlannerRequest, ...] = ()
) -> tuple[PlannerRequest, ...]:
    """Return what an agent has to serve: its part of the message, and what others have handed to it."""
    facts: CompanionFacts = request.facts
    handed = tuple(each for turn in turns_before(request) for each in turn.handed)
    return tuple(each for each in (*facts.requests, *handed, *others) if each.agent == agent)


def next_agent(
    request: Request, *, without: str = "", named: str = "", handed: tuple[PlannerRequest, ...] = ()
) -> AgentName | None:
    """Return the agent that serves next: the one that was named, else the first in the message that has not served.

    None if nobody is left. Each serves once in a turn, so that no two hand a request back and forth.
    """
    facts: CompanionFacts = request.facts
    served: set[Any] = {*request.results, *request.failed, without}
    pending = [
        each.agent for each in (*facts.requests, *(x for turn in turns_before(request) for x in turn.handed), *handed)
    ]
    wanted = named or next((turn.hand_off for turn in reversed(turns_before(request)) if turn.hand_off), "")
    if wanted and wanted not in served and wanted in pending:
        return next(each for each in pending if each == wanted)
    return next((each for each in pending if each not in served), None)
