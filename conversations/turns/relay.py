"""Relays events of running turns between processes, and wishes to stop one, over the channel layer.

A process that follows a turn served elsewhere requests its events; the serving process sends them as they come, while
requests continue. The layer may lose messages or be unavailable: missing events are read from the rows, and so is a
wish to stop.
"""

import asyncio
import json
import uuid
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context
from dataclasses import dataclass
from typing import Any

from channels.layers import get_channel_layer

from agents.event_log import get_logger
from conversations.turns.feed import Feed, Resumption, Wire
from conversations.turns.notices import layer_failures

logger = get_logger(__name__)

BROADCAST_GROUP = "relay"
"""The group of all processes, because the requester does not know which one serves the turn."""
ASK_EVERY_S = 1.0
"""Seconds between two requests of one reader. Each also brings what was lost since the last."""
ASKED_FOR_S = 5.0
"""How long a process gets events after its last request, in seconds."""
ANSWER_WITHIN_S = 0.3
"""No answer within this time, in seconds, means that nobody serves the turn or the layer is unavailable."""
MESSAGE_CHARACTERS = 256 * 1024
"""Characters of events in one message. A longer single event is not sent: it is read from its row."""
KEPT_EVENTS = 1_000
"""Events a slow reader has not taken yet; further ones are read from the rows."""

encode_json = json.JSONEncoder(separators=(",", ":")).encode
"""The layer's own format supports no large integers or lone surrogates, which a model's arguments may contain."""


class RemoteFeed:
    """The events one reader has received from the process that serves the turn."""

    def __init__(self) -> None:
        self.news = asyncio.Event()
        """Set when there may be something to read, here or in a feed of this process."""
        self.resumption = Resumption()
        self._events: dict[int, Wire] = {}
        self._asked_at = float("-inf")
        self._unanswered_since: float | None = None
        self._is_heard = False

    @property
    def is_current(self) -> bool:
        """Whether the serving process answers; then the rows need not be read."""
        waited_s = 0.0 if self._unanswered_since is None else _now() - self._unanswered_since
        return self._is_heard and waited_s < ANSWER_WITHIN_S

    @property
    def has_gap(self) -> bool:
        """Whether there are events nobody took; if `take` returned nothing, the ones before them were lost."""
        return bool(self._events)

    def hear(self, resumption: Resumption, events: Iterable[Wire]) -> None:
        """Add received events; those of an earlier attempt are ignored."""
        if resumption.attempt < self.resumption.attempt:
            return
        self.resume(resumption)
        self._is_heard, self._unanswered_since = True, None
        for wire in events:
            if len(self._events) < KEPT_EVENTS:
                self._events[wire["seq"]] = wire
        self.news.set()

    def resume(self, resumption: Resumption) -> None:
        """Drop the events of earlier attempts, if this one is new."""
        if resumption.attempt > self.resumption.attempt:
            self.resumption = resumption
            self._events.clear()

    def take(self, after: int) -> list[Wire]:
        """Return the events that follow number `after` without a gap; earlier ones are dropped."""
        for seq in [seq for seq in self._events if seq <= after]:
            del self._events[seq]
        batch: list[Wire] = []
        while wire := self._events.pop(after + len(batch) + 1, None):
            batch.append(wire)
        return batch

    def is_due(self) -> bool:
        """Return whether it is time for a request: at most every `ASK_EVERY_S`, earlier if something was lost."""
        now = _now()
        if now < self._asked_at + (ANSWER_WITHIN_S if self.has_gap else ASK_EVERY_S):
            return False
        self._asked_at = now
        if self._unanswered_since is None:
            self._unanswered_since = now
        return True

    async def wait(self) -> None:
        """Wait for news, at most until the rows should be read or a request is due."""
        with suppress(TimeoutError):
            async with asyncio.timeout(ASK_EVERY_S if self.is_current and not self.has_gap else ANSWER_WITHIN_S):
                await self.news.wait()


@dataclass(slots=True, eq=False)
class _Subscriber:
    """A process that follows a turn served here."""

    feed: Feed
    group: str
    position: int
    """The number of the last event sent."""
    until: float = 0.0


