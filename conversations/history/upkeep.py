"""Keeps SQLite's triggers of the search out of the way of migrations.

SQLite refuses to rename a table while a trigger names one that is missing, and drops a table's triggers with it; Django
makes tables anew by both. So the triggers go before a migration, and come back after it with what was said meanwhile.
"""

from importlib import import_module
from typing import Any

from django.db import connections

INDEX = "conversations_search"
TRIGGERS = tuple(f"conversations_message_{name}" for name in ("said", "changed", "gone"))
CAUGHT_UP = (
    "DELETE FROM conversations_search WHERE rowid NOT IN (SELECT id FROM conversations_message)",
    "DELETE FROM conversations_search WHERE rowid IN (SELECT found.rowid FROM conversations_search AS found"
    " JOIN conversations_message AS message ON message.id = found.rowid WHERE message.text <> found.text)",
)


def take_away(*, plan: Any, using: str, **kwargs: Any) -> None:
    """Drop the triggers where a migration is about to run."""
    if not plan or connections[using].vendor != "sqlite":
        return
    with connections[using].cursor() as cursor:
        for name in TRIGGERS:
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def bring_back(*, using: str, **kwargs: Any) -> None:
    """Make the triggers again where they are missing, and index what they have not seen."""
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    made = import_module("conversations.migrations.0005_search")
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE name LIKE 'conversations%%'", [])
        there = {name for (name,) in cursor.fetchall()}
        if INDEX not in there or there.issuperset(TRIGGERS):
            return
        for name, statement in zip(TRIGGERS, made.SQLITE_TRIGGERS, strict=True):
            if name not in there:
                cursor.execute(statement)
        for statement in (*CAUGHT_UP, f"{made.SQLITE_FILL} AND message.id NOT IN (SELECT rowid FROM {INDEX})"):
            cursor.execute(statement)
