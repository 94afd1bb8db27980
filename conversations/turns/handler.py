"""Who serves a session's turns: the room to the left registers its host here, and how its cards look."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from agents.engine.graph import Choice, Graph
from agents.engine.roles import Request
from agents.engine.runner import RunResult
from agents.llm.call_context import Ledger
from conversations.models import Session, Snapshot, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRun:
    """What the runner needs to serve one turn."""

    graph: Graph
    request: Request
    choice: Choice
    """Why this graph serves the turn; stored as a transition."""
    changed: Mapping[str, Any] = field(default_factory=dict)
    """What the choice itself changed of the state that the request carries; told before the walk begins."""
    rows: Any = None
    """What the host read for it, for whoever listens; nobody here looks inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReading:
    """What a turn's message says and what is done about it: made once, and stored with what it comes to."""

    analysis: Mapping[str, Any]
    """JSON; the same for whoever serves the turn again, and for the record."""
    decision: Any
    """The host's own value."""


class TurnHandler(Protocol):
    """A room that serves turns. All of it runs in a thread with the database at hand, but for what is asynchronous.

    A turn is read, improved, applied, prepared, run and settled, in this order.
    """

    def read(self, turn: Turn) -> MessageReading | None:
        """Read the turn's message, and decide what follows, after it was acknowledged. Writes nothing.

        None where there is nothing to store.
        """

    async def improve(self, turn: Turn, reading: MessageReading, ledger: Ledger) -> MessageReading:
        """Return the reading as a connected model corrects it; the same where none is asked, or none answers in time."""

    def apply(self, turn: Turn, reading: MessageReading) -> None:
        """Store what the reading comes to (an answer, say) in one transaction, once a turn; the session is saved after it.

        The decision is left on the turn, `turn.decision`, as JSON.
        """

    def prepare(self, turn: Turn, reading: MessageReading | None = None) -> PreparedRun:
        """Choose the graph and gather what its roles work from. Writes nothing.

        `reading` is the turn's own, applied, where it was made in this process: what was read for it need not be read
        again. A turn that is taken up again comes without one.
        """

    def settle(self, turn: Turn, result: RunResult, *, told: Sequence[Mapping[str, Any]]) -> None:
        """Store what the run decided, inside the transaction that stores the reply; the session is saved after it.

        `told`: the run's transitions and findings, as events. What this changes of the session's state is told after it.
        """

    def ended(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what of the shared state changes with a turn's end, however that came about; told and stored with it."""

    def changed_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        """Return the cards of earlier turns that look different since this one: an answered question, a paused one."""

    def may_show_to_model(self, drawing: Snapshot) -> bool:
        """Tell whether a model may see what is written on a drawing: nothing may that comes before all teaching."""

    def may_rerun(self, turn: Turn) -> str:
        """Return why the turn must stay as it is, empty if it need not. Without a query: pages ask it of each turn."""

    def undo(self, turn: Turn) -> None:
        """Take back what `turn.undone` came to, inside the transaction in which this turn takes their place."""

    def decided(self, result: Mapping[str, Any]) -> str:
        """Return in a sentence what an agent's result decided, as a learner may read it; empty for nothing to tell."""

    def stands(self, key: str, value: Any) -> str:
        """Return in a sentence what a change of the shared state says of where things stand; empty for nothing."""

    def tested(self, session: Session) -> Sequence[tuple[int, str]]:
        """Return the numbers of turns in which a noticed idea was put to the test, each with the finding's name.

        The name is empty for what was noticed in that same turn.
        """

    def lesson_context(self, session: Session) -> Mapping[str, Any]:
        """Return what the page shows beside the conversation: topic, mastery, milestones, the `stage` it is at, where
        things stand (`stands`), where its learner says how it is to go (`settings_url`), and how it goes just now (`pace`).
        """


_handlers: list[TurnHandler] = []


def register_turn_handler(host: TurnHandler) -> None:
    """Let this host serve all sessions; there is one."""
    _handlers[:] = [host]


def turn_handler() -> TurnHandler:
    """Return who serves turns."""
    return _handlers[0]
