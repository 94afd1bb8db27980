"""Database availability: which errors mean it is unavailable, optional writes, and work that survives failures."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError, connection, transaction

logger = logging.getLogger(__name__)

LOCK_WAIT_S = 0.25
"""How long an optional write may wait for another writer; a short write has ended by then."""
UNAVAILABLE_ERRORS = (OperationalError, InterfaceError, InternalError)
"""What Django raises for a database that is locked, full, read-only (PostgreSQL: InternalError) or unreachable.

It may work again later.
"""


@contextmanager
def best_effort(what: str, *, waits_s: float = LOCK_WAIT_S) -> Iterator[None]:
    """Try an optional write; log and drop it if the database is unavailable.

    Other exceptions are raised.
    """
    try:
        # A statement that fails inside somebody else's transaction must not break it.
        with lock_wait_limit(waits_s), transaction.atomic() if connection.in_atomic_block else nullcontext():
            yield
    except UNAVAILABLE_ERRORS as error:
        logger.warning("%s: not written: %s", what, error)


@contextmanager
def lock_wait_limit(seconds: float) -> Iterator[None]:
    """Limit how long statements wait while another connection holds SQLite's write lock.

    PostgreSQL locks single rows, and such writes hold them only briefly.
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
    """Logs failures in a row of repeated work: the first with its traceback, and the recovery."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.failures = 0

    @contextmanager
    def survive(self) -> Iterator[None]:
        """Do the work once; exceptions are logged and suppressed."""
        try:
            yield
        except Exception as error:
            self.failures += 1
            if self.failures == 1:
                # For an unavailable database, the traceback says nothing useful.
                logger.error("%s: failed, will be retried: %s", self.what, error, exc_info=not _is_away(error))
        else:
            if self.failures:
                logger.warning("%s: works again after %d failures", self.what, self.failures)
            self.failures = 0


def _is_away(error: Exception) -> bool:
    return isinstance(error, DatabaseError | InterfaceError)
