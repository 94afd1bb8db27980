"""Removes SQLite's search triggers during migrations.

SQLite refuses to rename a table while a trigger names a missing one, and drops a table's triggers with it; Django's
migrations do both. So the triggers are dropped before a migration, and restored after it with an index update.
"""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from django.db import connections

from conversations.migrations import _capture_index, _message_index, _passage_index


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerIndex:
    """A full-text index over a table, and its source."""

    name: str
    table: str
    triggers: tuple[str, ...]
    sql: ModuleType
    texts: tuple[str, ...] = ("text",)
    """The indexed columns."""


INDEXES = (
    TriggerIndex(
        name="conversations_search",
        table="conversations_message",
        triggers=tuple(f"conversations_message_{name}" for name in ("said", "changed", "gone")),
        sql=_message_index,
    ),
    TriggerIndex(
        name="conversations_passage_search",
        table="conversations_passage",
        triggers=tuple(f"conversations_passage_{name}" for name in ("stored", "changed", "gone")),
        sql=_passage_index,
    ),
    TriggerIndex(
        name="captures_fts",
        table="captures",
        triggers=tuple(f"captures_{name}" for name in ("stored", "changed", "gone")),
        sql=_capture_index,
        texts=("user_text", "agent_text"),
    ),
)


def drop_triggers(*, plan: Any, using: str, **kwargs: Any) -> None:
    """Drop the triggers if a migration is about to run."""
    if not plan or connections[using].vendor != "sqlite":
        return
    with connections[using].cursor() as cursor:
        for index in INDEXES:
            for name in index.triggers:
                cursor.execute(f"DROP TRIGGER IF EXISTS {name}")


def restore_triggers(*, using: str, **kwargs: Any) -> None:
    """Create missing triggers, and index what was stored without them."""
    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master")
        there = {name for (name,) in cursor.fetchall()}
        for index in INDEXES:
            if index.name in there and not there.issuperset(index.triggers):
                _restore_index(cursor, index, there)


def _restore_index(cursor: Any, index: TriggerIndex, there: set[str]) -> None:
    for name, statement in zip(index.triggers, index.sql.SQLITE_TRIGGERS, strict=True):
        if name not in there:
            cursor.execute(statement)
    cursor.execute(f"DELETE FROM {index.name} WHERE rowid NOT IN (SELECT id FROM {index.table})")
    changed = " OR ".join(f"kept.{text} <> found.{text}" for text in index.texts)
    cursor.execute(
        f"DELETE FROM {index.name} WHERE rowid IN (SELECT found.rowid FROM {index.name} AS found"
        f" JOIN {index.table} AS kept ON kept.id = found.rowid WHERE {changed})"
    )
    row = index.table.removeprefix("conversations_")
    cursor.execute(f"{index.sql.SQLITE_FILL} AND {row}.id NOT IN (SELECT rowid FROM {index.name})")
