"""The database file is written by a library without the WAL-reset fault, and in the safe ways."""

import sqlite3
import sys
from threading import Event, Thread
from types import SimpleNamespace

import pytest
from django.db import connection, connections

from learnagent.backends.sqlite_library import REQUEST_WAITS_S, has_wal_reset_fault
from learnagent.checks import check_sqlite_version
from learnagent.operations.database_readiness import WAITING_NOTICE, exclusive_preparation, run_command
from tests.sqlite_locks import foreign_write_lock

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks no whole database")


@pytest.mark.parametrize("version", [(3, 7, 0), (3, 40, 1), (3, 44, 5), (3, 50, 6), (3, 51, 0), (3, 51, 2)])
def test_library_with_the_fault_is_known(version):
    assert has_wal_reset_fault(version)


@pytest.mark.parametrize("version", [(3, 44, 6), (3, 44, 9), (3, 50, 7), (3, 51, 3), (3, 53, 4), (4, 0, 0)])
def test_mended_library_is_known(version):
    assert not has_wal_reset_fault(version)


def test_django_uses_the_mended_library_where_there_is_one():
    if "pysqlite3" in sys.modules:
        assert not has_wal_reset_fault(sqlite3.sqlite_version_info)
        assert check_sqlite_version() == []


def test_old_library_is_warned_of(monkeypatch):
    monkeypatch.setattr("learnagent.checks.sqlite3.sqlite_version_info", (3, 40, 1))
    monkeypatch.setattr("learnagent.checks.connection", SimpleNamespace(vendor="sqlite"))
    assert [warning.id for warning in check_sqlite_version()] == ["learnagent.W001"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 1), ("foreign_keys", 1)])
def test_file_is_written_ahead(pragma, value):
    """G1"""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA {pragma}")
        assert cursor.fetchone() == (value,)


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_what_the_library_can_do_is_known_while_another_process_writes():
    """G3: else each model with a JSON field would be refused, as SQLite "does not support JSONFields"."""
    with foreign_write_lock():
        assert connection.copy().features.supports_json_field


@on_sqlite
@pytest.mark.django_db(transaction=True)
def test_command_that_meets_a_lock_ends_with_one_line(capsys):
    """G3"""
    with foreign_write_lock(), pytest.raises(SystemExit) as ended:
        run_command(["manage.py", "budget", "site", "--per-day", "1"], waits_s=0.01)
    assert str(ended.value).startswith("Another process kept the database locked for 0.01 s.")
    assert capsys.readouterr().err == ""
    assert connection.settings_dict["OPTIONS"]["timeout"] == REQUEST_WAITS_S


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
def test_two_processes_prepare_the_database_one_after_the_other():
    happened, prepares, waits = [], Event(), Event()

    def tell(words):
        assert words == WAITING_NOTICE
        waits.set()

    def other():
        prepares.wait(10)
        with exclusive_preparation(tell):
            happened.append("second")
        connections.close_all()

    thread = Thread(target=other)
    thread.start()
    with exclusive_preparation(tell):
        prepares.set()
        assert waits.wait(10)
        happened.append("first")
    thread.join(10)
    assert happened == ["first", "second"]
