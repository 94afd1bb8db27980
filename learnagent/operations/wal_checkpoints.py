"""Checkpoints of SQLite's write-ahead log (WAL), in a thread of their own.

SQLite would copy a long log into the database during a commit, and all writers would wait for it.
"""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from pathlib import Path
from typing import Literal

from django.db import connection, connections

from agents.storage.availability import FailureStreak
from agents.storage.threads import in_thread_of

EVERY_S = 4.0
"""Longer is cheaper: a page that was written often in this time is copied once. But the log gets longer."""
TRUNCATE_EVERY_S = 300
"""How often the file is emptied: a long reader may have let it grow."""
MAX_TRIES = 5


async def checkpoint_forever() -> None:
    """Copy the log into the database within seconds of each write; return at once if the database is not SQLite."""
    if connection.vendor != "sqlite":
        return
    streak = FailureStreak("checkpoints of the write-ahead log")
    threads = ThreadPoolExecutor(max_workers=1, thread_name_prefix="checkpoints")
    copied_until = 0
    try:
        for number in count(1):
            await asyncio.sleep(EVERY_S)
            with streak.survive():
                if number % round(TRUNCATE_EVERY_S / EVERY_S) == 0:
                    await in_thread_of(threads, partial(run_checkpoint, "TRUNCATE"))
                # A checkpoint of an idle program costs 8 ms of CPU, because its code is in no cache any more.
                elif (written := last_written()) != copied_until:
                    copied_until = written if await in_thread_of(threads, copy_log) else 0
    finally:
        threads.submit(connections.close_all)
        threads.shutdown(wait=False)


def last_written() -> int:
    """Return when the log was written last, in ns of the file system's clock; 0 if there is none."""
    log = wal_file()
    return log.stat().st_mtime_ns if log.exists() else 0


def wal_file() -> Path:
    """Return the path of SQLite's write-ahead log."""
    return Path(f"{connection.settings_dict['NAME']}-wal")


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
