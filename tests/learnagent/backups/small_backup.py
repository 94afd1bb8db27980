"""Backups made by hand, whole ones and bad ones."""

import sqlite3
import zipfile
from collections.abc import Callable, Mapping
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any

from learnagent.backups.archive import MANIFEST, ArchiveWriter
from learnagent.backups.manifest import Manifest

UPLOAD = f"uploads/ab/ab{'0' * 62}"
NO_NAMES: Mapping[str, str] = MappingProxyType({})
TABLES = """
CREATE TABLE django_migrations (id INTEGER PRIMARY KEY, app TEXT, name TEXT);
CREATE TABLE conversations_document (id TEXT PRIMARY KEY, stored_as TEXT);
CREATE TABLE accounts_datacopy (id TEXT PRIMARY KEY, ready_at TEXT);
INSERT INTO conversations_document VALUES ('1', 'ab');
"""


def write_small_backup(path: Path, **fields: Any) -> Path:
    """Write a backup of a few rows and one upload; `fields` go into its manifest instead of the right ones."""
    database = path.with_suffix(".sqlite3")
    with closing(sqlite3.connect(database)) as connection:
        connection.executescript(TABLES)
    upload = path.with_suffix(".upload")
    upload.write_bytes(bytes(range(256)) * 100)
    with ArchiveWriter(path) as archive:
        archive.add_path("database.sqlite3", database)
        archive.add_path(UPLOAD, upload)
        right: dict[str, Any] = {
            "program": "0.1.0",
            "made_at": datetime(2026, 3, 4, 12, tzinfo=UTC),
            "engine": "sqlite",
            "engine_version": "3.53.4",
            "migrations": (),
            "rows": {"django_migrations": 0, "conversations_document": 1, "accounts_datacopy": 0},
            "files": archive.files,
            "missing": (),
        }
        archive.add_manifest(Manifest(**right | fields))
    database.unlink()
    upload.unlink()
    return path


def rewritten(path: Path, change: Callable[[Manifest], Manifest], *, names: Mapping[str, str] = NO_NAMES) -> Path:
    """Return a copy of the backup with another manifest, and other `names` of its entries."""
    other = path.with_name(f"rewritten-{path.name}")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            content = old.read(name)
            if name == MANIFEST:
                content = change(Manifest.model_validate_json(content)).model_dump_json().encode()
            new.writestr(names.get(name, name), content)
    return other
