"""Figures for round tables over time: counted from their rows, by day and week, for the site and for one person."""

from datetime import date, datetime, timedelta

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from agents.models import ModelCall
from conversations.models import Turn
from conversations.round_table.figures.over_time import newest_first, own_cost, period_begins, table_figures
from tests.conversations.round_table.test_turns import failing_in_round_two

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

count = sync_to_async(table_figures)
ADMIN_PAGE = "admin:conversations_roundtablelimits_figures"


def test_periods_are_counted_up_to_today():
    days, weeks = period_begins(date(2026, 11, 27), by="day"), period_begins(date(2026, 11, 27), by="week")
    assert (days[0], days[-1], len(days)) == (date(2026, 10, 29), date(2026, 11, 27), 30)
    assert (weeks[-1], len(weeks)) == (date(2026, 11, 23), 26)
    assert {each.weekday() for each in weeks} == {0}


async def test_figures_are_those_of_the_rows(hold, modelled, ben, eve):
    await failing_in_round_two(modelled)
    turn = await hold(ben, strategy="skip")
    await hold(eve, agents=("explainer",), rounds=1)
    figures = await count(ben, by="day")
    whole = figures.whole
    assert (whole.tables, whole.rounds, len(whole.agents.ms)) == (1, 3, 14)
    assert figures.agents["sceptic"].errors.total() == whole.agents.failures == 1
    assert len(figures.agents["sceptic"].ms) == 2
    assert set(figures.agents) == {"explainer", "sceptic", "example_finder", "historian", "practitioner"}
    assert 0 < whole.agents.p50_s <= whole.agents.p95_s
    assert whole.tool_calls == await turn.events.filter(type="tool_returned").acount() > 0
    assert whole.tool_success == 100
    [day] = newest_first(figures)
    assert (day.begins, day.tables, day.agents.ms) == (timezone.localdate(), 1, whole.agents.ms)
    assert (await count(None, by="day")).whole.tables == 2


async def test_costs_are_summed_and_missing_ones_are_said(hold, modelled, ben):
    await failing_in_round_two(modelled)
    turn = await hold(ben, rounds=1, agents=("explainer", "historian"))
    await ModelCall.objects.filter(turn_id=turn.pk).aupdate(cost_usd=0.25, spent_tokens=10)
    calls = await ModelCall.objects.filter(turn_id=turn.pk).acount()
    assert (await count(ben, by="week")).whole.usd == pytest.approx(calls * 0.25)
    assert not (await count(ben, by="week")).whole.is_lower_bound
    await ModelCall.objects.filter(turn_id=turn.pk, agent="summarizer").aupdate(cost_usd=None, spent_usd=None)
    figures = await count(ben, by="week")
    assert (figures.whole.usd, figures.whole.is_lower_bound) == (pytest.approx((calls - 1) * 0.25), True)
    held, cost = await sync_to_async(own_cost)(ben)
    assert (held, cost.usd) == (1, pytest.approx((calls - 1) * 0.25))


async def test_tables_count_for_the_day_on_which_they_began(hold, ben):
    turn = await hold(ben, rounds=1, agents=("explainer",))
    today = timezone.localdate()
    # At noon: the day is the same in the time zone of the database.
    noon = timezone.make_aware(datetime.combine(today - timedelta(days=2), datetime.min.time().replace(hour=12)))
    await Turn.objects.filter(pk=turn.pk).aupdate(created_at=noon)
    assert [each.begins for each in newest_first(await count(None, by="day"))] == [today - timedelta(days=2)]
    await Turn.objects.filter(pk=turn.pk).aupdate(created_at=noon - timedelta(days=200))
    assert (await count(None, by="week")).whole.tables == 0


def text_of(response):
    return " ".join(response.content.decode().split())


async def test_admin_sees_the_site_or_one_person(hold, ben, eve, root):
    await hold(ben, rounds=1)
    browser = Client()

    def read(**asked):
        browser.force_login(root)
        return browser.get(reverse(ADMIN_PAGE), asked)

    page = await sync_to_async(read)()
    assert page.status_code == 200
    assert [title for title, _times in page.context["agents"]] == [
        "Example finder", "Explainer", "Historian", "Practitioner", "Sceptic",
    ]  # fmt: skip
    own = await sync_to_async(read)(person="ben", by="week")
    assert (own.context["whole"].tables, own.context["by"]) == (1, "week")
    assert "eve has held no round table since" in text_of(await sync_to_async(read)(person="eve"))


@pytest.mark.parametrize("asked", [{"person": "nobody"}, {"by": "year"}, {"person": "a\0b"}, {"person": "x" * 200}])
def test_admin_is_told_what_is_wrong(client, root, asked):
    client.force_login(root)
    page = client.get(reverse(ADMIN_PAGE), asked)
    assert page.status_code == 422
    assert 'class="bad"' in text_of(page)


def test_page_without_a_table_says_so(client, root):
    client.force_login(root)
    page = text_of(client.get(reverse(ADMIN_PAGE)))
    assert "No round table has been held since" in page
    assert "By collaborator" not in page


@pytest.mark.parametrize("name", ["collaborator", "roundtablelimits"])
def test_lists_lead_to_the_figures(client, root, name):
    client.force_login(root)
    page = client.get(reverse(f"admin:conversations_{name}_changelist"))
    assert reverse(ADMIN_PAGE) in page.content.decode()


async def test_start_page_tells_a_learner_their_own(hold, ben, eve):
    await hold(ben, rounds=1, agents=("explainer",))

    def read(person):
        browser = Client()
        browser.force_login(person)
        return text_of(browser.get("/round-table/"))

    assert "You have held 1 round table." in await sync_to_async(read)(ben)
    assert "You have held" not in await sync_to_async(read)(eve)
