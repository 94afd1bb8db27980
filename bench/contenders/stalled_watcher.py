"""300 events past a watcher that stalls, leaves and comes back: how many it missed."""

import asyncio
import uuid
from itertools import pairwise

from bench.contenders import temporary_django

EVENTS = 300
STALLED_AFTER = 40


def sample() -> dict[str, float]:
    """Ours: the feed, its rows, and a watcher that reconnects."""
    temporary_django.prepare_django()
    return asyncio.run(_sample())


async def _sample() -> dict[str, float]:
    from agents.engine.events import StateChanged
    from conversations.turns.feed import Feed, Wire, number_event

    stored: list[Wire] = []

    async def store(events: list[Wire]) -> None:
        stored.extend(events)

    feed = Feed(uuid.uuid4(), first_seq=1, store=store, flush_s=0.01, flush_bytes=1024)
    seen: list[int] = []

    async def watch_a_little() -> None:
        async for batch in feed.watch(after=0):
            seen.extend(wire["seq"] for wire in batch)
            if len(seen) >= STALLED_AFTER:
                return

    watcher = asyncio.create_task(watch_a_little())
    for number in range(EVENTS):
        # Not text: that is merged into a few events.
        feed.emit(StateChanged(key="piece", value=number))
        if number % 10 == 0:
            await asyncio.sleep(0)
    await watcher
    await feed.flush()
    await store(feed.settle())
    end = StateChanged(key="piece", value=EVENTS)
    feed.finish([number_event(end, turn_id=feed.turn_id, seq=feed.next_seq)])
    async for batch in feed.watch(after=seen[-1]):
        seen.extend(wire["seq"] for wire in batch)
    return {
        "lost": EVENTS + 1 - len(set(seen)),
        "twice": len(seen) - len(set(seen)),
        "not_stored": EVENTS - len(stored),
        "gaps": sum(after - before != 1 for before, after in pairwise(seen)),
    }
