"""SQLite's side of backups: the database is one file, copied without the space of deleted rows, and put back by moving it."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection

from learnagent.backups.database_facts import DatabaseFacts, check_rows, count_rows, read_facts
from learnagent.backups.faults import BackupFault
from learnagent.backups.manifest import Manifest

FILE = "database.sqlite3"
BESIDE = ("", "-wal", "-shm")
"""Endings of the files of a database."""


def version() -> str:
    return sqlite3.sqlite_version


def copy_database(path: Path) -> DatabaseFacts:
    try:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM INTO %s", [str(path)])
    except DatabaseError as error:
        raise BackupFault(f"The database could not be copied: {error}.") from None
    with _opened(path) as copy:
        return read_facts(copy.cursor(), list_tables(copy.cursor()))


def check_copy(path: Path, manifest: Manifest) -> None:
    try:
        with _opened(path) as copy:
            fault = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
            if fault != "ok":
                raise BackupFault(f"The copy of the database is damaged: {fault}.")
            check_rows(count_rows(copy.cursor(), list_tables(copy.cursor())), manifest.rows)
    except sqlite3.Error as error:
        raise BackupFault(f"The copy of the database is damaged: {error}.") from None


def list_tables(cursor: Any) -> list[str]:
    # Without the search indexes, which are tables of another type.
    cursor.execute(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND substr(name, 1, 7) <> 'sqlite_'"
    )
    return [name for (name,) in cursor.fetchall()]


def has_tables() -> bool:
    try:
        return bool(connection.introspection.table_names())
    except DatabaseError:
        # Damaged, and still something to be kept.
        return True


def is_in_use() -> bool:
    connection.close()
    with closing(sqlite3.connect(_path(), timeout=0)) as database:
        try:
            database.execute("PRAGMA locking_mode = EXCLUSIVE")
            # As long as anybody has a database with a write-ahead log open, nobody gets this lock.
            database.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            return "locked" in str(error)
        except sqlite3.DatabaseError:
            return False
    return False


def replace_database(path: Path, *, aside: Path) -> None:
    connection.close()
    with ExitStack() as undo:
        for each in _files():
            shutil.move(each, aside / each.name)
            undo.callback(shutil.move, aside / each.name, each)
        shutil.move(path, _path())
        undo.pop_all()


def put_back(aside: Path) -> None:
    connection.close()
    for each in _files():
        # A log that stayed would be taken for the old database's.
        each.unlink()
    for each in aside.glob(f"{_path().name}*"):
        shutil.move(each, _path().with_name(each.name))


@contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a file that nobody writes to, for reading; what its schema says is not believed."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as database:
        database.execute("PRAGMA trusted_schema = OFF")
        yield database


def _files() -> list[Path]:
    return [path for ending in BESIDE if (path := Path(f"{_path()}{ending}")).exists()]


def _path() -> Path:
    return Path(connection.settings_dict["NAME"])
