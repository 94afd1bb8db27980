"""Leaving no byte of what was deleted: SQLite forgets where rows were, not what they said."""

from django.db import OperationalError, connection


class DatabaseInUse(OperationalError):
    """Somebody reads what is to be swept away, and does not stop."""


def erase_free_pages() -> None:
    """Rewrite the database without what was deleted, and empty the write-ahead log. Raises StillRead.

    PostgreSQL does the like by itself, in time. Must not be called within a transaction.
    """
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        for table in map(connection.ops.quote_name, _search_tables(cursor)):
            # A search index keeps deleted words until its parts are merged.
            cursor.execute(f"INSERT INTO {table} ({table}) VALUES ('optimize')")
        cursor.execute("VACUUM")
        # Waits for readers as long as any statement does.
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        if cursor.fetchone()[0]:
            raise DatabaseInUse("the write-ahead log could not be emptied")


def _search_tables(cursor: object) -> list[str]:
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%%fts5%%'"
    cursor.execute(sql, [])  # type: ignore[attr-defined]  # Django's cursor has no type of its own.
    return [name for (name,) in cursor.fetchall()]  # type: ignore[attr-defined]
