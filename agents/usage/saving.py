"""Saving: when a budget is nearly used up, turns go on with fewer agents and the smaller model."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal

from django.utils import timezone

from agents.conf import agent_settings
from agents.models import Budget, Spending
from agents.usage import raw_sql


def is_saving(accounts: Sequence[str]) -> bool:
    """Return whether one of the accounts has used so much of today's budget that only what is needed is asked."""
    if not accounts:
        return False
    share = Decimal(agent_settings().saving_percent) / 100
    today = raw_sql.find_spendings(accounts, timezone.now().date())
    return any(_is_used(budget, spending, share) for spending, budget in today)


def next_budget_day() -> datetime:
    """Return when the next day of budgets begins: midnight UTC."""
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight + timedelta(days=1)


def _is_used(budget: Budget, spending: Spending, share: Decimal) -> bool:
    """Return whether this share of the budget, 0–1, is spent or reserved."""
    usd, tokens = spending.usd + spending.reserved_usd, spending.tokens + spending.reserved_tokens
    return bool(
        (budget.usd_per_day and usd >= budget.usd_per_day * share)
        or (budget.tokens_per_day and tokens >= budget.tokens_per_day * share)
    )
