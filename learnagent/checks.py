"""System checks of the ground: the SQLite library, and what more than one web process needs."""

import sqlite3
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Warning, register

from learnagent.sqlite import has_wal_reset_fault


@register()
def sqlite_is_sound(**kwargs: Any) -> list[CheckMessage]:
    """Warn of a SQLite that can corrupt a WAL database when a process dies during a checkpoint."""
    if settings.DATABASES["default"]["ENGINE"] != "django.db.backends.sqlite3":
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
