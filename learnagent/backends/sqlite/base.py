"""The backend: `ENGINE = "learnagent.backends.sqlite"`."""

import sqlite3
from functools import cache

from django.db.backends.sqlite3 import base, features


@cache
def library_has_json() -> bool:
    """Return whether the SQLite library knows JSON, asked in memory."""
    with_memory = sqlite3.connect(":memory:")
    try:
        with_memory.execute("SELECT JSON('{}')")
    except sqlite3.OperationalError:
        return False
    finally:
        with_memory.close()
    return True


class DatabaseFeatures(features.DatabaseFeatures):
    # Django asks within a transaction on the file. With `transaction_mode` IMMEDIATE that needs the write lock, and
    # where another process has it Django takes the refusal for a library without JSON.
    supports_json_field = property(lambda self: library_has_json())
    can_introspect_json_field = has_json_object_function = supports_json_field


class DatabaseWrapper(base.DatabaseWrapper):
    features_class = DatabaseFeatures
