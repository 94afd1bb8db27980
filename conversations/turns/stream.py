"""Streams a turn's events from anywhere: from its feed in this process, or else from the relay and the rows."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import suppress

from agents.storage.threads import in_orm_thread
from conversations.models import Event, Turn
from conversations.turns.feed import Feed, Resumption, Wire
from conversations.turns.relay import RemoteFeed
from conversations.turns.supervisor import supervisor

PAGE = 200
"""Number of rows read at once, and held by a client that has stopped reading."""


async def watch(turn_id: uuid.UUID, *, after: int) -> AsyncIterator[list[Wire]]:
    """Yield the turn's events numbered above `after`, stored ones first, until `turn_finished`.

    If the turn was resumed and `after` is not below that point, it starts there, because the numbers seen before the
    process died may not have been stored.
    """
    attempt = 1
    with supervisor.relay.following(turn_id) as elsewhere:
        while True:
            elsewhere.news.clear()
            feed = supervisor.feeds.get(turn_id)
            resumption = await _latest_resumption(turn_id, feed, elsewhere)
            if resumption.attempt > attempt:
                attempt, after = resumption.attempt, min(after, resumption.seq - 1)
                elsewhere.resume(resumption)
            found = False
            async for batch in _batches(turn_id, feed, elsewhere, after=after):
                found = True
                after = batch[-1]["seq"]
                yield batch
                if batch[-1]["type"] == "turn_finished":
                    return
            if found:
                continue
            if not supervisor.serves(turn_id):
                if not elsewhere.is_current and await _is_over(turn_id, after):
                    return
                supervisor.relay.ask(turn_id, elsewhere, after=after)
            await elsewhere.wait()


def _batches(turn_id: uuid.UUID, feed: Feed | None, elsewhere: RemoteFeed, *, after: int) -> AsyncIterator[list[Wire]]:
    """Return the events above `after`, from the fastest source that has them."""
    if feed is not None and after >= feed.oldest_seq - 1:
        return feed.watch(after=after)
    heard = elsewhere.take(after) if feed is None else []
    if heard or (feed is None and elsewhere.is_current and not elsewhere.has_gap):
        return _as_batches(heard)
    return _page(turn_id, after)


async def _as_batches(events: list[Wire]) -> AsyncIterator[list[Wire]]:
    if events:
        yield events


async def wait_for_first_words(turn_id: uuid.UUID, *, within_s: float) -> None:
    """Wait until the first words of a turn are stored, at most this long, so that a page shows them at once."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            async for batch in watch(turn_id, after=0):
                if any(wire["type"] == "reply_text" for wire in batch):
                    break
            if feed := supervisor.feeds.get(turn_id):
                # Storing continues, whether or not anybody still waits for it.
                await asyncio.shield(feed.flush())


async def _page(turn_id: uuid.UUID, after: int) -> AsyncIterator[list[Wire]]:
    if batch := await _stored(turn_id, after):
        yield batch


@in_orm_thread
def _stored(turn_id: uuid.UUID, after: int) -> list[Wire]:
    rows = Event.objects.filter(turn_id=turn_id, seq__gt=after).order_by("seq")
    return list(rows.values_list("body", flat=True)[:PAGE])


@in_orm_thread
def _is_over(turn_id: uuid.UUID, after: int) -> bool:
    """Return whether the turn has ended and nothing is left to send."""
    if Turn.objects.unfinished().filter(pk=turn_id).exists():
        return False
    return not Event.objects.filter(turn_id=turn_id, seq__gt=after).exists()


async def _latest_resumption(turn_id: uuid.UUID, feed: Feed | None, elsewhere: RemoteFeed) -> Resumption:
    if feed is not None:
        return feed.resumption
    return elsewhere.resumption if elsewhere.is_current else await _stored_resumption(turn_id)


@in_orm_thread
def _stored_resumption(turn_id: uuid.UUID) -> Resumption:
    rows = Event.objects.filter(turn_id=turn_id, type="turn_resumed").order_by("-seq")
    body = rows.values_list("body", flat=True).first()
    return Resumption(body["attempt"], body["seq"]) if body else Resumption()
