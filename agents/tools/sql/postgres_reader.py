"""Reads a PostgreSQL database: in a read-only transaction of its own, one SELECT, stopped after a second."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg

from agents.tools.sql import STATEMENT_S, DatabaseUnreachable, QueryRefused, QueryRows, cut_rows
from agents.tools.sql.statements import checked_select

CONNECT_S: Final = 3
ROW_BYTES: Final = 100_000
"""Longer rows are left out: the server would send them whole."""
# Of a role that may read only views, these are all that it sees.
_TABLES: Final = """
    SELECT table_schema, table_name, column_name FROM information_schema.columns
    WHERE table_schema NOT IN ('pg_catalog', 'information_schema')
    ORDER BY table_schema, table_name, ordinal_position LIMIT 2000
"""


class PostgresReader:
    """The reader of one database."""

    def __init__(self, url: str, *, statement_s: float = STATEMENT_S) -> None:
        self._url = url
        self._statement_s = statement_s

    def tables(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        with self._opened() as connection:
            for schema, table, column in connection.execute(_TABLES).fetchall():
                found[table if schema == "public" else f"{schema}.{table}"].append(column)
        return found

    def query(self, sql: str, *, limit: int) -> QueryRows:
        statement = checked_select(sql)
        # The line break ends a comment at the end of the query. Prepared, so that the server refuses a second statement.
        limited = (
            f"SELECT * FROM (\n{statement}\n) AS asked WHERE pg_column_size(asked.*) <= {ROW_BYTES} LIMIT {limit + 1}"
        )
        with self._opened() as connection:
            try:
                cursor = connection.execute(limited.encode(), prepare=True)
                rows = cursor.fetchall()
            except psycopg.errors.QueryCanceled:
                raise QueryRefused("The query took too long and was stopped.") from None
            except psycopg.errors.ReadOnlySqlTransaction:
                raise QueryRefused("Only a SELECT can be run here.") from None
            except psycopg.errors.InsufficientPrivilege:
                raise QueryRefused("The query reads something that cannot be read here.") from None
            except psycopg.OperationalError:
                raise DatabaseUnreachable("The database cannot be read right now.") from None
            except psycopg.Error as error:
                raise QueryRefused(f"The query is wrong: {_first_line(error)}") from None
            columns = [column.name for column in cursor.description or ()]
        return cut_rows(columns, rows, limit=limit)

    @contextmanager
    def _opened(self) -> Iterator[psycopg.Connection[tuple[Any, ...]]]:
        """Give a connection in a read-only transaction, with the time limit set; it is rolled back."""
        try:
            connection = psycopg.connect(self._url, connect_timeout=CONNECT_S, application_name="learnagent tool")
        except psycopg.Error:
            raise DatabaseUnreachable("The database cannot be opened right now.") from None
        try:
            connection.read_only = True
            milliseconds = round(1000 * self._statement_s)
            for name in ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"):
                connection.execute("SELECT set_config(%s, %s, true)", [name, str(milliseconds)])
            yield connection
            connection.rollback()
        finally:
            connection.close()


def _first_line(error: psycopg.Error) -> str:
    said = error.diag.message_primary or str(error)
    return said.splitlines()[0][:200] if said else "unknown error"
