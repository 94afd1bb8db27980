"""When a budget counts as nearly used up."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from agents.models import Spending
from agents.usage.budgets import set_budget
from agents.usage.saving import is_saving, next_budget_day

pytestmark = pytest.mark.django_db

ACCOUNTS = ("person:ada", "class:4b", "site")


def spend(account: str = "class:4b", **figures: Any) -> None:
    Spending.objects.filter(account=account, day=timezone.now().date()).update(**figures)


def test_begins_at_the_share_of_any_budget() -> None:
    set_budget("site", usd_per_day=100)
    set_budget("class:4b", usd_per_day=1)
    spend(usd="0.79")
    assert not is_saving(ACCOUNTS)
    spend(usd="0.80")
    assert is_saving(ACCOUNTS)
    assert not is_saving(("person:ada", "site"))


def test_counts_what_open_calls_may_cost() -> None:
    set_budget("class:4b", usd_per_day=1)
    spend(usd="0.5", reserved_usd="0.3")
    assert is_saving(ACCOUNTS)


def test_counts_tokens_where_they_are_limited() -> None:
    set_budget("class:4b", tokens_per_day=1000)
    spend(tokens=799)
    assert not is_saving(ACCOUNTS)
    spend(tokens=800)
    assert is_saving(ACCOUNTS)


def test_share_is_a_setting(settings: Any) -> None:
    settings.AGENTS = settings.AGENTS | {"saving_percent": 50}
    set_budget("class:4b", usd_per_day=1)
    spend(usd="0.5")
    assert is_saving(ACCOUNTS)


def test_ends_with_the_day() -> None:
    set_budget("class:4b", usd_per_day=1)
    yesterday = timezone.now().date() - timedelta(days=1)
    spend(usd="0.99", day=yesterday)
    assert not is_saving(ACCOUNTS)
    assert (next_budget_day().date() - yesterday).days == 2


def test_without_accounts_nothing_is_asked(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert not is_saving(())
