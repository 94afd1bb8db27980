"""Reads a SQLite file: opened read-only, only by SELECT, only its own tables, and stopped after a second."""

# Not `sqlite3`, which the program replaces with a newer library whose connections cannot be limited.
import _sqlite3 as sqlite3
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic
from typing import Final

from agents.tools.sql import STATEMENT_S, DatabaseUnreachable, QueryRefused, QueryRows, cut_rows
from agents.tools.sql.statements import SQL_CHARACTERS, checked_select

# How often the clock is read: a few thousand instructions take well under a millisecond.
INSTRUCTIONS: Final = 5_000
VALUE_BYTES: Final = 1_000_000
"""The longest text or blob that a query may make."""
_LIMITS: Final = (
    (sqlite3.SQLITE_LIMIT_LENGTH, VALUE_BYTES),
    (sqlite3.SQLITE_LIMIT_SQL_LENGTH, 4 * SQL_CHARACTERS),
    (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
    (sqlite3.SQLITE_LIMIT_COMPOUND_SELECT, 20),
    (sqlite3.SQLITE_LIMIT_EXPR_DEPTH, 100),
    (sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 1_000),
    (sqlite3.SQLITE_LIMIT_WORKER_THREADS, 0),
)
_ALLOWED: Final = (sqlite3.SQLITE_SELECT, sqlite3.SQLITE_FUNCTION, sqlite3.SQLITE_RECURSIVE)
_FORBIDDEN_FUNCTIONS: Final = ("load_extension", "fts3_tokenizer", "readfile", "writefile", "edit")


class SqliteReader:
    """The reader of one file."""

    def __init__(self, path: str, *, statement_s: float = STATEMENT_S, clock: Callable[[], float] = monotonic) -> None:
        self._path = path
        self._statement_s = statement_s
        self._clock = clock

    def tables(self) -> Mapping[str, Sequence[str]]:
        with self._opened() as connection:
            return {name: _columns(connection, name) for name in _names(connection)}

    def query(self, sql: str, *, limit: int) -> QueryRows:
        statement = checked_select(sql)
        with self._opened() as connection:
            names = frozenset(name.casefold() for name in _names(connection))
            self._restrict(connection, names)
            try:
                cursor = connection.execute(statement)
                rows = cursor.fetchmany(limit + 1)
            except (sqlite3.Error, OverflowError) as error:
                raise QueryRefused(_in_words(error)) from None
            columns = [name for name, *_rest in cursor.description or ()]
        return cut_rows(columns, rows, limit=limit)

    def _restrict(self, connection: sqlite3.Connection, names: Collection[str]) -> None:
        """Let the connection only read these tables, and only for so long."""
        for limit, most in _LIMITS:
            connection.setlimit(limit, most)
        ends_at = self._clock() + self._statement_s
        connection.set_progress_handler(lambda: int(self._clock() > ends_at), INSTRUCTIONS)

        def permission(action: int, one: str | None, two: str | None, *_rest: str | None) -> int:
            if action == sqlite3.SQLITE_READ:
                name = (one or "").casefold()
                # Without a column, rows are only counted; so are those of a `WITH` clause, whose name is no table's.
                is_counted = not two and not name.startswith(("sqlite_", "pragma_"))
                return sqlite3.SQLITE_OK if name in names or is_counted else sqlite3.SQLITE_DENY
            if action == sqlite3.SQLITE_FUNCTION and (two or "").casefold() in _FORBIDDEN_FUNCTIONS:
                return sqlite3.SQLITE_DENY
            return sqlite3.SQLITE_OK if action in _ALLOWED else sqlite3.SQLITE_DENY

        connection.set_authorizer(permission)

    @contextmanager
    def _opened(self) -> Iterator[sqlite3.Connection]:
        address = f"{Path(self._path).as_uri()}?mode=ro"
        try:
            connection = sqlite3.connect(address, uri=True, timeout=self._statement_s, isolation_level=None)
        except sqlite3.Error:
            raise DatabaseUnreachable("The database cannot be opened right now.") from None
        with closing(connection):
            try:
                connection.execute("PRAGMA query_only = 1")
                connection.execute("PRAGMA trusted_schema = 0")
                connection.execute("SELECT count(*) FROM sqlite_master")
            except sqlite3.Error:
                raise DatabaseUnreachable("The database cannot be read right now.") from None
            yield connection


def _names(connection: sqlite3.Connection) -> list[str]:
    rows = connection.execute(
        "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
        " ORDER BY name"
    )
    return [name for (name,) in rows]


def _columns(connection: sqlite3.Connection, table: str) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", [table])]


def _in_words(error: Exception) -> str:
    said = str(error)
    if said == "interrupted":
        return "The query took too long and was stopped."
    if "prohibited" in said or "not authorized" in said:
        return "The query reads something that cannot be read here; only the database’s own tables can be."
    if "too big" in said or isinstance(error, OverflowError):
        return "The query makes a value that is too long."
    return f"The query is wrong: {said[:200]}"
