"""The tool `outside_database`: offered only where a database is connected, with a chart where there is one to draw."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from agents.tools import ToolFailed, ToolUse, tools
from conversations.tools.outside_database import DatabaseQuery, DatabaseRows

TOOL = tools["outside_database"]
USE = ToolUse(turn_id=None, person_id=1, agent="data_steward", number=1, tool=TOOL.name)


@pytest.fixture
def connected(tmp_path: Path, settings: Any) -> Path:
    path = tmp_path / "figures.sqlite3"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            """
            CREATE TABLE sales (month TEXT, shop TEXT, amount REAL);
            INSERT INTO sales VALUES ('2026-01', 'North', 10), ('2026-02', 'South', 12.5), ('2026-03', 'North', 8);
            """
        )
    settings.AGENTS = settings.AGENTS | {"outside_database_url": f"sqlite:///{path}"}
    return path


async def ask(**fields: Any) -> DatabaseRows:
    result = await TOOL.run(DatabaseQuery(**fields), USE)
    assert isinstance(result, DatabaseRows)
    return result


def test_is_not_offered_until_a_database_is_connected() -> None:
    assert not TOOL.is_ready()


async def test_without_a_query_it_says_which_tables_there_are(connected: Path) -> None:
    assert TOOL.is_ready()
    found = await ask(question="What is there?")
    assert found.tables == {"sales": ["month", "shop", "amount"]}
    assert "sales (month, shop, amount)" in found.words
    assert found.summary == "1 tables"


async def test_label_and_number_are_drawn_as_bars_and_days_as_a_line(connected: Path) -> None:
    bars = await ask(sql="SELECT shop, sum(amount) FROM sales GROUP BY shop ORDER BY shop", question="Sales by shop")
    assert bars.chart is not None
    assert bars.chart.shape == "bar"
    assert [(point.label, point.value) for point in bars.chart.points] == [("North", 18), ("South", 12.5)]
    assert bars.words == "Sales by shop. Lowest: South, 12.5. Highest: North, 18."
    line = await ask(sql="SELECT month, amount FROM sales")
    assert line.chart is not None
    assert line.chart.shape == "line"


async def test_other_rows_are_a_table(connected: Path) -> None:
    found = await ask(sql="SELECT * FROM sales", limit=2)
    assert found.chart is not None
    assert found.chart.shape is None
    assert found.chart.rows == [["2026-01", "North", 10.0], ["2026-02", "South", 12.5]]
    assert found.chart.notes == ["Only part of the result is shown here."]


async def test_refusal_tells_the_agent_why(connected: Path) -> None:
    with pytest.raises(ToolFailed, match="cannot contain DROP"):
        await ask(sql="DROP TABLE sales")


async def test_database_that_is_away_is_said_to_be(settings: Any) -> None:
    settings.AGENTS = settings.AGENTS | {"outside_database_url": "sqlite:////no/such/folder/figures.sqlite3"}
    with pytest.raises(ToolFailed, match="cannot be opened"):
        await ask(sql="SELECT 1")
