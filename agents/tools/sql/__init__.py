"""Read-only queries of a database outside this program, each within limits."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol
from urllib.parse import unquote, urlsplit

type Value = str | int | float | None

# What one answer of an agent can use, and what a question answered while somebody waits may cost. Chosen by hand.
STATEMENT_S: Final = 1.0
"""The longest that a query may run, in seconds."""
MOST_ROWS: Final = 100
CELL_CHARACTERS: Final = 500
RESULT_CHARACTERS: Final = 20_000
"""The most characters of a whole result; the rows after them are left out."""
SCHEMES: Final = ("sqlite", "postgresql", "postgres")


class QueryRefused(Exception):
    """A query may not run, took too long, or is wrong; the text says which and is safe to show."""


class DatabaseUnreachable(Exception):
    """The database cannot be opened. The text names no address."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRows:
    """The rows of a query, cut to the limits."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[Value]]
    is_cut: bool
    """Whether there are more rows than these, or longer texts."""


class Reader(Protocol):
    """A database that is only read."""

    def tables(self) -> Mapping[str, Sequence[str]]:
        """Return the tables and views that may be read, each with its columns. Raises DatabaseUnreachable."""

    def query(self, sql: str, *, limit: int) -> QueryRows:
        """Return the rows of a SELECT. Raises QueryRefused and DatabaseUnreachable."""


def database_url_fault(url: str) -> str:
    """Return why a URL names no database that can be read, worded for the operator; empty if it does."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "is not a valid URL"
    if parts.scheme not in SCHEMES:
        return "must start with postgresql:// or sqlite:///"
    if parts.scheme == "sqlite" and (parts.netloc or not sqlite_path(url).startswith("/")):
        return "must name a file by its full path, such as sqlite:////srv/figures.sqlite3"
    return ""


def sqlite_path(url: str) -> str:
    """Return the path of the file in a URL such as `sqlite:////srv/figures.sqlite3`."""
    return unquote(urlsplit(url).path)[1:]


def cut_rows(columns: Sequence[str], rows: Sequence[Sequence[object]], *, limit: int) -> QueryRows:
    """Return rows cut to the limits; `rows` has one more than `limit` if there are more."""
    kept: list[list[Value]] = []
    is_cut, room = len(rows) > limit, RESULT_CHARACTERS
    for row in rows[:limit]:
        cells = [_cell(value) for value in row]
        is_cut = is_cut or any(_is_long(value) for value in row)
        room -= sum(len(str(cell)) for cell in cells)
        if room < 0:
            is_cut = True
            break
        kept.append(cells)
    return QueryRows(columns=tuple(columns), rows=kept, is_cut=is_cut)


def _is_long(value: object) -> bool:
    return not isinstance(value, bytes) and len(str(value)) > CELL_CHARACTERS


def _cell(value: object) -> Value:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        # A number of more digits than these is as long a text as any other.
        return value if len(str(value)) <= CELL_CHARACTERS else str(value)[:CELL_CHARACTERS]
    if isinstance(value, bytes | bytearray | memoryview):
        return f"({len(bytes(value))} bytes)"
    return str(value)[:CELL_CHARACTERS]
