"""System checks of the SQLite library, of the data folder, and of what more than one web process needs."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import DatabaseError, InterfaceError, connection

from conversations.processes import heartbeats
from learnagent.backends.sqlite_library import has_wal_reset_fault
from learnagent.configuration.data_folder import is_open_to_others


@register(Tags.database)
def check_shared_channel_layer(databases: Sequence[str] | None = None, **kwargs: Any) -> list[CheckMessage]:
    """Warn of several web processes on this database without Redis between them."""
    if not databases or heartbeats.has_shared_layer():
        return []
    try:
        serving = heartbeats.living_processes("web")
    except (DatabaseError, InterfaceError):
        # There are no tables yet, or nobody can say.
        return []
    if len(serving) <= 1:
        return []
    return [
        Warning(
            f"{len(serving)} web processes use this database without a shared channel layer.",
            hint="Set REDIS_URL to the same server for all of them.",
            id="learnagent.W002",
        )
    ]


@register()
def check_sqlite_version(**kwargs: Any) -> list[CheckMessage]:
    """Warn of a SQLite that can corrupt a WAL database when a process dies during a checkpoint."""
    if connection.vendor != "sqlite":
        return []
    if not has_wal_reset_fault(sqlite3.sqlite_version_info):
        return []
    return [
        Warning(
            f"SQLite {sqlite3.sqlite_version} can lose a database if a process dies during a checkpoint.",
            hint="Install pysqlite3 0.6.1 (Linux on x86-64 has a wheel), or set DATABASE_URL to use PostgreSQL.",
            id="learnagent.W001",
        )
    ]


@register()
def check_data_folder(**kwargs: Any) -> list[CheckMessage]:
    """Warn of a data folder that others on the machine can read; it belongs to somebody else, or it would be closed."""
    folder = Path(settings.DATA_DIR)
    if not is_open_to_others(folder):
        return []
    return [
        Warning(
            f"{folder} can be read by other users of this machine.",
            hint=f"Make the user that runs learnagent its owner, then run: chmod -R go= {folder}",
            id="learnagent.W003",
        )
    ]
