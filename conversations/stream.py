"""Watch a turn from anywhere: its feed where it runs in this process, its rows where it does not."""

import asyncio
import uuid
from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async

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
        latest = await _latest_resumption(turn_id)
        if feed is not None:
            latest = max(latest, feed.resumed_seq)
        if latest > resumed:
            resumed, after = latest, min(after, latest - 1)
        if feed is not None and after >= feed.oldest_seq - 1:
            batches = feed.watch(after=after)
        else:
            batches = _stored(turn_id, after)
        found = False
        async for batch in batches:
            found = True
            after = batch[-1]["seq"]
            yield batch
            if batch[-1]["type"] == "turn_finished":
                return
        if not found:
            if not await Turn.objects.unfinished().filter(pk=turn_id).aexists() and not await _any(turn_id, after):
                return
            await asyncio.sleep(POLL_S)


async def _stored(turn_id: uuid.UUID, after: int) -> AsyncIterator[list[Wire]]:
    rows = Event.objects.filter(turn_id=turn_id, seq__gt=after).order_by("seq").values_list("body", flat=True)[:PAGE]
    if batch := [body async for body in rows]:
        yield batch


async def _any(turn_id: uuid.UUID, after: int) -> bool:
    return await Event.objects.filter(turn_id=turn_id, seq__gt=after).aexists()


@sync_to_async
def _latest_resumption(turn_id: uuid.UUID) -> int:
    rows = Event.objects.filter(turn_id=turn_id, type="turn_resumed").order_by("-seq")
    return rows.values_list("seq", flat=True).first() or 0
