"""The event stream of a round table's own calls, made from a turn's events. The only place that knows both."""

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from conversations.owners import Owner
from conversations.round_table.names import INITIATOR, SUMMARIZER, to_wire
from conversations.round_table.record import Silence, Spoken, TableRecord, with_documents_now
from conversations.round_table.results import SubQuestions, TableGoal
from conversations.round_table.start import OnDisconnect
from conversations.round_table.wording import content_of
from conversations.turns.feed import Wire
from conversations.turns.stream import watch
from conversations.turns.supervisor import supervisor

_stopping: set[asyncio.Task[None]] = set()
"""Requests to stop that are being stored; a task that nobody holds may disappear."""

type StreamEvent = dict[str, Any]
"""`{"type", "data"}`."""


def line_of(event: StreamEvent) -> str:
    """Return an event as it is sent."""
    return f"data: {json.dumps(event, ensure_ascii=False)}\n\n"


class TableStream:
    """Turns the events of one turn into those of its stream, one by one; each thing is said once, also after a restart."""

    def __init__(self) -> None:
        self.record = TableRecord()
        self._rounds_begun: set[int] = set()
        self._rounds_ended: set[int] = set()
        self._responses: set[tuple[int, str]] = set()
        self._openings: set[int] = set()
        self._has_goal = False

    def take(self, wire: Wire) -> Iterator[StreamEvent | Spoken]:
        """Yield the stream's events for the next event; a contribution as it is, because its words may have to be read."""
        before = len(self.record.spoken)
        self.record.take(wire)
        match wire["type"]:
            case "agent_finished" if self.record.goal is not None and wire["agent"] == INITIATOR and not self._has_goal:
                self._has_goal = True
                yield _goal(self.record.goal)
            case "round_started" if wire["round"] not in self._rounds_begun:
                self._rounds_begun.add(wire["round"])
                yield _event("round_start", round=wire["round"], agents=[to_wire(each) for each in wire["agents"]])
            case "tool_called" if self.record.round:
                call = {"name": wire["tool"], "args": wire["args"]}
                yield _event("agent_tool_call", agent=to_wire(wire["agent"]), round=self.record.round, toolCall=call)
            case "agent_finished" if (handed := self.record.handed.get(self.record.round)) and self._is_opening(wire):
                yield _opening(wire["agent"], handed)
            case "agent_finished" if len(self.record.spoken) > before:
                said = self.record.spoken[-1]
                if (said.round, said.agent) not in self._responses:
                    self._responses.add((said.round, said.agent))
                    yield said
            case "agent_failed":
                yield from self._failed(wire)
            case "round_finished" if wire["round"] not in self._rounds_ended:
                self._rounds_ended.add(wire["round"])
                yield _event("round_end", round=wire["round"], timestamp=wire["at"])
                if aborted := next((each for each in self.record.silences if each.strategy == "abort"), None):
                    yield _error(aborted.error_type, "stopped because an agent failed", recoverable=True)
            case "reply_text":
                yield _event("summarizer_response", content=wire["text"], complete=False)
            case "turn_finished":
                yield from self._finished(wire)

    def _is_opening(self, wire: Wire) -> bool:
        """Tell whether a lead has just handed out its sub-questions, and it was not said before."""
        number = self.record.round
        is_first = wire["result"].get("leads_round") == number and number not in self._openings
        self._openings |= {number} if is_first else set()
        return is_first

    def _failed(self, wire: Wire) -> Iterator[StreamEvent]:
        if wire["agent"] in (INITIATOR, SUMMARIZER):
            yield _error(wire["error_type"], wire["message"], recoverable=wire["recoverable"])
        elif self.record.round:
            yield _agent_error(self.record.silences[-1])

    def _finished(self, wire: Wire) -> Iterator[StreamEvent]:
        if wire["status"] in ("failed", "stopped", "interrupted"):
            error_type = "resource" if wire["status"] == "stopped" else "internal"
            yield _error(error_type, wire["status"], recoverable=True)
        yield _event("summarizer_response", content=wire["reply"], complete=True)


def response_of(said: Spoken) -> StreamEvent:
    """Return the event of a contribution."""
    return _event(
        "agent_response",
        agent=to_wire(said.agent),
        round=said.round,
        content=content_of(said),
        steps=said.steps,
        finishReason="stop",
    )


def _opening(agent: str, handed: SubQuestions) -> StreamEvent:
    """Return what a lead hands out, as its first response in the round."""
    content = "\n".join(f"- {to_wire(each.to)}: {each.text}" for each in handed.questions)
    return _event(
        "agent_response",
        agent=to_wire(agent),
        round=handed.leads_round,
        content=content,
        steps=1,
        finishReason="stop",
    )


def events_of(wires: Iterable[Wire]) -> list[StreamEvent]:
    """Return the stream of a turn whose events are all known; without words quoted from documents."""
    stream = TableStream()
    return [response_of(each) if isinstance(each, Spoken) else each for wire in wires for each in stream.take(wire)]


async def stream_turn(turn_id: uuid.UUID, person: Owner, *, on_disconnect: OnDisconnect) -> AsyncIterator[str]:
    """Yield the lines of a turn's stream until it has ended. A client that leaves stops the turn if that was asked."""
    stream, has_ended = TableStream(), False
    try:
        async for batch in watch(turn_id, after=0):
            for wire in batch:
                for each in stream.take(wire):
                    if isinstance(each, Spoken):
                        # Stored first: after a restart, an agent whose words are not stored speaks again.
                        await wait_until_stored(turn_id)
                        each = response_of(await with_documents_now(each, person))
                    yield line_of(each)
        has_ended = True
    finally:
        if not has_ended and on_disconnect == "stop":
            stop_turn(turn_id)


async def wait_until_stored(turn_id: uuid.UUID) -> None:
    """Wait until what was shown of a turn of this process is stored. Storing goes on if the client leaves."""
    if feed := supervisor.feeds.get(turn_id):
        await asyncio.shield(feed.flush())


def stop_turn(turn_id: uuid.UUID) -> None:
    """Stop a turn wherever it runs. Returns at once: nobody waits for a client that has left."""
    if not supervisor.stop(turn_id):
        stopping = asyncio.create_task(supervisor.stop_anywhere(turn_id))
        _stopping.add(stopping)
        stopping.add_done_callback(_stopping.discard)


def _goal(goal: TableGoal) -> StreamEvent:
    return _event(
        "initiator_start",
        agent=INITIATOR,
        goal=goal.goal,
        success_criteria=list(goal.success_criteria),
        approach=goal.approach,
    )


def _agent_error(silence: Silence) -> StreamEvent:
    return _event(
        "agent_error",
        agent=to_wire(silence.agent),
        round=silence.round,
        error_type=silence.error_type,
        message=silence.message,
        strategy=silence.strategy,
    )


def _error(error_type: str, message: str, *, recoverable: bool) -> StreamEvent:
    return _event("error", error_type=error_type, message=message, recoverable=recoverable)


def _event(kind: str, **data: Any) -> StreamEvent:
    return {"type": kind, "data": data}
