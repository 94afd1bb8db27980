"""The tool `outside_database`: reads a database that the operator has connected, by one SELECT at a time."""

import asyncio
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final

from django.utils.translation import gettext as _
from pydantic import BaseModel, ConfigDict, Field

from agents.conf import agent_settings
from agents.tools import Tool, ToolFailed, ToolResult, ToolUse
from agents.tools.sql import MOST_ROWS, DatabaseUnreachable, QueryRefused, QueryRows, Reader, sqlite_path
from agents.tools.sql.postgres_reader import PostgresReader
from agents.tools.sql.sqlite_reader import SqliteReader
from agents.tools.sql.statements import SQL_CHARACTERS
from conversations.charts.figures import ChartCard, ChartPoint, titled_words

# A query can take a second; more at once would only wait for the same disk. Chosen by hand.
_threads: Final = ThreadPoolExecutor(max_workers=4, thread_name_prefix="outside-database")
TABLES_SAID: Final = 12
MOST_POINTS: Final = 60


class DatabaseQuery(BaseModel):
    model_config = ConfigDict(extra="forbid")

    sql: str = Field(
        default="",
        max_length=SQL_CHARACTERS,
        description="One SELECT. Empty: return the tables and their columns instead.",
    )
    limit: int = Field(default=50, ge=1, le=MOST_ROWS, description="The most rows.")
    question: str = Field(default="", max_length=SQL_CHARACTERS, description="What the query is to find out, in words.")


class DatabaseRows(ToolResult):
    """Rows of the database, or its tables."""

    tables: dict[str, list[str]] = {}
    """Columns by table, if no query was given."""
    table: ChartCard | None = None
    """The rows, if one was; with a chart of them if they are a label and a number each."""
    words: str
    """What was found, in a sentence."""

    @property
    def summary(self) -> str:
        return f"{len(self.table.rows)} rows" if self.table else f"{len(self.tables)} tables"

    @property
    def chart(self) -> ChartCard | None:
        """The rows for the page."""
        return self.table


def database_reader(url: str) -> Reader:
    """Return the reader of a database by its URL."""
    return SqliteReader(sqlite_path(url)) if url.startswith("sqlite:") else PostgresReader(url)


def read_database(reader: Reader, arguments: DatabaseQuery) -> DatabaseRows:
    """Return the tables, or the rows of a query. Raises ToolFailed with a text that says what is wrong."""
    try:
        if not arguments.sql.strip():
            return _described(reader.tables())
        found = reader.query(arguments.sql, limit=arguments.limit)
    except (QueryRefused, DatabaseUnreachable) as failure:
        raise ToolFailed(str(failure)) from None
    table = rows_as_chart(found, title=arguments.question.strip() or _("The connected database"))
    return DatabaseRows(table=table, words=_words(table))


def rows_as_chart(found: QueryRows, *, title: str) -> ChartCard:
    """Return rows as a table; as bars if each is a label and a number, and as a line if the labels are days."""
    points = _points(found) if len(found.columns) == 2 else []
    is_dated = bool(points) and all(_is_day(point.label) for point in points)
    return ChartCard(
        title=title,
        columns=list(found.columns),
        rows=[list(row) for row in found.rows],
        notes=[_("Only part of the result is shown here.")] if found.is_cut else [],
        shape=("line" if is_dated else "bar") if points else None,
        points=points,
    )


def _points(found: QueryRows) -> list[ChartPoint]:
    """Return the rows as points; none if one of them is not a label and a number from 0, or there is only one."""
    if not 1 < len(found.rows) <= MOST_POINTS:
        return []
    points = [
        ChartPoint(label=str(label), value=float(number))
        for label, number in found.rows
        if isinstance(label, str) and isinstance(number, int | float) and 0 <= number < float("inf")
    ]
    return points if len(points) == len(found.rows) else []


def _is_day(label: str) -> bool:
    return len(label) >= 7 and label[:4].isdigit() and label[4] == "-" and label[5:7].isdigit()


def _described(tables: Mapping[str, Sequence[str]]) -> DatabaseRows:
    if not tables:
        return DatabaseRows(words=_("The connected database has no tables that can be read."))
    named = [f"{name} ({', '.join(columns)})" for name, columns in list(tables.items())[:TABLES_SAID]]
    words = _("The connected database has these tables: %(tables)s.") % {"tables": "; ".join(named)}
    if more := len(tables) - len(named):
        words += " " + _("There are %(more)d more.") % {"more": more}
    return DatabaseRows(tables={name: list(columns) for name, columns in tables.items()}, words=words)


def _words(table: ChartCard) -> str:
    if not table.rows:
        return _("%(title)s: no rows.") % {"title": table.title}
    if table.points:
        return " ".join([titled_words(table), *table.notes])
    first = "; ".join(", ".join(str(cell) for cell in row if cell is not None) for row in table.rows[:3])
    counted = _("%(title)s: %(count)d rows. The first: %(rows)s.")
    return " ".join([counted % {"title": table.title, "count": len(table.rows), "rows": first}, *table.notes])


def is_connected() -> bool:
    """Tell whether the operator has connected a database."""
    return bool(agent_settings().outside_database_url)


async def _run(arguments: Any, _use: ToolUse) -> DatabaseRows:
    reader = database_reader(agent_settings().outside_database_url)
    return await asyncio.get_running_loop().run_in_executor(_threads, partial(read_database, reader, arguments))


OUTSIDE_DATABASE_TOOL = Tool(
    name="outside_database",
    description=(
        "Reads the database that the operator of this site has connected: first its tables, with no arguments, then rows "
        "by one SELECT. It cannot change anything."
    ),
    arguments=DatabaseQuery,
    run=_run,
    is_untrusted=True,
    is_ready=is_connected,
)
