"""The database as commands and servers meet it: locked by another process, away, full, or not prepared yet."""

import fcntl
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import execute_from_command_line
from django.db import InterfaceError, OperationalError, connection, connections

from learnagent.operations.log_redaction import redact

COMMAND_LOCK_WAIT_S = 30.0
"""How long a command waits for another process's lock on SQLite, in seconds; a request waits `REQUEST_WAITS_S`."""
PREPARATION_LOCK = 0x6C6561726E
"""The key of the PostgreSQL advisory lock that one process holds while it prepares the database."""


def run_command(arguments: Sequence[str], *, waits_s: float = COMMAND_LOCK_WAIT_S) -> None:
    """Run a management command. Where the database cannot be used, end with one line on stderr and exit status 1."""
    try:
        wait_for_locks(waits_s)
        execute_from_command_line(list(arguments))
    except (OperationalError, InterfaceError) as error:
        sys.exit(describe_database_error(error, waited_s=waits_s))


def describe_database_error(error: Exception, *, waited_s: float) -> str:
    """Return in one line why the database could not be used, without secrets."""
    if "locked" in str(error):
        return f"Another process kept the database locked for {waited_s:g} s. Try again when it has finished."
    return f"The database cannot be used: {redact(str(error)).strip().partition('\n')[0]}"


def wait_for_locks(seconds: float) -> None:
    """Let every connection that this process opens from now on wait so long for another process's lock on SQLite."""
    for each in connections.all():
        if each.vendor == "sqlite":
            # All threads' connections share these settings.
            each.settings_dict["OPTIONS"]["timeout"] = seconds
            each.close()


@contextmanager
def exclusive_preparation(tell: Callable[[str], object]) -> Iterator[None]:
    """Hold the lock under which one process at a time creates tables and first rows; wait for it, and say so first."""
    with _postgresql_lock(tell) if connection.vendor == "postgresql" else _file_lock(tell):
        yield


WAITING_NOTICE = "Another process is preparing the database. Waiting for it."


@contextmanager
def _postgresql_lock(tell: Callable[[str], object]) -> Iterator[None]:
    # A connection of its own: what is prepared meanwhile may close the other one, and the lock with it.
    holder = connection.copy()
    try:
        with holder.cursor() as cursor:
            cursor.execute("SELECT pg_try_advisory_lock(%s)", [PREPARATION_LOCK])
            if not cursor.fetchone()[0]:
                tell(WAITING_NOTICE)
                cursor.execute("SELECT pg_advisory_lock(%s)", [PREPARATION_LOCK])
            try:
                yield
            finally:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [PREPARATION_LOCK])
    finally:
        holder.close()


@contextmanager
def _file_lock(tell: Callable[[str], object]) -> Iterator[None]:
    with (Path(settings.DATA_DIR) / "preparing").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            tell(WAITING_NOTICE)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
