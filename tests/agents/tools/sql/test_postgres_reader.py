"""Hostile and honest queries of a PostgreSQL server, by a role that may read two views."""

from collections.abc import Iterator

import psycopg
import pytest

from agents.tools.sql import DatabaseUnreachable, QueryRefused
from agents.tools.sql.postgres_reader import PostgresReader
from tests import postgres

SETUP = """
    CREATE TABLE secrets (name text, word text);
    INSERT INTO secrets VALUES ('ada', 'swordfish');
    CREATE TABLE sales (month text, amount numeric, owner text);
    INSERT INTO sales VALUES ('2026-01', 10, 'us'), ('2026-02', 12.5, 'us'), ('2026-02', 99, 'them');
    CREATE VIEW our_sales WITH (security_barrier) AS SELECT month, amount::float AS amount FROM sales WHERE owner = 'us';
    CREATE ROLE reading LOGIN;
    GRANT SELECT ON our_sales TO reading;
"""


@pytest.fixture(scope="module")
def server() -> Iterator[postgres.Server]:
    try:
        with postgres.running() as running:
            running.create_database()
            with psycopg.connect(running.url) as connection:
                connection.execute(SETUP)
            yield running
    except postgres.CannotStart as reason:
        pytest.skip(f"no PostgreSQL here: {reason}")


@pytest.fixture
def reader(server: postgres.Server) -> PostgresReader:
    return PostgresReader(server.url.replace("postgres:@", "reading@"), statement_s=0.3)


def test_rows_come_with_their_columns(reader: PostgresReader) -> None:
    found = reader.query("SELECT month, amount FROM our_sales ORDER BY amount -- ours", limit=1)
    assert (found.columns, found.rows, found.is_cut) == (("month", "amount"), [["2026-01", 10.0]], True)
    assert reader.tables() == {"our_sales": ["month", "amount"]}


HOSTILE = [
    "SELECT * FROM secrets",
    "SELECT * FROM sales",
    "INSERT INTO our_sales VALUES ('x', 1)",
    "WITH x AS (DELETE FROM sales RETURNING *) SELECT * FROM x",
    "SELECT * INTO copied FROM our_sales",
    "CREATE TABLE other (x int)",
    "SELECT 1; DROP TABLE sales",
    "SELECT pg_sleep(60)",
    "SELECT * FROM pg_catalog.pg_roles",
    "SELECT pg_read_file('/etc/passwd')",
    "COPY sales TO '/tmp/x'",
    "SELECT set_config('transaction_read_only', 'off', false)",
    "SET statement_timeout = 0",
    "SELECT month FROM our_sales WHERE nothing = 1",
]


@pytest.mark.parametrize("sql", HOSTILE)
def test_hostile_query_is_refused(reader: PostgresReader, sql: str) -> None:
    """Q1."""
    with pytest.raises(QueryRefused):
        reader.query(sql, limit=10)


@pytest.mark.parametrize("sql", [*HOSTILE[:8], "SELECT 1) AS x; DROP TABLE sales; SELECT * FROM (SELECT 1"])
def test_server_refuses_what_the_check_of_the_words_would_miss(
    server: postgres.Server, sql: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Q1."""
    """Even for the server's own administrator, nothing is written, and nothing takes longer than it may."""
    monkeypatch.setattr("agents.tools.sql.postgres_reader.checked_select", lambda text: text)
    reader = PostgresReader(server.url, statement_s=0.3)
    if "secrets" in sql or sql.endswith("FROM sales"):
        reader = PostgresReader(server.url.replace("postgres:@", "reading@"), statement_s=0.3)
    with pytest.raises(QueryRefused):
        reader.query(sql, limit=10)
    with psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT count(*) FROM sales").fetchone() == (3,)


@pytest.mark.parametrize(
    "sql",
    [
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n",
        "SELECT count(*) FROM generate_series(1, 100000) AS a, generate_series(1, 100000) AS b",
    ],
)
def test_endless_query_is_stopped(reader: PostgresReader, sql: str) -> None:
    """Q1."""
    with pytest.raises(QueryRefused, match="too long"):
        reader.query(sql, limit=10)


def test_rows_of_a_megabyte_are_left_out(reader: PostgresReader) -> None:
    assert reader.query("SELECT repeat('x', 1000000)", limit=10).rows == []
    found = reader.query("SELECT repeat('x', 9000) FROM generate_series(1, 500)", limit=100)
    assert found.is_cut
    assert len(found.rows) == 40


def test_server_that_is_away_is_named_by_no_address(server: postgres.Server) -> None:
    with pytest.raises(DatabaseUnreachable) as failed:
        PostgresReader("postgresql://reading:word@/nowhere?host=/tmp/no-such-folder").tables()
    assert "word" not in str(failed.value)
    assert failed.value.__suppress_context__
