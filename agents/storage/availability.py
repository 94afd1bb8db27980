"""A database that cannot be used just now: what must be told of it, what does without it, and what outlives it."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, connection, transaction

logger = logging.getLogger(__name__)

LOCK_WAIT_S = 0.25
"""How long what reading does not need may wait for another writer: a short one has ended by then."""
UNAVAILABLE_ERRORS = (OperationalError, InterfaceError, InternalError)
"""What Django raises for a database that is locked, full, read-only (PostgreSQL: InternalError) or not reached.

Later it may work again.
"""


@contextmanager
def best_effort(what: str, *, waits_s: float = LOCK_WAIT_S) -> Iterator[None]:
    """Try to write what reading does not need; log and drop what cannot be written.

    Whatever else the block raises is raised.
    """
    try:
        # A statement that fails within a transaction of somebody else's must not spoil it.
        with lock_wait_limit(waits_s), transaction.atomic() if connection.in_atomic_block else nullcontext():
            yield
    except UNAVAILABLE_ERRORS as error:
        logger.warning("%s: not written: %s", what, error)


@contextmanager
def lock_wait_limit(seconds: float) -> Iterator[None]:
    """Let statements wait no longer than this where another connection holds SQLite's write lock.

    PostgreSQL locks single rows, and nobody holds for long those that are written so.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    connection.ensure_connection()
    wire = connection.connection
    [before] = wire.execute("PRAGMA busy_timeout").fetchone()
    wire.execute(f"PRAGMA busy_timeout = {min(before, round(seconds * 1000))}")
    try:
        yield
    finally:
        wire.execute(f"PRAGMA busy_timeout = {before}")


class FailureStreak:
    """Failures in a row of work that is done again and again: the first is logged with its traceback, and the end."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.failures = 0

    @contextmanager
    def survive(self) -> Iterator[None]:
        """Do the work once, and go on whatever exception it ends with."""
        try:
            yield
        except Exception as error:
            self.failures += 1
            if self.failures == 1:
                # Of a database that is away there is nothing to be found out from where that was noticed.
                logger.error("%s: failed, and is tried again: %s", self.what, error, exc_info=not _is_away(error))
        else:
            if self.failures:
                logger.warning("%s: works again after %d failures", self.what, self.failures)
            self.failures = 0


def _is_away(error: Exception) -> bool:
    return isinstance(error, DatabaseError | InterfaceError)
