"""Checkpoints of SQLite's write-ahead log: no commit runs one, and the log stays short."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.db import connection, connections

from conversations.models import Session
from learnagent.operations import wal_checkpoints
from learnagent.operations.health import wal_bytes

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has another log"),
]

ROWS = 2_000
PAGE_BYTES = 4_096


def write_rows(owner) -> None:
    """Write more pages than SQLite leaves in its log by default."""
    Session.objects.bulk_create(
        Session(owner=owner, key=str(number), state={"note": "x" * PAGE_BYTES}) for number in range(ROWS)
    )


def file_bytes() -> int:
    return Path(connection.settings_dict["NAME"]).stat().st_size


@contextmanager
def reader() -> Iterator[None]:
    """Another connection with a transaction in which it has read."""
    other = connections.create_connection("default")
    other.settings_dict = connection.settings_dict
    with other.cursor() as cursor:
        # Django would begin it with the write lock.
        cursor.execute("BEGIN DEFERRED")
        cursor.execute("SELECT COUNT(*) FROM conversations_session")
        cursor.fetchone()
    yield
    other.close()


def test_commit_leaves_the_log_to_the_checkpoint(ada):
    wal_checkpoints.run_checkpoint("TRUNCATE")
    before = file_bytes()
    write_rows(ada)
    assert file_bytes() == before
    assert wal_checkpoints.copy_log()
    assert file_bytes() > before + ROWS * PAGE_BYTES


def test_log_is_written_from_its_start_again(ada):
    write_rows(ada)
    wal_checkpoints.copy_log()
    length = wal_bytes()
    for _ in range(3):
        Session.objects.all().delete()
        write_rows(ada)
        wal_checkpoints.copy_log()
    assert wal_bytes() < 2 * length


def test_checkpoint_does_not_wait_for_a_reader(ada):
    with reader():
        write_rows(ada)
        assert not wal_checkpoints.copy_log()
    assert wal_checkpoints.copy_log()


async def test_log_is_copied_once_after_a_write_and_emptied_now_and_then(ada, monkeypatch):
    monkeypatch.setattr(wal_checkpoints, "EVERY_S", 0.01)
    monkeypatch.setattr(wal_checkpoints, "TRUNCATE_EVERY_S", 0.05)
    emptied, ran, real = asyncio.Event(), [], wal_checkpoints.run_checkpoint
    loop = asyncio.get_running_loop()

    def noted(mode):
        done = real(mode)
        ran.append((mode, done))
        if mode == "TRUNCATE":
            loop.call_soon_threadsafe(emptied.set)
        return done

    monkeypatch.setattr(wal_checkpoints, "run_checkpoint", noted)
    await asyncio.to_thread(write_rows, ada)
    running = asyncio.create_task(wal_checkpoints.checkpoint_forever())
    async with asyncio.timeout(30):
        await emptied.wait()
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert ran[:2] == [("PASSIVE", True), ("TRUNCATE", True)]
    assert wal_bytes() == 0
