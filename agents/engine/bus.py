"""Message bus of one run: agents answer each other's requests, and announce what they have found.

The messages have the format of docs/explanation/panel.md. A run has one bus, which lives as long as the run. Messages are
delivered in memory; the record of a run keeps them as `message_sent` events.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from datetime import UTC, datetime, timedelta
from typing import Any, Final, Literal
from uuid import uuid4

from pydantic import BaseModel, ConfigDict, Field

from agents.values import value

type MessageType = Literal["request", "response", "event", "error"]
type Drop = Literal["", "oversized", "expired", "too_many"]
"""Why a message was not delivered; empty if it was."""

MOST_CHARACTERS: Final = 50_000
"""Of one message as JSON. A larger one is dropped: an agent that sends 1 MB must not fill the others' prompts."""
MOST_MESSAGES: Final = 200
"""Of one run. Two agents that answer each other for ever stop here. A round table of ten rounds with a lead and a full
store sends about 150."""
TTL_S: Final = 30
"""Seconds that a message counts if nothing else is said; longer than any agent of the panel may take."""


class AgentMessage(BaseModel):
    """A message from an agent to another agent, or to all agents."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    message_id: str = Field(default_factory=lambda: f"msg_{uuid4().hex[:12]}", min_length=1, max_length=64)
    timestamp: datetime = Field(default_factory=lambda: datetime.now(UTC))
    sender: str
    recipient: str | None = None
    """None means all agents of the run."""
    message_type: MessageType
    payload: Mapping[str, Any] = {}
    context: Mapping[str, Any] = {}
    correlation_id: str = ""
    """The run; the bus fills it in."""
    parent_id: str | None = None
    """The message that this one answers."""
    priority: int = Field(default=5, ge=0, le=10)
    ttl: int = Field(default=TTL_S, ge=0)
    """Seconds after `timestamp` in which it may be delivered."""

    @property
    def event(self) -> str:
        """The name of the event that it announces; empty for other messages."""
        return str(self.payload.get("event", "")) if self.message_type == "event" else ""

    def is_expired(self, now: datetime) -> bool:
        return now > self.timestamp + timedelta(seconds=self.ttl)

    def to_json(self) -> str:
        return self.model_dump_json()

    @classmethod
    def from_json(cls, text: str) -> "AgentMessage":
        """Raises pydantic.ValidationError for a text that is no message."""
        return cls.model_validate_json(text)


def make_event(name: str, *, sender: str, data: Mapping[str, Any], priority: int = 5) -> AgentMessage:
    """Return a message to all agents that something was found."""
    payload = {"event": name, "data": dict(data)}
    return AgentMessage(sender=sender, message_type="event", payload=payload, priority=priority)


def make_request(
    action: str, *, sender: str, recipient: str, data: Mapping[str, Any], priority: int = 7
) -> AgentMessage:
    """Return a message that asks one agent for something."""
    payload = {"action": action, **data}
    return AgentMessage(sender=sender, recipient=recipient, message_type="request", payload=payload, priority=priority)


def make_response(request: AgentMessage, result: Mapping[str, Any]) -> AgentMessage:
    """Return the answer to a request."""
    return AgentMessage(
        sender=request.recipient or "",
        recipient=request.sender,
        message_type="response",
        payload={"status": "success", "result": dict(result)},
        parent_id=request.message_id,
    )


@value
class Filter:
    """Describes the message that an agent waits for. An empty field matches any value."""

    sender: str = ""
    event: str = ""
    message_type: str = ""
    answers: str = ""
    """The id of the request that it answers."""

    def accepts(self, message: AgentMessage) -> bool:
        return (
            (not self.sender or message.sender == self.sender)
            and (not self.event or message.event == self.event)
            and (not self.message_type or message.message_type == self.message_type)
            and (not self.answers or message.parent_id == self.answers)
        )


@value
class _Waiter:
    recipient: str
    wanted: Filter
    found: asyncio.Future[AgentMessage | None] = field(hash=False)


class Bus:
    """Delivers the messages of one run. Use it in one event loop only. Its methods never block the loop."""

    def __init__(
        self,
        *,
        correlation_id: str = "",
        members: Iterable[str] = (),
        report: Callable[[AgentMessage, Drop], None] = lambda message, drop: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self.correlation_id = correlation_id
        self._running = set(members)
        """Agents that run, or have not run yet: only they can still send something."""
        self._report = report
        self._now = now
        self._kept: list[AgentMessage] = []
        self._read: dict[str, set[str]] = {}
        """Agent → ids of the messages that it has received."""
        self._waiters: list[_Waiter] = []

    def publish(self, message: AgentMessage) -> Drop:
        """Deliver a message, or drop it and say why; both are reported."""
        message = message.model_copy(update={"correlation_id": self.correlation_id})
        drop = self._drop(message)
        self._report(message, drop)
        if drop:
            return drop
        self._kept.append(message)
        for waiter in list(self._waiters):
            if self._is_for(waiter.recipient, message) and waiter.wanted.accepts(message):
                self._hand_over(waiter, message)
        return ""

    async def receive(self, recipient: str, wanted: Filter, *, within_s: float) -> AgentMessage | None:
        """Return the next message that an agent waits for; None if it does not come in time, or cannot come any more.

        What was sent before counts, most urgent first. Each agent gets a message once.
        """
        if (message := self._next(recipient, wanted)) is not None:
            return self._mark_read(recipient, message)
        if wanted.sender and wanted.sender not in self._running:
            return None
        waiter = _Waiter(recipient=recipient, wanted=wanted, found=asyncio.get_running_loop().create_future())
        self._waiters.append(waiter)
        try:
            async with asyncio.timeout(within_s):
                return await waiter.found
        except TimeoutError:
            return None
        finally:
            if waiter in self._waiters:
                self._waiters.remove(waiter)

    def begin(self, agent: str) -> None:
        """Record that an agent runs, perhaps again in a loop: it can send something."""
        self._running.add(agent)

    def end(self, agent: str) -> None:
        """Record that an agent has ended: who waits for it alone waits no longer."""
        self._running.discard(agent)
        for waiter in list(self._waiters):
            if waiter.wanted.sender == agent:
                self._hand_over(waiter, None)

    def messages(self, recipient: str, wanted: Filter | None = None) -> Iterator[AgentMessage]:
        """Yield all messages to an agent so far, in the order in which they were sent. Reading them here leaves them unread."""
        for message in self._kept:
            if self._is_for(recipient, message) and (wanted is None or wanted.accepts(message)):
                yield message

    def _next(self, recipient: str, wanted: Filter) -> AgentMessage | None:
        read, now = self._read.get(recipient, set()), self._now()
        waiting = [
            each
            for each in self.messages(recipient, wanted)
            if each.message_id not in read and not each.is_expired(now)
        ]
        return max(waiting, key=lambda each: each.priority, default=None)

    def _hand_over(self, waiter: _Waiter, message: AgentMessage | None) -> None:
        self._waiters.remove(waiter)
        if not waiter.found.done():
            if message is not None:
                self._mark_read(waiter.recipient, message)
            waiter.found.set_result(message)

    def _mark_read(self, recipient: str, message: AgentMessage) -> AgentMessage:
        self._read.setdefault(recipient, set()).add(message.message_id)
        return message

    def _is_for(self, recipient: str, message: AgentMessage) -> bool:
        return message.sender != recipient and message.recipient in (None, recipient)

    def _drop(self, message: AgentMessage) -> Drop:
        if len(self._kept) >= MOST_MESSAGES:
            return "too_many"
        if message.is_expired(self._now()):
            return "expired"
        size = len(json.dumps([message.payload, message.context], default=str, ensure_ascii=False))
        return "oversized" if size > MOST_CHARACTERS else ""
