"""The two kinds of databases, as backups need them."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from django.db import connection

from learnagent.backups import postgresql_database, sqlite_database
from learnagent.backups.database_facts import DatabaseFacts
from learnagent.backups.manifest import Manifest


class DatabaseEngine(Protocol):
    """What a module for one kind of database does. Paths are of copies; the database itself is the configured one."""

    FILE: str
    """The copy's name in a backup."""

    def version(self) -> str:
        """Return the version of the library or server."""

    def copy_database(self, path: Path) -> DatabaseFacts:
        """Copy the database as it is at one moment to a new file; return what is in the copy. Raises BackupFault."""

    def check_copy(self, path: Path, manifest: Manifest) -> None:
        """Raise BackupFault if a copy is damaged, or does not have the rows that the manifest says."""

    def has_tables(self) -> bool:
        """Return whether there is something in the database that a restoration would replace."""

    def is_in_use(self) -> bool:
        """Return whether another process has the database open, where that can be told."""

    def replace_database(self, path: Path, *, aside: Path) -> None:
        """Put the copy in the database's place, all or nothing; what was there goes to the folder `aside`."""

    def put_back(self, aside: Path) -> None:
        """Put back what `replace_database` put aside."""

    def list_tables(self, cursor: Any) -> list[str]:
        """Return the tables that hold rows of their own."""


ENGINES: Mapping[str, DatabaseEngine] = {"sqlite": sqlite_database, "postgresql": postgresql_database}


def own_engine() -> DatabaseEngine:
    """Return the kind of the configured database."""
    return ENGINES[connection.vendor]
