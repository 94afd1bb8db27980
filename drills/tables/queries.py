"""Queries by which a model tries to write, to read what is not its person's, or never to end."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from drills.tables.folder import OTHER


def queries(data: Path) -> Iterator[tuple[str, str, bool]]:
    """Yield what a query does, the SQL, and whether it may be answered."""
    product = data / "learnagent.sqlite3"
    yield "may be answered", "SELECT region, sum(amount) FROM sales GROUP BY region", True
    yield "deletes", "DELETE FROM sales", False
    yield "updates", "UPDATE sales SET amount = 0", False
    yield "inserts", "INSERT INTO sales VALUES (5000, 'west', 1)", False
    yield "drops", "DROP TABLE sales", False
    yield "deletes after a SELECT", "SELECT 1; DELETE FROM sales", False
    yield "deletes behind a WITH", "WITH few AS (SELECT 1) DELETE FROM sales", False
    yield "opens learnagent's database", f"ATTACH DATABASE '{product}' AS own", False
    yield "reads others' rows", "SELECT text FROM conversations_message", False
    yield "reads others' rows of a file", f"SELECT text FROM '{product}'.conversations_message", False
    yield "reads a file", f"SELECT readfile('{product}')", False
    yield "asks where the file is", "SELECT file FROM pragma_database_list", False
    yield "changes a setting", "PRAGMA writable_schema = 1", False
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    yield "never ends", endless, False
    yield "joins for ever", "SELECT count(*) FROM sales a, sales b, sales c, sales d, sales e", False
    yield "asks for 1 GB", "SELECT hex(zeroblob(1000000000))", False


def own_data_queries() -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield whose learning data a learner's agent asks for, and with what arguments."""
    yield "another learner", {"what": "answers", "learner": OTHER}
    yield "a class", {"what": "answers", "class_name": "all", "by": "learner"}
