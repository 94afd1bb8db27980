"""Reads the rows of a v1 SQLite file, which is not trusted: read-only, one table, nothing of the file is executed."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self, cast
from urllib.parse import quote

COLUMNS = ("id", "session_id", "timestamp", "user_text", "agent_text", "metadata")
OPTIONAL = {"metadata"}
LONGEST_VALUE = 400_000
"""Bytes of a value at most. Longer ones are not read."""
SQLITE_LENGTH_LIMIT = 100_000_000
"""Bytes that SQLite may load for one row."""
LARGEST_FILE = 16 * 2**30
MOST_ROWS = 2_000_000
"""Rows of a file at most: what is remembered of each, to recognize duplicates, takes up to 100 bytes."""
READ_AT_ONCE = 100
"""Rows read by one query. They may all be long."""
HEADER = b"SQLite format 3\x00"
ENCODINGS = {"UTF-8": "utf-8", "UTF-16le": "utf-16-le", "UTF-16be": "utf-16-be"}
# SQLite's numbers of what a statement does (sqlite.org/c3ref/c_alter_table.html). The module of the bundled library
# lacks some of the names.
ACTION_READ, ACTION_SELECT, ACTION_FUNCTION = 20, 21, 31
FUNCTIONS = {"typeof", "length", "octet_length", "count", "max"}

Kind = Literal["null", "integer", "real", "text", "blob"]


class UnusableFile(Exception):
    """The file is no v1 file or cannot be read; the message says why, for the person who named it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class V1Value:
    """A value as it lies in the file."""

    kind: Kind
    data: bytes
    """A number as it is written; empty for NULL, and for a value longer than LONGEST_VALUE."""
    length: int
    """Number of bytes of the whole value."""

    @property
    def is_whole(self) -> bool:
        return self.length <= LONGEST_VALUE


NULL = V1Value(kind="null", data=b"", length=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class V1Row:
    row: int
    """`rowid`"""
    values: dict[str, V1Value]
    """By column."""

    def origin(self) -> str:
        """Return the SHA-256 of the row, by which it is recognized in any copy of the file."""
        return _digest(self.row, self.values, COLUMNS).hexdigest()

    def content(self) -> int:
        """Return 8 bytes of a digest of everything but the row's place and id, to recognize duplicates."""
        digest = _digest(0, self.values, ("session_id", "timestamp", "user_text", "agent_text")).digest()
        return int.from_bytes(digest[:8])


def _digest(row: int, values: dict[str, V1Value], columns: Sequence[str]) -> "hashlib._Hash":
    digest = hashlib.sha256(b"%d" % row)
    for column in columns:
        value = values[column]
        digest.update(b"|%s:%d:" % (value.kind.encode(), value.length))
        digest.update(value.data)
    return digest


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSummary:
    """What a first reading of all rows gives."""

    digest: str
    total: int
    last_row: int
    """Rows that v1 adds later have higher numbers; they are left to the next import."""
    duplicates: frozenset[int]
    """Rows that say the same as an earlier row, at the same time, in the same conversation."""


class V1File:
    """An open v1 file. Use it in a `with` block; every reading is short, so that v1 can go on writing.

    Raises UnusableFile when it is opened, and while it is read, if it cannot be.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def __enter__(self) -> Self:
        _check_header(self.path)
        self._connection = _open(self.path)
        try:
            self.encoding = self._prepare()
        except sqlite3.Error as error:
            self._connection.close()
            raise UnusableFile(f"{self.path.name} cannot be read: {error}") from None
        except UnusableFile:
            self._connection.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def _prepare(self) -> str:
        """Check the table and forbid everything but reading it; return Python's name of the text encoding."""
        for pragma in ("trusted_schema = OFF", "query_only = ON", "cell_size_check = ON", "mmap_size = 0"):
            self._connection.execute(f"PRAGMA {pragma}")
        if hasattr(self._connection, "setlimit"):
            self._connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, SQLITE_LENGTH_LIMIT)
        # A view of this name would run what the file says, and a virtual table what its module does.
        found = self._connection.execute("SELECT type, sql FROM sqlite_master WHERE name = 'captures'").fetchall()
        if [kind for kind, _ in found] != ["table"] or "VIRTUAL" in str(found[0][1])[:40].upper():
            raise UnusableFile(f"{self.path.name} has no table captures")
        found = self._connection.execute("PRAGMA table_xinfo(captures)").fetchall()
        # A column with a number there is hidden or computed: by an expression of the file.
        columns = {name for _, name, *_, hidden in found if not hidden}
        if missing := sorted(set(COLUMNS) - OPTIONAL - columns):
            raise UnusableFile(f"the table captures in {self.path.name} has no column {', '.join(missing)}")
        self._columns = [column for column in COLUMNS if column in columns]
        encoding = self._connection.execute("PRAGMA encoding").fetchone()[0]
        self._connection.set_authorizer(_allow_reading)
        # As bytes: what is not valid in the file's encoding must not stop the reading.
        self._connection.text_factory = bytes
        return ENCODINGS[encoding]

    def summarize(self) -> FileSummary:
        """Read all rows once. Raises UnusableFile for too many."""
        [(total, last_row)] = self._query("SELECT COUNT(*), MAX(rowid) FROM captures")
        if total > MOST_ROWS:
            raise UnusableFile(f"{self.path.name} has {total} rows; an import takes at most {MOST_ROWS}")
        digest, seen, duplicates, count = hashlib.sha256(), set(), [], 0
        for row in self.rows(upto=last_row or 0):
            count += 1
            digest.update(bytes.fromhex(row.origin()))
            if (content := row.content()) in seen:
                duplicates.append(row.row)
            seen.add(content)
        return FileSummary(
            digest=digest.hexdigest(), total=count, last_row=last_row or 0, duplicates=frozenset(duplicates)
        )

    def rows(self, *, after: int | None = None, upto: int) -> Iterator[V1Row]:
        """Yield the rows with numbers above `after`, all if None, up to `upto`, in order."""
        while portion := self.portion(after=after, upto=upto, at_most=READ_AT_ONCE):
            yield from portion
            after = portion[-1].row

    def portion(self, *, after: int | None, upto: int, at_most: int) -> list[V1Row]:
        """Return the next rows, as for `rows`."""
        parts = ", ".join(_parts(column) for column in self._columns)
        where = "rowid <= ?" if after is None else "rowid > ? AND rowid <= ?"
        values = (upto,) if after is None else (after, upto)
        statement = f"SELECT rowid, {parts} FROM captures WHERE {where} ORDER BY rowid LIMIT ?"
        return [self._row(found) for found in self._query(statement, *values, at_most)]

    def timestamps_around(self, row: int, *, at_most: int) -> list[V1Value]:
        """Return the timestamps of rows before this one, the nearest first, then of those after it."""
        before = f"SELECT {_parts('timestamp')} FROM captures WHERE rowid < ? ORDER BY rowid DESC LIMIT ?"
        after = f"SELECT {_parts('timestamp')} FROM captures WHERE rowid > ? ORDER BY rowid LIMIT ?"
        return [_value(*found) for statement in (before, after) for found in self._query(statement, row, at_most)]

    def _row(self, found: Sequence[Any]) -> V1Row:
        values = {column: _value(*found[1 + 3 * place : 4 + 3 * place]) for place, column in enumerate(self._columns)}
        return V1Row(row=found[0], values=dict.fromkeys(COLUMNS, NULL) | values)

    def _query(self, statement: str, *values: Any) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except (sqlite3.Error, OverflowError) as error:
            raise UnusableFile(f"{self.path.name} cannot be read to its end: {error}") from None


