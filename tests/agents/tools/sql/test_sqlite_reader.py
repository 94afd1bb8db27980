"""Hostile and honest queries of a SQLite file."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from agents.tools.sql import CELL_CHARACTERS, DatabaseUnreachable, QueryRefused
from agents.tools.sql.sqlite_reader import SqliteReader


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "figures #1.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE sales (month TEXT, amount REAL, note TEXT);
            INSERT INTO sales VALUES ('2026-01', 10, 'a'), ('2026-02', 12.5, NULL), ('2026-03', 8, 'c');
            CREATE VIEW good_months AS SELECT month FROM sales WHERE amount > 9;
            """
        )
    return path


@pytest.fixture
def reader(path: Path) -> SqliteReader:
    return SqliteReader(str(path))


def test_rows_come_with_their_columns(reader: SqliteReader) -> None:
    found = reader.query("SELECT month, amount FROM sales ORDER BY amount DESC", limit=2)
    assert (found.columns, found.rows, found.is_cut) == (
        ("month", "amount"),
        [["2026-02", 12.5], ["2026-01", 10.0]],
        True,
    )
    assert reader.query("SELECT count(*) FROM good_months", limit=5).rows == [[2]]
    joined = "WITH x AS (SELECT * FROM sales) SELECT upper(a.note) FROM x AS a JOIN good_months USING (month) LIMIT 1"
    assert reader.query(joined, limit=5).rows == [["A"]]


def test_tables_are_listed_with_their_columns(reader: SqliteReader) -> None:
    assert reader.tables() == {"good_months": ["month"], "sales": ["month", "amount", "note"]}


HOSTILE = [
    "INSERT INTO sales VALUES ('x', 1, '')",
    "UPDATE sales SET amount = 0",
    "DELETE FROM sales",
    "DROP TABLE sales",
    "CREATE TABLE other (x)",
    "REPLACE INTO sales VALUES ('x', 1, '')",
    "ALTER TABLE sales ADD y",
    "ATTACH DATABASE '/tmp/other.db' AS other",
    "DETACH DATABASE main",
    "PRAGMA query_only = 0",
    "PRAGMA table_info(sales)",
    "VACUUM INTO '/tmp/copy.db'",
    "BEGIN IMMEDIATE",
    "SELECT 1; DROP TABLE sales",
    "SELECT * FROM sqlite_master",
    'SELECT * FROM "sqlite_master"',
    "SELECT * FROM [sqlite_schema]",
    "SELECT * FROM main.sqlite_master",
    "SELECT * FROM pragma_table_info('sales')",
    "SELECT * FROM pragma_database_list",
    "SELECT load_extension('evil.so')",
    "SELECT * FROM temp.sqlite_temp_master",
    "SELECT * FROM json_each('[1]')",
    "SELECT * FROM dbstat",
    "SELECT * FROM other_table",
    "SELECT zeroblob(2000000000)",
    "SELECT replace(hex(zeroblob(900000)), '0', 'xxxxxxxxxx')",
    "SELECT nothing FROM sales",
    "SELECT * FROM sales WHERE",
    "WITH x AS (INSERT INTO sales VALUES ('x', 1, '') RETURNING *) SELECT * FROM x",
    "SELECT " + "(" * 500 + "1" + ")" * 500,
]


@pytest.mark.parametrize("sql", HOSTILE)
def test_hostile_query_is_refused_and_changes_nothing(path: Path, reader: SqliteReader, sql: str) -> None:
    """Q1."""
    before = path.read_bytes()
    with pytest.raises(QueryRefused):
        reader.query(sql, limit=10)
    assert path.read_bytes() == before


@pytest.mark.parametrize("sql", HOSTILE[:13])
def test_database_itself_refuses_what_the_check_of_the_words_would_miss(
    path: Path, reader: SqliteReader, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q1."""
    monkeypatch.setattr("agents.tools.sql.sqlite_reader.checked_select", lambda text: text)
    before = path.read_bytes()
    with pytest.raises(QueryRefused):
        reader.query(sql, limit=10)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
        "SELECT count(*) FROM " + ", ".join(f"sales AS s{number}" for number in range(25)),
    ],
)
def test_endless_query_is_stopped_by_the_clock(path: Path, sql: str) -> None:
    """Q1."""
    ticks: Iterator[int] = count()
    reader = SqliteReader(str(path), statement_s=5, clock=lambda: next(ticks))
    with pytest.raises(QueryRefused, match="too long"):
        reader.query(sql, limit=10)
    assert next(ticks) == 7, "read once before, and at each check until the time was over"


def test_huge_result_is_cut(reader: SqliteReader) -> None:
    many = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 5000) SELECT x, printf('%0600d', x) FROM n"
    found = reader.query(many, limit=100)
    assert found.is_cut
    assert len(found.rows) < 100
    assert all(len(str(row[1])) == CELL_CHARACTERS for row in found.rows)


def test_bytes_and_big_numbers_are_described(reader: SqliteReader) -> None:
    assert reader.query("SELECT zeroblob(10), NULL, 1e999", limit=1).rows == [["(10 bytes)", None, float("inf")]]


def test_missing_file_is_not_made(tmp_path: Path) -> None:
    missing = tmp_path / "missing.sqlite3"
    for ask in (lambda reader: reader.tables(), lambda reader: reader.query("SELECT 1", limit=1)):
        with pytest.raises(DatabaseUnreachable):
            ask(SqliteReader(str(missing)))
    assert not missing.exists()
    (tmp_path / "text.sqlite3").write_text("no database at all, but long enough to be looked at")
    with pytest.raises(DatabaseUnreachable):
        SqliteReader(str(tmp_path / "text.sqlite3")).tables()
