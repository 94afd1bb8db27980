"""System checks of the SQLite library and of the data folder."""

import sqlite3
from pathlib import Path
from typing import Any

from django.core.checks import CheckMessage, Warning, register
from django.db import connection

from learnagent.private_files import is_open
from learnagent.sqlite import has_wal_reset_fault


@register()
def sqlite_is_sound(**kwargs: Any) -> list[CheckMessage]:
    """Warn of a SQLite that can corrupt a WAL database when a process dies during a checkpoint."""
    if connection.vendor != "sqlite":
        return []
    if not has_wal_reset_fault(sqlite3.sqlite_version_info):
        return []
    return [
        Warning(
            f"SQLite {sqlite3.sqlite_version} can lose a database when a process dies during a checkpoint.",
            hint="Install pysqlite3 0.6.1 (Linux on x86-64 has a wheel), or use PostgreSQL by DATABASE_URL.",
            id="learnagent.W001",
        )
    ]


@register()
def data_folder_is_private(**kwargs: Any) -> list[CheckMessage]:
    """Warn of a data folder that others on the machine can read; it belongs to somebody else, or it would be closed."""
    folder = Path(settings.DATA_DIR)
    if not is_open(folder):
        return []
    return [
        Warning(
            f"{folder} can be read by others on this machine.",
            hint=f"Let the user that runs learnagent own it, and run: chmod -R go= {folder}",
            id="learnagent.W002",
        )
    ]
