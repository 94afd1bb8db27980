"""Listening: side agents look at what was said while it is answered, and never hold the answer up.

What they notice in time goes with the turn; what comes later is kept when it comes. Either way it is for the next turn.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.engine.events import FindingMade
from agents.engine.graph import Graph
from agents.engine.roles import Request
from agents.engine.runner import RunResult
from conversations.models import Finding, Snapshot, Turn
from conversations.turns.handler import PreparedRun


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAgentTask:
    """What is to be looked at, and by whom."""

    facts: Any
    """What the listener gathered, with what code alone makes of it; nobody here looks inside."""
    graph: Graph | None = None
    """The side agents that a model is asked for; None where code judges alone."""
    request: Request = field(default_factory=Request)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAgentResult:
    """What came of it."""

    findings: Sequence[FindingMade] = ()
    analyses: Sequence[Mapping[str, Any]] = ()
    """Fields of `Analysis` rows, but for whose they are."""
    told: Sequence[int] = ()
    """Keys of the findings that stand in this turn's instructions."""


class SideAgentListener(Protocol):
    """The room that knows what to listen for. Its work is done in a thread with the database at hand."""

    def hears(self, turn: Turn, prepared: PreparedRun) -> bool:
        """Tell whether there may be something to look at. Asks nobody: called in the event loop."""

    def prepare_task(self, turn: Turn, prepared: PreparedRun) -> SideAgentTask | None:
        """Gather what the side agents look at, and judge what code can. Writes nothing; None for nothing to look at."""

    def look(self, drawing: Snapshot) -> SideAgentTask | None:
        """Gather what the side agents look at in a drawing that nobody has spoken of yet; as `prepare_task`."""

    def told(self, prepared: PreparedRun) -> Sequence[int]:
        """Return the keys of the findings that stand in the turn's instructions. Asks nobody."""

    def noticed(self, overheard: SideAgentTask, result: RunResult | None) -> SideAgentResult:
        """Return what code and models noticed together. `result` is None where no model was asked."""

    def keep(self, turn: Turn, noticed: SideAgentResult) -> None:
        """Store what else the findings come to, inside the transaction that stores them."""

    def contested(self, finding: Finding, *, is_so: bool) -> None:
        """Take back, or give again, what the finding came to: its learner says that it is not so, or so after all.

        Inside the transaction that keeps what they say; `content` is saved after it.
        """


_listeners: list[SideAgentListener] = []


def register_listener(listener: SideAgentListener) -> None:
    """Let this listener hear all turns; there is one, or none."""
    _listeners[:] = [listener]


def registered_listener() -> SideAgentListener | None:
    """Return who hears all turns."""
    return _listeners[0] if _listeners else None
