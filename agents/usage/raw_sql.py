"""Raw SQL for the queries of every model call and turn: composing them with the ORM takes longer than running them."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from django.db import connection

from agents.models import Budget, Spending
from agents.storage.raw_sql import columns_of, read_rows

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
        WHERE account IN ({_places(accounts)}) ORDER BY account"""
    return [budget for budget, _ in read_rows(Budget, statement, accounts)]


def find_spendings(accounts: Sequence[str], day: date) -> list[Spending]:
    """Return the accounts' spending rows of a day."""
    return _spendings(accounts, day)


def lock_spendings(accounts: Sequence[str], day: date) -> list[Spending]:
    """Return the accounts' spending rows of a day, locked until the transaction ends, always in the same order."""
    # SQLite has one writer anyway.
    return _spendings(accounts, day, lock="FOR UPDATE" if connection.features.has_select_for_update else "")


def _spendings(accounts: Sequence[str], day: date, *, lock: str = "") -> list[Spending]:
    if not accounts:
        return []
    statement = f"""
        SELECT {columns_of(Spending)} FROM agents_spending
        WHERE account IN ({_places(accounts)}) AND day = %s ORDER BY account {lock}"""
    stored = Spending._meta.get_field("day").get_db_prep_value(day, connection)
    return [spending for spending, _ in read_rows(Spending, statement, [*accounts, stored])]


def sum_costs(turns: str, values: Sequence[Any]) -> tuple[Any, ...]:
    """Return the figures of COSTS, in that order; `turns` is SQL for the turns' ids, with its values."""
    with connection.cursor() as cursor:
        cursor.execute(COSTS.format(turns=turns), values)
        found: tuple[Any, ...] = cursor.fetchone()
        return found


def _places(values: Sequence[Any]) -> str:
    return ", ".join(["%s"] * len(values))
