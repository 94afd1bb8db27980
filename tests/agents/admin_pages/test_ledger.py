"""Budgets are set on the admin pages, every change on record; calls are there in figures, and nobody's words."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from agents.models import Budget, BudgetChange, ModelCall, Spending
from agents.usage.budgets import set_budget

pytestmark = pytest.mark.django_db
ADD = reverse("admin:agents_budget_add")
CALLS = reverse("admin:agents_modelcall_changelist")


@pytest.fixture
def admin(client, root):
    client.force_login(root)
    return client


def test_budget_is_set_and_its_change_kept(admin, root):
    admin.post(ADD, {"account": "person:ada", "usd_per_day": "0.5", "tokens_per_day": ""})
    budget = Budget.objects.get()
    assert (budget.account, str(budget.usd_per_day), Spending.objects.count()) == ("person:ada", "0.5000", 1)
    admin.post(reverse("admin:agents_budget_change", args=[budget.pk]), {"usd_per_day": "0.7", "tokens_per_day": "9"})
    changes = [(change.by, change.after["usd_per_day"]) for change in BudgetChange.objects.order_by("pk")]
    assert changes == [(root, "0.5000"), (root, "0.7000")]


def test_deleting_takes_the_limit_away_and_is_kept(admin, root):
    budget = set_budget("site", usd_per_day=1)
    admin.post(reverse("admin:agents_budget_delete", args=[budget.pk]), {"post": "yes"})
    assert not Budget.objects.exists()
    assert BudgetChange.objects.latest("pk").by == root


def test_made_up_account_is_refused(admin):
    page = admin.post(ADD, {"account": "everybody", "usd_per_day": "1"})
    assert "Enter an account as" in page.text
    assert not Budget.objects.exists()


def test_budget_without_a_limit_is_none_and_is_not_said_to_be_kept(admin):
    page = admin.post(ADD, {"account": "site", "usd_per_day": "0", "tokens_per_day": ""}, follow=True)
    assert "Set a limit in US dollars or in tokens." in page.text
    assert "successfully" not in page.text


def test_budgets_show_what_is_spent(admin):
    set_budget("site", usd_per_day=1)
    Spending.objects.update(usd="0.25", tokens=1234)
    assert "$0.2500 and 1,234 tokens" in admin.get(reverse("admin:agents_budget_changelist")).text


def test_list_of_budgets_adds_up_no_days_calls(admin):
    set_budget("site", usd_per_day=1)
    Spending.objects.all().delete()  # As on the next day.
    with CaptureQueriesContext(connection) as asked:
        assert "$0.0000 and 0 tokens" in admin.get(reverse("admin:agents_budget_changelist")).text
    assert not [query for query in asked if "agents_modelcall" in query["sql"]]


def test_list_of_calls_reads_nothing_of_what_was_said(admin, ada):
    ModelCall.objects.create(person=ada, agent="tutor", backend="b", model="m-1")
    with CaptureQueriesContext(connection) as asked:
        assert "m-1" in admin.get(CALLS).text
    assert not [query for query in asked if "reply" in query["sql"] or '"asked"' in query["sql"]]


def test_calls_can_be_read_in_figures_only(admin, ada):
    call = ModelCall.objects.create(
        person=ada, agent="tutor", backend="b", model="m-1", asked={"messages": "CANARY"}, reply="CANARY"
    )
    address = reverse("admin:agents_modelcall_change", args=[call.pk])
    for page in (admin.get(CALLS), admin.get(CALLS, {"model__exact": "m-1"}), admin.get(address)):
        assert "m-1" in page.text
        assert "CANARY" not in page.text
    assert admin.post(address, {"model": "x"}).status_code == 404
    assert ModelCall.objects.get().model == "m-1"
