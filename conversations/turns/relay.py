"""Events of running turns from one process to another, over the channel layer.

Whoever follows a turn that another process serves asks for its events; the process that serves it sends them as they
come, as long as it is asked. The layer may lose messages or be away: what does not come is read from the rows.
"""

import asyncio
import json
import logging
import uuid
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import Context
from dataclasses import dataclass
from typing import Any

from channels.layers import get_channel_layer

from conversations.turns.feed import Feed, Resumption, Wire

logger = logging.getLogger(__name__)

BROADCAST_GROUP = "relay"
"""The group of all processes: who asks does not know who serves the turn."""
ASK_EVERY_S = 1.0
"""Between two questions of one reader, in seconds. Each also brings what was lost since the last."""
ASKED_FOR_S = 5.0
"""How long a process is sent events after its last question, in seconds."""
ANSWER_WITHIN_S = 0.3
"""An unanswered question after so long, in seconds, means that nobody serves the turn or that the layer is away."""
MESSAGE_CHARACTERS = 256 * 1024
"""Of events in one message. A single longer event is not sent: it is read from its row."""
KEPT_EVENTS = 1_000
"""Events that a slow reader has not taken yet; what comes beyond them is read from the rows."""

encode_json = json.JSONEncoder(separators=(",", ":")).encode
"""The layer's own format takes no large integers and no lone surrogates, which a model's arguments may hold."""


class RemoteFeed:
    """What one reader has heard of a turn from the process that serves it."""

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
        """Whether the serving process is heard: nothing needs to be read from the rows then."""
        waited_s = 0.0 if self._unanswered_since is None else _now() - self._unanswered_since
        return self._is_heard and waited_s < ANSWER_WITHIN_S

    @property
    def has_gap(self) -> bool:
        """Whether events are here that nobody took; after `take` returned nothing, those before them were lost."""
        return bool(self._events)

    def hear(self, resumption: Resumption, events: Iterable[Wire]) -> None:
        """Take in what came; what an earlier attempt still says is void."""
        if resumption.attempt < self.resumption.attempt:
            return
        self.resume(resumption)
        self._is_heard, self._unanswered_since = True, None
        for wire in events:
            if len(self._events) < KEPT_EVENTS:
                self._events[wire["seq"]] = wire
        self.news.set()

    def resume(self, resumption: Resumption) -> None:
        """Forget what earlier attempts said, if this one is new."""
        if resumption.attempt > self.resumption.attempt:
            self.resumption = resumption
            self._events.clear()

    def take(self, after: int) -> list[Wire]:
        """Return the events that follow number `after` without a gap; those up to it are forgotten."""
        for seq in [seq for seq in self._events if seq <= after]:
            del self._events[seq]
        batch: list[Wire] = []
        while wire := self._events.pop(after + len(batch) + 1, None):
            batch.append(wire)
        return batch

    def is_due(self) -> bool:
        """Whether it is time to ask; true at most every `ASK_EVERY_S`, sooner where something was lost."""
        now = _now()
        if now < self._asked_at + (ANSWER_WITHIN_S if self.has_gap else ASK_EVERY_S):
            return False
        self._asked_at = now
        if self._unanswered_since is None:
            self._unanswered_since = now
        return True

    async def wait(self) -> None:
        """Wait for news, no longer than until it is time to look at the rows or to ask again."""
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
    """One process's end: it sends what is served here, and hears what is followed here."""

    def __init__(self, feeds: Mapping[uuid.UUID, Feed]) -> None:
        self._feeds = feeds
        self._group = f"{BROADCAST_GROUP}.{uuid.uuid4().hex}"
        self._followings: dict[uuid.UUID, list[RemoteFeed]] = {}
        self._askers: dict[tuple[uuid.UUID, str], _Subscriber] = {}
        self._listening: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Listen from now on, if that is not done yet."""
        if self._listening is None or self._listening.done():
            # In no context of a request's: it outlives them all.
            self._listening = asyncio.create_task(self._listen(), context=Context())

    def close(self) -> None:
        """Neither listen nor send any more."""
        for task in (self._listening, *self._tasks):
            if task is not None:
                task.cancel()

    # --- What is followed here ---

    @contextmanager
    def following(self, turn_id: uuid.UUID) -> Iterator[RemoteFeed]:
        """Give what is heard of a turn from now on, once `ask` has asked for it."""
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
        """Let those who wait for news of the turn look again: this process serves it now."""
        for following in self._followings.get(turn_id, ()):
            following.news.set()

    def ask(self, turn_id: uuid.UUID, following: RemoteFeed, *, after: int) -> None:
        """Ask whoever serves the turn for the events above `after`, if it is time to."""
        if not following.is_due():
            return
        self.open()
        question = {"turn_id": str(turn_id), "after": after, "attempt": following.resumption.attempt}
        self._start(_send(BROADCAST_GROUP, {"type": "asked", "group": self._group} | question))

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
        """Send the turn's events until it ends or nobody asks any more."""
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
                if message["type"] == "asked":
                    self._asked(message)
                else:
                    self._told(message)
            except Exception:
                # Another version of this program may say what this one does not understand.
                logger.exception("a message of another process was not understood")

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_log_failure(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _send_events(asker: _Subscriber, events: Sequence[Wire]) -> None:
    """Send events of a turn; none is an answer too: the turn is served here."""
    for portion in _portions(events):
        message = {"type": "told", "turn_id": str(asker.feed.turn_id), "resumption": list(asker.feed.resumption)}
        await _send(asker.group, message | {"events": portion})


def _portions(events: Sequence[Wire]) -> Iterator[str]:
    """Yield the events as JSON lists of a bounded length, without those that are too long."""
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
    """Do the work; where the layer is away, only the log tells: readers turn to the rows."""
    try:
        await work
    except Exception as error:
        logger.warning("another process was not told: %r", error)


def _now() -> float:
    return asyncio.get_running_loop().time()
