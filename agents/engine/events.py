"""What a run reports while it goes: one class per event of the wire, named as the wire is."""

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, ClassVar, Literal

from pydantic import ConfigDict

from agents.errors import ErrorType
from agents.values import value

FinalStatus = Literal["done", "stopped", "degraded", "failed", "interrupted"]
FailureStrategy = Literal["skip", "retry", "abort"]
RESERVED_CARD_NAMES = frozenset({"seq", "turn_id", "at", "type", "kind", "id", "stands_alone", "text"})
"""Names on the wire that a card's own fields would hide."""


@value
class Event:
    """Something a run reports. `seq`, `turn_id` and `at` are stamped by whoever numbers a turn's events."""

    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(use_attribute_docstrings=True)
    """Read by `agents.engine.event_schemas` alone: an event is made by the hundred, and checked by nobody."""
    type: ClassVar[str]
    optional: ClassVar[frozenset[str]] = frozenset()
    """Fields that are left out where there is nothing to say."""

    def as_wire(self) -> dict[str, Any]:
        """Return the event's own fields under their wire names, `type` first."""
        own: tuple[str, ...] = self.__slots__  # type: ignore[attr-defined]  # Made by the decorator.
        return {"type": self.type} | {name: getattr(self, name) for name in own}


Emit = Callable[[Event], None]


@value
class TurnStarted(Event):
    """The acknowledgement: whoever saw it finds the message stored."""

    type = "turn_started"
    optional = frozenset({"replaces"})
    session_id: str
    client_id: str
    replaces: str = ""
    """The turn whose message is said anew: that one and all after it are history now."""

    def as_wire(self) -> dict[str, Any]:
        """Return the fields; `replaces` only where there is something to replace."""
        again = {"replaces": self.replaces} if self.replaces else {}
        return {"type": self.type, "session_id": self.session_id, "client_id": self.client_id} | again


@value
class Queued(Event):
    """The message is stored, and waits until the process has room."""

    type = "queued"
    position: int
    """Its place in the line, counted from 1."""


@value
class TurnResumed(Event):
    """The turn runs again after its process died: text since `turn_started` is void."""

    type = "turn_resumed"
    attempt: int


@value
class Routed(Event):
    """Who serves the turn, and why."""

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
    """These agents speak now, each having seen the round before."""

    type = "round_started"
    round: int
    agents: tuple[str, ...]


@value
class RoundFinished(Event):
    """All agents of the round have spoken, or failed."""

    type = "round_finished"
    round: int


@value
class AgentStarted(Event):
    """An agent begins its part."""

    type = "agent_started"
    agent: str


@value
class AgentText(Event):
    """A piece of what an agent says to the others; what goes straight to the learner is `ReplyText`."""

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
    """A tool has answered, or failed (`ok` is false)."""

    type = "tool_returned"
    agent: str
    tool: str
    ok: bool
    summary: str
    """What it found, in a line."""
    ms: float


@value
class AgentFinished(Event):
    """An agent has done its part."""

    type = "agent_finished"
    agent: str
    ms: float
    result: Mapping[str, Any] = field(default_factory=dict)


@value
class AgentFailed(Event):
    """An agent could not do its part; the turn goes on without it."""

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
    """A role passes the learner on to another."""

    type = "handed_off"
    from_agent: str
    to: str
    reason: str

    def as_wire(self) -> dict[str, Any]:
        """Return the fields; `from` is a Python keyword, so the attribute has another name."""
        return {"type": self.type, "from": self.from_agent, "to": self.to, "reason": self.reason}


@value
class FindingMade(Event):
    """An agent noticed something about the learner."""

    type = "finding"
    agent: str
    kind: str
    name: str
    words: str
    """The finding in a sentence a learner may read."""
    confidence: float | None
    evidence: str
    resolved: bool = False
    content: Mapping[str, Any] = field(default_factory=dict)
    """What the agent says of it beside that, for whoever acts on it: what to try, the idea that corrects it."""


@value
class Card(Event):
    """Something the page shows as itself: a question, a picture."""

    type = "card"
    optional = frozenset({"stands_alone"})
    kind: str
    """`question`, `picture`, `concept`, `path`, `replies` or `sources`; show `text` of one you do not know."""
    id: str
    """A card of the same id, shown again, takes the place of the earlier one."""
    content: Mapping[str, Any] = field(default_factory=dict)
    stands_alone: bool = True
    """False where it counts only once its turn is over: a question is there to be answered after `turn_finished`."""

    def __post_init__(self) -> None:
        taken = self.content.keys() & RESERVED_CARD_NAMES
        if taken:
            raise ValueError(f"a card's content may not be named {', '.join(sorted(taken))}")

    def as_wire(self) -> dict[str, Any]:
        """Return the card's own fields beside `kind` and `id`; `stands_alone` is said of those that do not."""
        waits = {} if self.stands_alone else {"stands_alone": False}
        return {"type": self.type, "kind": self.kind, "id": self.id} | waits | dict(self.content)


@value
class StateChanged(Event):
    """Something changed of what all agents of the conversation share."""

    type = "state_changed"
    key: str
    value: Any
    """Null where it is gone."""


@value
class ReplyText(Event):
    """A piece of the answer to the learner; joined, the pieces are exactly `TurnFinished.reply`."""

    type = "reply_text"
    text: str


@value
class TurnFinished(Event):
    """The turn is over: every turn ends with exactly one of these."""

    type = "turn_finished"
    reply: str
    """The reply's text, without its cards."""
    status: FinalStatus
    metadata: Mapping[str, Any] = field(default_factory=dict)
