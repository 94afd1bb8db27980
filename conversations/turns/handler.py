"""Turn handler: the interface through which the app that serves turns is called, and its registration."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from agents.engine.events import Classified, Event
from agents.engine.graph import Choice, Graph
from agents.engine.registry import roles
from agents.engine.roles import Request, Role
from agents.engine.runner import RunResult
from agents.runtime.speaker_selection import Payer
from conversations.models import Session, Snapshot, Turn

Intent = Literal["question", "statement", "request", "greeting", "goodbye"]
"""What a message does, as API clients are told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoppedRun:
    """What a run that the learner stopped has come to."""

    request: Request
    """With the results, texts and failures so far."""
    events: tuple[Event, ...]
    """What is said in place of the reply."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRun:
    """What the runner needs for one turn."""

    graph: Graph
    request: Request
    choice: Choice
    """Why this graph serves the turn; stored as a transition."""
    classified: Classified | None = None
    """The kind of question, where several agents answer it."""
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Changes that the choice itself made to the request's state; reported before the walk starts."""
    off: frozenset[str] = frozenset()
    """The roles of the graph that an admin has switched off for the person."""
    roles: Mapping[str, Role] = field(default_factory=lambda: roles)
    """The roles that the graph names: the registered ones, or a run's own."""
    summary_is_due: bool = False
    """Whether the prompt leaves out messages that no stored summary contains: the turn's end stores one."""
    when_stopped: Callable[[], StoppedRun | None] | None = None
    """Called in a thread with database access if the learner stops the run before it replies, when its events are stored."""
    rows: Any = None
    """What the handler read for the turn, for the side agents' listener; not used here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageReading:
    """How a turn's message was understood and what follows: made once, and stored with its effects."""

    analysis: Mapping[str, Any]
    """JSON; the same for any process that serves the turn again, and for the record."""
    decision: Any
    """A value of the handler's own type."""


class TurnHandler(Protocol):
    """Serves turns. Its methods run in a thread with database access, except the asynchronous ones.

    For each turn they are called in this order: read, improve, apply, prepare, the run, settle.
    """

    def read(self, turn: Turn) -> MessageReading | None:
        """Interpret the turn's message and decide what follows, after it was acknowledged. Writes nothing.

        None if there is nothing to store.
        """

    async def improve(self, turn: Turn, reading: MessageReading, payer: Payer) -> MessageReading:
        """Return the reading as corrected by a connected model; unchanged if none is asked or answers in time."""

    def apply(self, turn: Turn, reading: MessageReading) -> None:
        """Store the reading's effects (an answer, for example) in one transaction, once per turn; the session follows.

        The decision is put in `turn.decision`, as JSON.
        """

    def prepare(self, turn: Turn, reading: MessageReading | None = None) -> PreparedRun:
        """Choose the graph and gather the input of its roles. Writes nothing.

        `reading` is the turn's own, already applied, if it was made in this process, so that nothing is read twice. A
        resumed turn has none.
        """

    def settle(self, turn: Turn, result: RunResult, *, told: Sequence[Mapping[str, Any]]) -> None:
        """Store the run's decisions, inside the transaction that stores the reply; the session is saved after it.

        `told`: the run's transitions and findings, as events. Changes of the session's state are reported after it.
        """

    def ended(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return the changes of the shared state at a turn's end, however it ended; reported and stored with it."""

    def changed_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        """Return the cards of earlier turns that this turn changed: an answered question, a paused one."""

    def judged_cards(self, turn: Turn) -> Sequence[Mapping[str, Any]]:
        """Return the cards of earlier turns whose answer this turn judged, each with `judged`: true."""

    def may_show_to_model(self, drawing: Snapshot) -> bool:
        """Return whether a model may see the writing on a drawing; not if it needs a safety response first."""

    def needs_care(self, text: str) -> bool:
        """Tell whether a learner's words need a safety response before anything else. Runs in a thread for models."""

    def may_rerun(self, turn: Turn) -> str:
        """Return why the turn's message cannot be edited, empty if it can. No queries: pages call it for each turn."""

    def is_aside(self, turn: Turn) -> bool:
        """Tell whether the message leaves the open step alone, so that its reply is shown next to the card.

        Unknown, and so false, until the turn's decision is stored. No queries: pages call it for each turn.
        """

    def intent(self, turn: Turn, text: str) -> Intent:
        """Return what the turn's message does; from its text alone if the message was not understood. No queries."""

    def undo(self, turn: Turn) -> None:
        """Undo the effects of `turn.undone`, inside the transaction in which this turn replaces them."""

    def decided(self, result: Mapping[str, Any]) -> str:
        """Return a sentence for the learner on what an agent's result decided; empty if there is nothing to say."""

    def stands(self, key: str, value: Any) -> str:
        """Return a sentence on what a change of the shared state means; empty if nothing."""

    def tested(self, session: Session) -> Sequence[tuple[int, str]]:
        """Return the numbers of turns that tested a finding, each with the finding's name.

        The name is empty for a finding made in the same turn.
        """

    def lesson_context(self, session: Session) -> Mapping[str, Any]:
        """Return the lesson data shown beside the conversation: topic, mastery, milestones, current `stage`, progress
        (`stands`), the link to the learner's settings (`settings_url`), and the current `pace`.
        """


_handlers: list[TurnHandler] = []


def register_turn_handler(handler: TurnHandler) -> None:
    """Register the one handler that serves all turns."""
    _handlers[:] = [handler]


def turn_handler() -> TurnHandler:
    """Return the registered turn handler."""
    return _handlers[0]
