"""A SQLite database that another process writes to, for as long as a test likes."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from asgiref.sync import SyncToAsync
from django.db import connection, connections


@contextmanager
def foreign_write_lock() -> Iterator[None]:
    """Hold the write lock on another connection; ours do not wait for it. Needs django_db(transaction=True)."""
    options = connection.settings_dict["OPTIONS"]
    before, options["timeout"] = options["timeout"], 0
    _connect_anew()
    other = sqlite3.connect(str(connection.settings_dict["NAME"]), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    try:
        yield
    finally:
        other.close()
        options["timeout"] = before
        _connect_anew()


def _connect_anew() -> None:
    """Close the connections of this thread and of the one in which asynchronous code asks."""
    connection.close()
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()