class Relay:
    """One process's side of the relay: sends events of turns served here, receives those followed here."""

    def __init__(self, feeds: Mapping[uuid.UUID, Feed], *, stop: Callable[[uuid.UUID], object]) -> None:
        """`stop` stops a turn of this process, and does nothing for any other."""
        self._feeds = feeds
        self._stop = stop
        self._group = f"{BROADCAST_GROUP}.{uuid.uuid4().hex}"
        self._followings: dict[uuid.UUID, list[RemoteFeed]] = {}
        self._askers: dict[tuple[uuid.UUID, str], _Subscriber] = {}
        self._listening: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Start listening, if not already done."""
        if self._listening is None or self._listening.done():
            # Without a request's context, because it outlives all requests.
            self._listening = asyncio.create_task(self._listen(), context=Context())

    def close(self) -> None:
        """Stop listening and sending."""
        for task in (self._listening, *self._tasks):
            if task is not None:
                task.cancel()

    # --- What is followed here ---

    @contextmanager
    def following(self, turn_id: uuid.UUID) -> Iterator[RemoteFeed]:
        """Yield a feed of a turn's events; they arrive once `ask` has requested them."""
        following = RemoteFeed()
        followings = self._followings.setdefault(turn_id, [])
        followings.append(following)
        try:
            yield following
        finally:
            followings.remove(following)
            if not followings:
                self._followings.pop(turn_id, None)

    def wake(self, turn_id: uuid.UUID) -> None:
        """Wake those who wait for news of the turn: this process serves it now."""
        for following in self._followings.get(turn_id, ()):
            following.news.set()

    def ask(self, turn_id: uuid.UUID, following: RemoteFeed, *, after: int) -> None:
        """Request the events above `after` from the process that serves the turn, if a request is due."""
        if not following.is_due():
            return
        self.open()
        question = {"turn_id": str(turn_id), "after": after, "attempt": following.resumption.attempt}
        self._start(_send(BROADCAST_GROUP, {"type": "asked", "group": self._group} | question))

    def pass_on_stop(self, turn_id: uuid.UUID) -> None:
        """Tell the process that serves the turn to stop it."""
        self._start(_send(BROADCAST_GROUP, {"type": "stop", "turn_id": str(turn_id)}))

    def _told(self, message: Mapping[str, Any]) -> None:
        resumption = Resumption(*message["resumption"])
        events = json.loads(message["events"])
        for following in self._followings.get(uuid.UUID(message["turn_id"]), ()):
            following.hear(resumption, events)

    # --- What is served here ---

    def _asked(self, message: Mapping[str, Any]) -> None:
        turn_id, group, after = uuid.UUID(message["turn_id"]), message["group"], message["after"]
        feed = self._feeds.get(turn_id)
        if feed is None:
            return
        if message["attempt"] < feed.resumption.attempt:
            after = min(after, feed.resumption.seq - 1)
        asker = self._askers.get((turn_id, group))
        if asker is None or asker.feed is not feed:
            asker = self._askers[turn_id, group] = _Subscriber(feed, group, position=after)
            self._start(self._keep_telling(asker))
        asker.until = _now() + ASKED_FOR_S
        lost = [wire for wire in feed.events if after < wire["seq"] <= asker.position]
        self._start(_send_events(asker, lost))

    async def _keep_telling(self, asker: _Subscriber) -> None:
        """Send the turn's events until it ends or requests stop."""
        try:
            async for batch in asker.feed.watch(after=asker.position):
                if _now() > asker.until:
                    break
                asker.position = batch[-1]["seq"]
                await _send_events(asker, batch)
        finally:
            key = (asker.feed.turn_id, asker.group)
            if self._askers.get(key) is asker:
                del self._askers[key]

    # --- The layer ---

    async def _listen(self) -> None:
        layer: Any = get_channel_layer()
        channel = await layer.new_channel()
        for group in (BROADCAST_GROUP, self._group):
            await layer.group_add(group, channel)
        while True:
            message = await layer.receive(channel)
            try:
                match message["type"]:
                    case "asked":
                        self._asked(message)
                    case "stop":
                        self._stop(uuid.UUID(message["turn_id"]))
                    case _:
                        self._told(message)
            except Exception:
                # Another version of this program may send messages that this one does not know.
                logger.exception("relay_message_not_understood")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_log_failure(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _send_events(asker: _Subscriber, events: Sequence[Wire]) -> None:
    """Send events of a turn; an empty list is an answer too: the turn is served here."""
    for portion in _portions(events):
        message = {"type": "told", "turn_id": str(asker.feed.turn_id), "resumption": list(asker.feed.resumption)}
        await _send(asker.group, message | {"events": portion})


def _portions(events: Sequence[Wire]) -> Iterator[str]:
    """Yield the events as JSON lists of limited length, without events that are too long."""
    text = encode_json(events)
    if len(text) <= MESSAGE_CHARACTERS:
        yield text
    elif len(events) > 1:
        yield from _portions(events[: len(events) // 2])
        yield from _portions(events[len(events) // 2 :])


async def _send(group: str, message: Mapping[str, Any]) -> None:
    layer: Any = get_channel_layer()
    await layer.group_send(group, message)


async def _log_failure(work: Coroutine[Any, Any, None]) -> None:
    """Do the work; if the layer is unavailable, only log it: readers use the rows instead."""
    with layer_failures.survive():
        await work


def _now() -> float:
    return asyncio.get_running_loop().time()
