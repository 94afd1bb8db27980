"""Side agents' interface: they look at a message while it is answered, and never delay the answer.

Results in time are stored with the turn, later ones when they come. Both are for the next turn.
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
    """What to look at, and which agents do it."""

    facts: Any
    """What the listener gathered, including the result of code alone; not used here."""
    graph: Graph | None = None
    """The side agents that need a model; None if code alone decides."""
    request: Request = field(default_factory=Request)


@dataclass(frozen=True, slots=True, kw_only=True)
class SideAgentResult:
    """The side agents' result."""

    findings: Sequence[FindingMade] = ()
    analyses: Sequence[Mapping[str, Any]] = ()
    """Fields of `Analysis` rows, without their owner."""
    told: Sequence[int] = ()
    """Keys of the findings in this turn's instructions."""


class SideAgentListener(Protocol):
    """Knows what to look for. Its methods run in a thread with database access, unless noted."""

    def hears(self, turn: Turn, prepared: PreparedRun) -> bool:
        """Return whether there may be something to look at. No queries: called in the event loop."""

    def prepare_task(self, turn: Turn, prepared: PreparedRun) -> SideAgentTask | None:
        """Gather the side agents' input, and judge what code can. Writes nothing; None if there is nothing to do."""

    def look(self, drawing: Snapshot) -> SideAgentTask | None:
        """Gather the side agents' input for a drawing not yet sent with a message; as `prepare_task`."""

    def told(self, prepared: PreparedRun) -> Sequence[int]:
        """Return the keys of the findings in the turn's instructions. No queries."""

    def noticed(self, overheard: SideAgentTask, result: RunResult | None) -> SideAgentResult:
        """Return the combined result of code and models. `result` is None if no model was asked."""

    def keep(self, turn: Turn, noticed: SideAgentResult) -> None:
        """Store further effects of the findings, inside the transaction that stores them."""

    def contested(self, finding: Finding, *, is_so: bool) -> None:
        """Undo a finding's effects, or restore them: its learner says that it is wrong, or right after all.

        Inside the transaction that stores this; `content` is saved after it.
        """


_listeners: list[SideAgentListener] = []


def register_listener(listener: SideAgentListener) -> None:
    """Register the one listener for all turns."""
    _listeners[:] = [listener]


def registered_listener() -> SideAgentListener | None:
    """Return the registered listener; None if there is none."""
    return _listeners[0] if _listeners else None
