"""Checkpoints of SQLite's write-ahead log (WAL), in a thread of their own.

SQLite would copy a long log into the database during a commit, and all writers would wait for it.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from typing import Literal

from django.db import connection, connections

from agents.storage.availability import FailureStreak
from agents.storage.threads import in_thread_of

EVERY_S = 1.0
TRUNCATE_EVERY = 300
"""Every how many checkpoints the file is emptied: a long reader may have let it grow."""
MAX_TRIES = 5


async def checkpoint_forever() -> None:
    """Copy the log into the database every second; return at once if the database is not SQLite."""
    if connection.vendor != "sqlite":
        return
    streak = FailureStreak("checkpoints of the write-ahead log")
    threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="checkpoints")
    try:
        for number in count(1):
            await asyncio.sleep(EVERY_S)
            with streak.survive():
                work = copy_log if number % TRUNCATE_EVERY else partial(run_checkpoint, "TRUNCATE")
                await in_thread_of(threads, work)
    finally:
        threads.submit(connections.close_all)
        threads.shutdown(wait=False)


def copy_log() -> bool:
    """Copy the log into the database, with what is written meanwhile; return whether nothing was left.

    Only then does SQLite write the log from its start again. Nobody waits for it.
    """
    return any(run_checkpoint("PASSIVE") for _ in range(MAX_TRIES))


def run_checkpoint(mode: Literal["PASSIVE", "TRUNCATE"]) -> bool:
    """Run a checkpoint; return whether it copied the whole log."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA wal_checkpoint({mode})")
        _is_busy, frames, copied = cursor.fetchone()
    return bool(frames == copied)
