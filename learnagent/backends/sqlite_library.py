"""Put a SQLite without the WAL-reset fault (3.7.0 to 3.51.2) in the interpreter's place, where there is one.

Imported first by the settings, before Django's SQLite backend imports `sqlite3`.
"""

import sqlite3
import sys
from typing import Any

FAULT_FIXED_IN = (3, 51, 3)
FIX_BACKPORTED_TO = ((3, 50, 7), (3, 44, 6))
REQUEST_WAITS_S = 5.0
"""How long a request waits for another connection's write lock, in seconds."""


def has_wal_reset_fault(version: tuple[int, ...]) -> bool:
    """Whether a crash during a checkpoint can corrupt a WAL database (sqlite.org, change log of 3.51.3)."""
    return version < FAULT_FIXED_IN and not any(version[:2] == fix[:2] and version >= fix for fix in FIX_BACKPORTED_TO)


def use_bundled_sqlite() -> None:
    """Let `import sqlite3` give pysqlite3's newer library; do nothing where its wheel is missing."""
    try:
        import pysqlite3
        from pysqlite3 import dbapi2
    except ImportError:
        return
    if sys.modules.get("sqlite3") is pysqlite3:
        return

    class Connection(dbapi2.Connection):
        def getlimit(self, category: int) -> int:
            """Return the two limits Django asks for: pysqlite3 lacks the method."""
            return {sqlite3.SQLITE_LIMIT_VARIABLE_NUMBER: 32766, sqlite3.SQLITE_LIMIT_COLUMN: 2000}[category]

    original_connect = dbapi2.connect

    def connect(*args: Any, factory: type[Connection] = Connection, **kwargs: Any) -> Connection:
        connection: Connection = original_connect(*args, factory=factory, **kwargs)
        return connection

    for module in (dbapi2, pysqlite3):
        module.connect = connect
        for name in dir(sqlite3):
            if name.startswith("SQLITE_LIMIT_"):
                setattr(module, name, getattr(sqlite3, name))
    sys.modules["sqlite3"], sys.modules["sqlite3.dbapi2"] = pysqlite3, dbapi2
