"""Watch a turn from anywhere: its feed where it runs in this process, its rows where it does not."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import suppress

from agents.threads import in_orm_thread
from conversations.feed import Wire
from conversations.models import Event, Turn
from conversations.supervisor import supervisor

POLL_S = 0.3
"""Between two looks at the rows of a turn that another process serves, in seconds."""
PAGE = 200
"""Rows read at once: a client that has stopped reading holds as many."""


async def watch(turn_id: uuid.UUID, *, after: int) -> AsyncIterator[list[Wire]]:
    """Yield the turn's events numbered above `after`, stored ones first, until `turn_finished`.

    When the turn was taken up anew and `after` is not below that point, it starts there: the numbers seen before
    the process died may not have been stored.
    """
    resumed = 0
    while True:
        feed = supervisor.feeds.get(turn_id)
        latest = await _latest_resumption(turn_id) if feed is None else feed.resumed_seq
        if latest > resumed:
            resumed, after = latest, min(after, latest - 1)
        is_here = feed is not None and after >= feed.oldest_seq - 1
        batches = feed.watch(after=after) if feed is not None and is_here else _page(turn_id, after)
        found = False
        async for batch in batches:
            found = True
            after = batch[-1]["seq"]
            yield batch
            if batch[-1]["type"] == "turn_finished":
                return
        if not found:
            if not supervisor.serves(turn_id) and await _is_over(turn_id, after):
                return
            await supervisor.fed(turn_id, other_than=feed, within_s=POLL_S)


async def first_words(turn_id: uuid.UUID, *, within_s: float) -> None:
    """Wait until the first words of a turn are stored, but no longer than this; a page drawn then shows them at once."""
    with suppress(TimeoutError):
        async with asyncio.timeout(within_s):
            async for batch in watch(turn_id, after=0):
                if any(wire["type"] == "reply_text" for wire in batch):
                    break
            if feed := supervisor.feeds.get(turn_id):
                # What is being stored goes on, whether or not somebody still waits for it.
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
    """Whether the turn has ended and nothing of it is left to send."""
    if Turn.objects.unfinished().filter(pk=turn_id).exists():
        return False
    return not Event.objects.filter(turn_id=turn_id, seq__gt=after).exists()


@in_orm_thread
def _latest_resumption(turn_id: uuid.UUID) -> int:
    rows = Event.objects.filter(turn_id=turn_id, type="turn_resumed").order_by("-seq")
    return rows.values_list("seq", flat=True).first() or 0