def _parts(column: str) -> str:
    """Return the SQL of a value's kind, bytes and length. As a blob, because text functions end at NUL."""
    blob = f'CAST("{column}" AS BLOB)'
    # `octet_length` tells the length of a long value without loading it.
    length = f'octet_length("{column}")' if sqlite3.sqlite_version_info >= (3, 43) else f"length({blob})"
    return f'typeof("{column}"), CASE WHEN {length} <= {LONGEST_VALUE} THEN {blob} END, {length}'


def _value(kind: bytes, data: bytes | None, length: int | None) -> V1Value:
    return V1Value(kind=cast("Kind", kind.decode()), data=data or b"", length=length or 0)


def _check_header(path: Path) -> None:
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise UnusableFile(f"{path.name} is larger than {LARGEST_FILE // 2**30} GB")
        with path.open("rb") as file:
            header = file.read(len(HEADER))
    except OSError as error:
        raise UnusableFile(f"{path} cannot be opened: {error.strerror}") from None
    if header != HEADER:
        raise UnusableFile(f"{path.name} is not an SQLite file")


def _open(path: Path) -> sqlite3.Connection:
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    # A folder without write permission cannot hold the index of a write-ahead log. If there is no log, none is needed.
    has_log = path.with_name(f"{path.name}-wal").exists()
    for options in ("", "" if has_log else "&immutable=1"):
        with suppress(sqlite3.OperationalError):
            connection = sqlite3.connect(address + options, uri=True, timeout=10, isolation_level=None)
            try:
                connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
            except sqlite3.DatabaseError as error:
                connection.close()
                if isinstance(error, sqlite3.OperationalError):
                    raise
                raise UnusableFile(f"{path.name} is damaged: {error}") from None
            return connection
    raise UnusableFile(f"{path.name} cannot be opened for reading")


def _allow_reading(action: int, first: str | None, second: str | None, *_: str | None) -> int:
    allowed = (
        action == ACTION_SELECT
        or (action == ACTION_READ and first == "captures")
        or (action == ACTION_FUNCTION and second in FUNCTIONS)
    )
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
