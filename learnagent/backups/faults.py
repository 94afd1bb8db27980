"""What goes wrong with backups, and how commands say it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.core.management.base import CommandError
from django.db import DatabaseError, InterfaceError

from learnagent.operations.database_readiness import COMMAND_LOCK_WAIT_S, describe_database_error


class BackupFault(Exception):
    """A backup cannot be made, read or restored; the words say why, in one line without secrets."""


@contextmanager
def told_in_one_line(file: Path) -> Iterator[None]:
    """Raise CommandError, in one line without secrets, for what goes wrong with a backup."""
    try:
        yield
    except BackupFault as fault:
        raise CommandError(str(fault)) from None
    except OSError as error:
        raise CommandError(f"{error.filename or file}: {error.strerror or error}.") from None
    except (DatabaseError, InterfaceError) as error:
        raise CommandError(describe_database_error(error, waited_s=COMMAND_LOCK_WAIT_S)) from None
