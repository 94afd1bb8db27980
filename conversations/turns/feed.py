"""Event feed of a running turn: numbers events, shows them at once, stores them soon after."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable, Collection, Coroutine, Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db import Error as AnyDatabaseError

from agents.engine.events import AgentFinished, AgentText, Event, ReplyText
from agents.storage.availability import log_database_error
from agents.storage.raw_sql import insert_rows
from conversations.models import Event as EventRow
from conversations.turns import fault_injection

Wire = dict[str, Any]
"""An event as sent to clients: its own fields, `seq`, `turn_id`, `at`."""
Store = Callable[[list[Wire]], Coroutine[Any, Any, None]]

KEPT_EVENTS = 200
"""Number of stored events that a feed keeps for its watchers; slower watchers read the rows."""
BACKLOG_EVENTS = 500
"""Unstored events from which text pieces are merged, so that a flood of them cannot fill the memory."""
COALESCE_S: Mapping[type[Event], float] = {ReplyText: 0.05, AgentText: 0.25}
"""How long text pieces are merged into one event, in seconds: a row, a frame and a wake-up per token is expensive, and
nobody reads that fast, least of all what agents say to each other."""
TEXT_PIECES = (ReplyText, AgentText)
FLUSH_TICK_S = 0.1
"""Interval in seconds at which all turns store their events together, in one transaction."""
GATHERED_CHARACTERS = 4000
"""Merged text of this length is shown at once, stored or not."""
REPLY_TYPES = ("reply_text", "card")
RECORDED_TYPES = ("routed", "handed_off", "finding")


class Resumption(NamedTuple):
    """Where the latest attempt at a turn starts; numbering continues from the last stored event."""

    attempt: int = 1
    seq: int = 0
    """The number of its `turn_resumed`; 0 on the first attempt."""


def number_event(event: Event, *, turn_id: uuid.UUID | str, seq: int) -> Wire:
    """Return an event as sent to clients."""
    stamp = {"seq": seq, "turn_id": str(turn_id), "at": datetime.now(UTC).isoformat(timespec="milliseconds")}
    return stamp | event.as_wire()


class Feed:
    """Events of one turn in this process, from `first_seq` on."""

    def __init__(
        self,
        turn_id: uuid.UUID,
        *,
        first_seq: int,
        store: Store,
        flush_s: float,
        flush_bytes: int,
        stored: Sequence[Wire] = (),
    ) -> None:
        self.turn_id = turn_id
        self._written_id = str(turn_id)
        self.oldest_seq = first_seq
        """The number of the first event still in memory; earlier ones are stored."""
        self.events: list[Wire] = list(stored)
        self._said: list[str] = []
        self.cards: list[tuple[int, Wire]] = []
        """Cards, each with the number of reply characters before it."""
        self.first_shown_at: datetime | None = None
        """When the first word or card of the reply was shown."""
        self.told: list[Wire] = []
        """Transitions and findings."""
        self.tools: list[str] = []
        """Names of the tools used, once per use."""
        self.resumption = Resumption()
        self.finished = False
        self._said_length = 0
        self._gathered: dict[str, list[str]] = {}
        """Pieces not numbered yet, by the agent that said them; the reply's under an empty name."""
        self._gathered_length = 0
        self._said_at = float("-inf")
        """When text was last shown, by the loop's clock."""
        self._release_due: asyncio.TimerHandle | None = None
        self._store = store
        self._flush_s = flush_s
        self._flush_bytes = flush_bytes
        self._stored = len(stored)
        self._unstored_bytes = 0
        self._flushing: asyncio.Task[None] | None = None
        self._settled = False
        """Unstored events are stored with the turn's end: no further flush starts."""
        self._flush_due: asyncio.TimerHandle | None = None
        self._news = asyncio.Event()

    @property
    def next_seq(self) -> int:
        """The number of the next event."""
        return self.oldest_seq + len(self.events)

    def emit(self, event: Event) -> None:
        """Number an event, show it to watchers, and have it stored within the feed's limits.

        Text pieces in quick succession are merged, more of them if storing falls behind.
        """
        if not isinstance(event, TEXT_PIECES):
            # Text that other agents are still saying may come after an agent's end, in one piece.
            self._release(of=("", event.agent) if isinstance(event, AgentFinished) else None)
            self._emit(event)
            return
        agent = event.agent if isinstance(event, AgentText) else ""
        self._gathered.setdefault(agent, []).append(event.text)
        self._gathered_length += len(event.text)
        due = self._said_at + COALESCE_S[type(event)]
        is_due = asyncio.get_running_loop().time() >= due and not self._is_behind()
        if is_due or self._gathered_length >= GATHERED_CHARACTERS:
            self._release()
        else:
            self._release_by(due)

    def _is_behind(self) -> bool:
        return len(self.events) - self._stored >= BACKLOG_EVENTS

    def reply(self) -> str:
        """Return the reply so far."""
        self._release()
        return "".join(self._said)

    def shown_cards(self, *, all_of_them: bool) -> list[Mapping[str, Any]]:
        """Return the cards shown, each with the number of reply characters before it.

        Without `all_of_them`, cards that are usable only once their turn is over are left out.
        """
        frame = {"seq", "turn_id", "at", "type", "stands_alone"}
        return [
            {key: value for key, value in wire.items() if key not in frame} | {"at": said}
            for said, wire in self.cards
            if all_of_them or wire.get("stands_alone", True)
        ]

    def _release_by(self, due: float) -> None:
        if self._release_due is not None and self._release_due.when() > due:
            self._hold_back()
        if self._release_due is None and not self._settled:
            self._release_due = asyncio.get_running_loop().call_at(due, self._release_in_time)

    def _hold_back(self) -> None:
        """Cancel the scheduled release: the next text gets its own time."""
        if self._release_due is not None:
            self._release_due.cancel()
            self._release_due = None

    def _release_in_time(self) -> None:
        self._release_due = None
        # If storing is behind, more is shown once some events are stored.
        if not self._is_behind():
            self._release()

    def _release(self, *, of: Collection[str] | None = None) -> None:
        """Number and show the merged text, or only that of these agents."""
        agents = [agent for agent in self._gathered if of is None or agent in of]
        if not agents:
            return
        self._said_at = asyncio.get_running_loop().time()
        if len(agents) == len(self._gathered):
            self._hold_back()
        for agent in agents:
            text = "".join(self._gathered.pop(agent))
            self._gathered_length -= len(text)
            self._emit(AgentText(agent=agent, text=text) if agent else ReplyText(text=text))

    def _emit(self, event: Event) -> None:
        self.show(number_event(event, turn_id=self._written_id, seq=self.next_seq))
        self._unstored_bytes += len(getattr(event, "text", ""))
        # Not at once, even for long text: if the turn ends now, it is stored with the end.
        is_much = self._unstored_bytes >= self._flush_bytes
        self._flush_within(min(FLUSH_TICK_S, self._flush_s) if is_much else self._flush_s)

    def show(self, wire: Wire) -> None:
        """Pass a numbered event to the watchers."""
        self.events.append(wire)
        if self.first_shown_at is None and wire["type"] in REPLY_TYPES:
            self.first_shown_at = datetime.now(UTC)
        match wire["type"]:
            case "reply_text":
                self._said.append(wire["text"])
                self._said_length += len(wire["text"])
            case "card":
                self.cards.append((self._said_length, wire))
            case kind if kind in RECORDED_TYPES:
                self.told.append(wire)
            case "tool_called":
                self.tools.append(wire["tool"])
            case "turn_resumed":
                self.resumption = Resumption(wire["attempt"], wire["seq"])
        self._news.set()
        self._news = asyncio.Event()

    def finish(self, last: Sequence[Wire]) -> None:
        """Show the last events, which are already stored."""
        self.finished = True
        self._cancel_timer()
        for wire in last:
            self.show(wire)

    def close(self) -> None:
        """Release the watchers: this process no longer serves the turn."""
        self.finished = True
        self._hold_back()
        self._cancel_timer()
        self._news.set()

    def unstored(self) -> list[Wire]:
        """Return the events that are not in any transaction yet."""
        return self.events[self._stored :]

    def settle(self) -> list[Wire]:
        """Stop flushing; return the events to store with the turn's end: all that may be unstored."""
        self._release()
        self._settled = True
        self._cancel_timer()
        return self.unstored()

    async def flush(self) -> None:
        """Store all events so far, except those that are stored with the turn's end."""
        self._release()
        if self._flushing is not None:
            await self._flushing
        self._flush_soon()
        if self._flushing is not None:
            await self._flushing

    async def _flush(self) -> None:
        is_behind = True
        while is_behind and not self._settled and (batch := self.unstored()):
            is_behind, self._unstored_bytes = self._is_behind(), 0
            try:
                await self._store(batch)
            except AnyDatabaseError as error:
                # They stay in memory, and are stored with the next flush or the turn's end.
                log_database_error("events_not_stored", error, turn_id=self.turn_id, events=len(batch))
                return
            self._stored += len(batch)
            self._let_go()
            if is_behind:
                self._release()
            if batch[-1]["type"] == "reply_text":
                fault_injection.kill_point("mid_stream")
        if self.unstored() and not self.finished:
            self._flush_within(self._flush_s)

    async def watch(self, *, after: int) -> AsyncIterator[list[Wire]]:
        """Yield events numbered above `after`, in batches as they come, until the turn has finished.

        Ends earlier if the watcher falls behind what is in memory.
        """
        after = max(after, self.oldest_seq - 1)
        while after >= self.oldest_seq - 1:
            news = self._news
            if batch := self.events[after - self.oldest_seq + 1 :]:
                after = batch[-1]["seq"]
                yield batch
            elif self.finished:
                return
            else:
                await news.wait()

    def _let_go(self) -> None:
        """Drop old events; half of them at a time, because the rest has to be moved."""
        if self._stored >= 2 * KEPT_EVENTS:
            surplus = self._stored - KEPT_EVENTS
            del self.events[:surplus]
            self.oldest_seq += surplus
            self._stored -= surplus

    def _flush_within(self, seconds: float) -> None:
        """Schedule storing for the last tick within this time."""
        loop = asyncio.get_running_loop()
        due = (loop.time() + seconds) // FLUSH_TICK_S * FLUSH_TICK_S
        if self._flush_due is None or due < self._flush_due.when():
            self._cancel_timer()
            self._flush_due = loop.call_at(due, self._flush_soon)

    def _flush_soon(self) -> None:
        self._cancel_timer()
        if not self._settled and (self._flushing is None or self._flushing.done()):
            self._flushing = asyncio.create_task(self._flush())

    def _cancel_timer(self) -> None:
        if self._flush_due is not None:
            self._flush_due.cancel()
            self._flush_due = None


_id = lru_cache(maxsize=256)(uuid.UUID)
"""A turn's id as stored; cached because all events of a turn have the same one."""


def store_events(events: Sequence[Wire], *, unless_there: bool = False) -> None:
    """Store events as rows; with `unless_there`, skip those already stored. The caller opens the transaction."""
    insert_rows(
        EventRow,
        [{"turn_id": _id(wire["turn_id"]), "seq": wire["seq"], "type": wire["type"], "body": wire} for wire in events],
        unless_there=unless_there,
    )
