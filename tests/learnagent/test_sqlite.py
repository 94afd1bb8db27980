"""The database file is written by a library without the WAL-reset fault, and in the safe ways."""

import sqlite3
import sys

import pytest
from django.conf import settings
from django.db import connection

from learnagent.checks import sqlite_is_sound
from learnagent.sqlite import has_wal_reset_fault


@pytest.mark.parametrize("version", [(3, 7, 0), (3, 40, 1), (3, 44, 5), (3, 50, 6), (3, 51, 0), (3, 51, 2)])
def test_library_with_the_fault_is_known(version):
    assert has_wal_reset_fault(version)


@pytest.mark.parametrize("version", [(3, 44, 6), (3, 44, 9), (3, 50, 7), (3, 51, 3), (3, 53, 4), (4, 0, 0)])
def test_mended_library_is_known(version):
    assert not has_wal_reset_fault(version)


def test_django_uses_the_mended_library_where_there_is_one():
    if "pysqlite3" in sys.modules:
        assert not has_wal_reset_fault(sqlite3.sqlite_version_info)
        assert sqlite_is_sound() == []


def test_old_library_is_warned_of(monkeypatch):
    monkeypatch.setattr("learnagent.checks.sqlite3.sqlite_version_info", (3, 40, 1))
    monkeypatch.setitem(settings.DATABASES["default"], "ENGINE", "django.db.backends.sqlite3")
    assert [warning.id for warning in sqlite_is_sound()] == ["learnagent.W001"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 1), ("foreign_keys", 1)])
def test_file_is_written_ahead(pragma, value):
    """G1"""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        assert cursor.fetchone() == (value,)
