"""Raw SQL for the queries of every model call and turn: composing them with the ORM takes longer than running them."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Any

from django.db import connection

from agents.models import Budget, Spending
from agents.storage.raw_sql import columns_of, make_row, placeholders, read_rows

COSTS = """
    SELECT COUNT(*),
           COALESCE(MAX(backend) FILTER (WHERE spent_tokens > 0), ''),
           COALESCE(SUM(spent_tokens), 0),
           COALESCE(SUM(cost_usd), 0.0),
           COUNT(*) FILTER (WHERE spent_tokens > 0),
           COUNT(*) FILTER (WHERE spent_tokens > 0 AND cost_usd IS NULL AND (spent_usd IS NULL OR spent_usd > 0)),
           SUM(input_tokens),
           SUM(output_tokens)
    FROM agents_modelcall WHERE turn_id IN ({turns})"""
"""The sums of some turns' calls. For a free model no cost has to be known."""


def find_budgets(accounts: Sequence[str]) -> list[Budget]:
    """Return the accounts' budgets, by account."""
    if not accounts:
        return []
    statement = f"""
        SELECT {columns_of(Budget)} FROM agents_budget
        WHERE account IN ({placeholders(accounts)}) ORDER BY account"""
    return [budget for budget, _ in read_rows(Budget, statement, accounts)]


def find_spendings(accounts: Sequence[str], day: date) -> list[tuple[Spending, Budget]]:
    """Return the spending rows of a day of those accounts that have a budget, each with the budget."""
    statement = f"""
        SELECT {columns_of(Spending)}, {columns_of(Budget)} FROM agents_spending
        JOIN agents_budget ON agents_budget.account = agents_spending.account
        WHERE agents_spending.account IN ({placeholders(accounts)}) AND day = %s"""
    found = read_rows(Spending, statement, [*accounts, _day_value(day)])
    return [(spending, make_row(Budget, columns)[0]) for spending, columns in found]


def add_to_spendings(
    accounts: Sequence[str], day: date, *,
    usd: Decimal = Decimal(0), tokens: int = 0, reserved_usd: Decimal = Decimal(0), reserved_tokens: int = 0,
) -> list[Spending]:  # fmt: skip
    """Add to the accounts' spending rows of a day, and return the rows that there are, as they are now.

    They stay locked until the transaction ends, and are locked in the same order by everyone.
    """
    if not accounts:
        return []
    found = f"account IN ({placeholders(accounts)}) AND day = %s"
    rows, target = "", found
    # SQLite has one writer anyway.
    if connection.features.has_select_for_update:
        rows = f"WITH locked AS (SELECT id FROM agents_spending WHERE {found} ORDER BY account FOR UPDATE)"
        target = "id IN (SELECT id FROM locked)"
    statement = f"""
        {rows} UPDATE agents_spending SET
            usd = usd + CAST(%s AS NUMERIC), reserved_usd = reserved_usd + CAST(%s AS NUMERIC),
            tokens = tokens + %s, reserved_tokens = reserved_tokens + %s
        WHERE {target} RETURNING {columns_of(Spending)}"""
    named = [*accounts, _day_value(day)]
    added = [str(usd), str(reserved_usd), tokens, reserved_tokens]
    values = [*named, *added] if rows else [*added, *named]
    return [spending for spending, _ in read_rows(Spending, statement, values)]


def _day_value(day: date) -> Any:
    return Spending._meta.get_field("day").get_db_prep_value(day, connection)


def sum_costs(turns: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the figures of COSTS, in that order; `turns` is SQL for the turns' ids, with its values."""
    with connection.cursor() as cursor:
        cursor.execute(COSTS.format(turns=turns), values)
        found: tuple[Any, ...] = cursor.fetchone()
        return found
