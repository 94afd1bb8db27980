"""What a backup has to know of a database: migrations, rows, and the files that rows name."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from conversations.library import document_files
from conversations.models import Document
from learnagent.accounts.models import DataCopy
from learnagent.accounts.personal_data import copies
from learnagent.backups.faults import BackupFault


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseFacts:
    migrations: tuple[tuple[str, str], ...]
    rows: Mapping[str, int]
    """Table → number of its rows."""
    files: tuple[str, ...]
    """Names in the file store of uploads and of data exports that are ready."""


def read_facts(cursor: Any, tables: Iterable[str]) -> DatabaseFacts:
    """Read the facts with a cursor of the database or of a copy. Raises BackupFault if there are no tables."""

    def fetch(sql: str) -> list[tuple[Any, ...]]:
        cursor.execute(sql)
        return list(cursor.fetchall())

    rows = count_rows(cursor, tables)
    if "django_migrations" not in rows:
        raise BackupFault("The database is empty, so there is nothing to back up.")
    uploads = fetch(f"SELECT stored_as FROM {Document._meta.db_table}")
    exports = fetch(f"SELECT id FROM {DataCopy._meta.db_table} WHERE ready_at IS NOT NULL")
    return DatabaseFacts(
        migrations=tuple((app, name) for app, name in fetch("SELECT app, name FROM django_migrations ORDER BY id")),
        rows=rows,
        files=(
            *(document_files.name_of(stored_as) for (stored_as,) in uploads),
            *(copies.file_name_of(DataCopy(pk=UUID(str(key)))) for (key,) in exports),
        ),
    )


def count_rows(cursor: Any, tables: Iterable[str]) -> dict[str, int]:
    """Return table → number of its rows."""
    counted = {}
    for table in tables:
        cursor.execute('SELECT COUNT(*) FROM "{}"'.format(table.replace('"', '""')))
        counted[table] = int(cursor.fetchone()[0])
    return counted


def check_rows(counted: Mapping[str, int], expected: Mapping[str, int]) -> None:
    """Raise BackupFault if a table has not as many rows as the manifest says."""
    for table in sorted(counted.keys() | expected.keys()):
        if counted.get(table) != expected.get(table):
            found, wanted = (numbers.get(table, "no table") for numbers in (counted, expected))
            raise BackupFault(f"The copy of the database is damaged: rows in {table!r}: {found}, not {wanted}.")
