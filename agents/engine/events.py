"""Events of a run: one class per event type sent to clients, with the same names."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from agents.errors import ErrorType
from agents.values import value

FinalStatus = Literal["done", "stopped", "degraded", "failed", "interrupted"]
FailureStrategy = Literal["skip", "retry", "abort"]
RESERVED_CARD_NAMES = frozenset({"seq", "turn_id", "at", "type", "kind", "id", "stands_alone", "text"})
"""Wire names that a card's own fields must not use."""


@value
class Event:
    """Base class of the events that a run reports. `seq`, `turn_id` and `at` are added when a turn's events are numbered."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(use_attribute_docstrings=True)
    """Used only by `agents.engine.event_schemas`. Events are created by the hundred, and not validated."""
    type: ClassVar[str]
    optional: ClassVar[frozenset[str]] = frozenset()
    """Fields that are left out when they are empty."""

    def as_wire(self) -> dict[str, Any]:
        """Return the event's own fields under their wire names, `type` first."""
        own: tuple[str, ...] = self.__slots__  # type: ignore[attr-defined]  # Made by the decorator.
        return {"type": self.type} | {name: getattr(self, name) for name in own}


Emit = Callable[[Event], None]


@value
class TurnStarted(Event):
    """Acknowledges that the message has been stored."""

    type = "turn_started"
    optional = frozenset({"replaces"})
    session_id: str
    client_id: str
    replaces: str = ""
    """The turn whose message is edited: it and all later turns become history."""

    def as_wire(self) -> dict[str, Any]:
        """Return the fields; `replaces` only if a turn is replaced."""
        again = {"replaces": self.replaces} if self.replaces else {}
        return {"type": self.type, "session_id": self.session_id, "client_id": self.client_id} | again


@value
class Queued(Event):
    """The message is stored and waits until the server process has capacity."""

    type = "queued"
    position: int
    """Its place in the queue, counting from 1."""


@value
class TurnResumed(Event):
    """The turn runs again because its process died. Discard the text received since `turn_started`."""

    type = "turn_resumed"
    attempt: int


@value
class Classified(Event):
    """The kind of question that a message asks, and the agents that answer the question."""

    type = "classified"
    workflow: str
    """The graph that runs."""
    classification: str
    """`simple_query`, `complex_query`, `visual_query` or `insight_request`."""
    agents: tuple[str, ...]
    reason: str


@value
class Routed(Event):
    """The role that answers the message, and the reason for choosing it."""

    type = "routed"
    from_agent: str
    to: str
    strategy: str
    confidence: float | None
    reason: str

    def as_wire(self) -> dict[str, Any]:
        """Return the fields; `from` is a Python keyword, so the attribute has another name."""
        return {
            "type": self.type,
            "from": self.from_agent,
            "to": self.to,
            "strategy": self.strategy,
            "confidence": self.confidence,
            "reason": self.reason,
        }


@value
class RoundStarted(Event):
    """Several agents start a round. Each of them has seen the contributions from the previous round."""

    type = "round_started"
    round: int
    agents: tuple[str, ...]


@value
class RoundFinished(Event):
    """All agents in the round have finished or failed."""

    type = "round_finished"
    round: int


@value
class AgentStarted(Event):
    """An agent starts its part of the turn."""

    type = "agent_started"
    agent: str


@value
class AgentText(Event):
    """A piece of text from an agent to the other agents. Text for the learner is sent as `ReplyText`."""

    type = "agent_text"
    agent: str
    text: str


@value
class ToolCalled(Event):
    """An agent uses a tool."""

    type = "tool_called"
    agent: str
    tool: str
    args: Mapping[str, Any]


@value
class ToolReturned(Event):
    """A tool has returned a result, or has failed (`ok` is false)."""

    type = "tool_returned"
    agent: str
    tool: str
    ok: bool
    summary: str
    """What it found, in one line."""
    ms: float


@value
class AgentFinished(Event):
    """An agent has finished its part of the turn."""

    type = "agent_finished"
    agent: str
    ms: float
    result: Mapping[str, Any] = field(default_factory=dict)


@value
class AgentFailed(Event):
    """An agent failed. The turn continues without it."""

    type = "agent_failed"
    agent: str
    error_type: ErrorType
    message: str
    recoverable: bool
    fallback_available: bool
    strategy: FailureStrategy
    ms: float


@value
class HandedOff(Event):
    """A role hands the learner over to another role."""

    type = "handed_off"
    from_agent: str
    to: str
    reason: str

    def as_wire(self) -> dict[str, Any]:
        """Return the fields; `from` is a Python keyword, so the attribute has another name."""
        return {"type": self.type, "from": self.from_agent, "to": self.to, "reason": self.reason}


@value
class MessageSent(Event):
    """An agent sent a message to another agent, or to all agents in the run."""

    type = "message_sent"
    message_id: str
    sender: str
    recipient: str | None
    """Null for a message to all agents."""
    message_type: str
    payload: Mapping[str, Any]
    """Empty if the message was too large."""
    parent_id: str | None
    """The message that it answers."""
    priority: int
    dropped: str
    """Why it was not delivered: `oversized`, `expired` or `too_many`; empty if it was."""


@value
class FindingMade(Event):
    """An agent noticed something about the learner."""

    type = "finding"
    agent: str
    kind: str
    name: str
    words: str
    """The finding as a sentence that a learner may read."""
    confidence: float | None
    evidence: str
    resolved: bool = False
    content: Mapping[str, Any] = field(default_factory=dict)
    """Further details for the agents that act on it: what to try, the idea that corrects it."""


@value
class Card(Event):
    """An element shown on the page, such as a question or a picture."""

    type = "card"
    optional = frozenset({"stands_alone"})
    kind: str
    """`question`, `picture`, `concept`, `path`, `replies`, `sources` or `chart`; show `text` for an unknown kind."""
    id: str
    """A later card with the same id replaces the earlier one."""
    content: Mapping[str, Any] = field(default_factory=dict)
    stands_alone: bool = True
    """False if it is usable only once its turn is over: a question can be answered after `turn_finished`."""

    def __post_init__(self) -> None:
        taken = self.content.keys() & RESERVED_CARD_NAMES
        if taken:
            raise ValueError(f"a card's content may not be named {', '.join(sorted(taken))}")

    def as_wire(self) -> dict[str, Any]:
        """Return the card's fields with `kind` and `id`; `stands_alone` only if it is false."""
        waits = {} if self.stands_alone else {"stands_alone": False}
        return {"type": self.type, "kind": self.kind, "id": self.id} | waits | dict(self.content)


@value
class StateChanged(Event):
    """A value in the state shared by the conversation's agents has changed."""

    type = "state_changed"
    key: str
    value: Any
    """Null if it was removed."""


@value
class ReplyText(Event):
    """A piece of the reply to the learner. Together, the pieces are exactly `TurnFinished.reply`."""

    type = "reply_text"
    text: str


@value
class TurnFinished(Event):
    """The turn has ended. Every turn has exactly one such event."""

    type = "turn_finished"
    reply: str
    """The reply's text, without its cards."""
    status: FinalStatus
    metadata: Mapping[str, Any] = field(default_factory=dict)
