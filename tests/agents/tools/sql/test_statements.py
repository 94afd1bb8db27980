"""One SELECT, and nothing else, gets to a database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.tools.sql import QueryRefused
from agents.tools.sql.statements import SQL_CHARACTERS, checked_select


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1",
        "select name from pupils where note = 'delete; it -- all'",
        "WITH best AS (SELECT * FROM pupils) SELECT * FROM best;",
        "VALUES (1), (2)",
        "SELECT replace(name, 'a', 'b') FROM pupils -- a remark; with a semicolon",
        'SELECT "update" FROM pupils /* a; remark */',
        "SELECT comment, set_on FROM pupils",
        "SELECT 'it''s; fine'",
        "(SELECT 1) UNION SELECT 2",
    ],
)
def test_one_select_passes(sql: str) -> None:
    assert checked_select(sql) == sql.strip().removesuffix(";")


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("", "Only a SELECT"),
        ("-- nothing", "Only a SELECT"),
        ("DELETE FROM pupils", "cannot contain DELETE"),
        ("drop table pupils", "cannot contain DROP"),
        ("EXPLAIN SELECT 1", "Only a SELECT"),
        ("BEGIN", "Only a SELECT"),
        ("SELECT 1; DROP TABLE pupils", "DROP"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("WITH gone AS (DELETE FROM pupils RETURNING *) SELECT * FROM gone", "DELETE"),
        ("SELECT * INTO copied FROM pupils", "INTO"),
        ("SELECT * FROM pupils FOR UPDATE", "UPDATE"),
        ("SELECT pg_sleep(60)", "pg_sleep"),
        ('SELECT "pg_sleep"(60)', "pg_sleep"),
        ("SELECT ARRAY[pg_sleep(60)]", "pg_sleep"),
        ('SELECT U&"\\0070g_sleep"(60)', "escaped"),
        ("SELECT * FROM information_schema.tables", "information_schema"),
        ("SELECT * FROM sqlite_master", "sqlite_master"),
        ("SELECT * FROM pragma_table_info('pupils')", "pragma_table_info"),
        ("SELECT load_extension('x')", "load_extension"),
        ("SELECT set_config('statement_timeout', '0', false)", "set_config"),
        ("SELECT $$;$$", "quote"),
        ("SELECT E'\\'; DROP TABLE pupils --'", "backslashes"),
        ("SELECT 'open", "quote"),
        ("SELECT (1); SELECT (1)", "one statement"),
        ("SELECT 1) AS a; SELECT (1", "parenthesis"),
        ("SELECT 1) AS a UNION SELECT * FROM (SELECT 2", "parenthesis"),
        ("*/ SELECT 1", "Only a SELECT"),
        ("SELECT (1", "parenthesis"),
        ("SELECT /* /* */ 1 */ 2", "Comments within"),
        ("SELECT '\x00'", "character"),
        ("SELECT " + "1," * SQL_CHARACTERS + "1", "longer"),
    ],
)
def test_everything_else_is_refused_with_the_reason(sql: str, reason: str) -> None:
    """Q1."""
    with pytest.raises(QueryRefused, match=reason):
        checked_select(sql)


PIECES = st.sampled_from(
    ["SELECT ", "'", '"', ";", "--", "/*", "*/", "(", ")", "\n", "drop table x", "E'", "\\", "$$", "[", "]", " "]
)


@given(st.lists(PIECES | st.text(max_size=5), max_size=20).map("".join))
def test_whatever_passes_has_no_second_statement(text: str) -> None:
    try:
        passed = checked_select(text)
    except QueryRefused:
        return
    assert passed.lower().lstrip("( \n").startswith(("select", "with", "values", "--", "/*"))
