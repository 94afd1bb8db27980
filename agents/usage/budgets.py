"""Setting budgets, with a record of every change, and reading what an account has spent."""

from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from agents.models import Budget, BudgetChange, ModelCall, Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class DailySpending:
    """What an account has spent today (UTC), and what its open calls may still cost."""

    usd: Decimal = Decimal(0)
    reserved_usd: Decimal = Decimal(0)
    tokens: int = 0
    reserved_tokens: int = 0


def budget_of(account: str) -> Budget:
    """Return the account's budget; an unsaved one without limits if it has none."""
    return Budget.objects.filter(account=account).first() or Budget(account=account)


def spent_today(account: str) -> DailySpending:
    """Return what the account has spent today, with or without a budget."""
    kept = Spending.objects.filter(account=account, day=timezone.now().date()).first()
    if kept is None:
        # Accounts with a budget are counted as they spend; others are not, and adding up the day's calls is slow.
        return DailySpending() if Budget.objects.filter(account=account).exists() else _sum_of_calls(account)
    return DailySpending(
        usd=kept.usd, reserved_usd=kept.reserved_usd, tokens=kept.tokens, reserved_tokens=kept.reserved_tokens
    )


@transaction.atomic
def set_budget(account: str, *, by: Any = None, **limits: Any) -> Budget:
    """Change the given limits of `usd_per_day` and `tokens_per_day` (0: no limit), and record it if something differs.

    Earlier spending of today counts. Raises ValidationError by field. `by` is a person, or None for a command.
    """
    budget = Budget.objects.select_for_update().filter(account=account).first() or Budget(account=account)
    before = _limits_of(budget)
    for name, limit in limits.items():
        setattr(budget, name, limit or None)
    budget.full_clean()
    if _limits_of(budget) == before:
        return budget
    if budget.usd_per_day or budget.tokens_per_day:
        _start_counting(account)
        budget.save()
    else:
        Budget.objects.filter(account=account).delete()
        Spending.objects.filter(account=account).delete()
    BudgetChange.objects.create(account=account, by=by, before=before, after=_limits_of(budget))
    return budget


def _limits_of(budget: Budget) -> dict[str, Any]:
    usd = budget.usd_per_day
    return {"usd_per_day": f"{usd:.4f}" if usd else None, "tokens_per_day": budget.tokens_per_day or None}


def _start_counting(account: str) -> None:
    today = timezone.now().date()
    if not Spending.objects.filter(account=account, day=today).exists():
        spent = _sum_of_calls(account)
        Spending.objects.create(
            account=account,
            day=today,
            usd=spent.usd,
            reserved_usd=spent.reserved_usd,
            tokens=spent.tokens,
            reserved_tokens=spent.reserved_tokens,
        )


def _sum_of_calls(account: str) -> DailySpending:
    """Add up today's calls: settled calls are spent, open ones reserved."""
    now = timezone.now()
    usd, reserved_usd, tokens, reserved_tokens = Decimal(0), Decimal(0), 0, 0
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    rows = ModelCall.objects.filter(started_at__gte=midnight, started_at__lt=midnight + timedelta(days=1))
    columns = ("accounts", "status", "spent_usd", "spent_tokens", "reserved_usd", "reserved_tokens")
    # Summed here, not in the database: SQLite cannot query inside a list.
    for accounts, status, *figures in rows.values_list(*columns).iterator():
        if account not in accounts:
            continue
        if status == ModelCall.Status.OPEN:
            reserved_usd, reserved_tokens = reserved_usd + (figures[2] or 0), reserved_tokens + figures[3]
        else:
            usd, tokens = usd + (figures[0] or 0), tokens + figures[1]
    return DailySpending(usd=usd, reserved_usd=reserved_usd, tokens=tokens, reserved_tokens=reserved_tokens)
