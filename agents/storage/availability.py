"""Availability of the database and other services: outages in the log, optional writes, and work that survives failures."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from django.db import InterfaceError, InternalError, OperationalError, connection, transaction

from agents.event_log import get_logger

logger = get_logger(__name__)

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
        logger.warning("write_dropped", what=what, error=str(error))


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


class ServiceLost(Exception):
    """A service could not be used, as its outage says in the log."""


class Outage:
    """A service that this process needs: logs when it is lost and when it is back, and counts the failures."""

    def __init__(self, service: str) -> None:
        self.service = service
        self.failures = 0
        """Since it last worked."""
        self.total = 0
        """Since the process started."""

    def failed(self, error: BaseException) -> None:
        """Count a failed use; the first one is logged."""
        self.total += 1
        self.failures += 1
        if self.failures == 1:
            reason = ": ".join(filter(None, (type(error).__name__, str(error))))
            logger.error("service_lost", service=self.service, error=reason)

    def worked(self) -> None:
        """Note that the service was used with success."""
        if self.failures:
            logger.warning("service_back", service=self.service, failures=self.failures)
            self.failures = 0


database = Outage("database")
"""Its end is noticed by this process's heartbeat, which writes."""


def log_database_error(event: str, error: Exception, **fields: object) -> None:
    """Log an error of the database; while it is unavailable, count it as part of the outage."""
    if isinstance(error, UNAVAILABLE_ERRORS):
        database.failed(error)
    else:
        logger.error(event, exc_info=error, **fields)


class FailureStreak:
    """Logs failures in a row of repeated work: the first with its traceback, and the recovery."""

    def __init__(self, work: str) -> None:
        self.work = work
        self.failures = 0
        """Without those that are part of an outage."""

    @contextmanager
    def survive(self) -> Iterator[None]:
        """Do the work once; exceptions are logged and suppressed."""
        try:
            yield
        except UNAVAILABLE_ERRORS as error:
            database.failed(error)
        except ServiceLost:
            pass
        except Exception:
            self.failures += 1
            if self.failures == 1:
                logger.exception("work_failed", work=self.work)
        else:
            if self.failures:
                logger.warning("work_recovered", work=self.work, failures=self.failures)
            self.failures = 0
