"""The page with live figures: what it counts, what it draws, and that it costs the same however much there is."""

import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from agents.models import AgentCall, Alert, ModelCall, Run
from agents.usage.budgets import set_budget
from conversations.models import Session, Turn
from learnagent.ops.figures import compute_figures
from learnagent.ops.periods import period_of
from learnagent.ops.plots import plots_of
from learnagent.ops.state import site_state

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def add_turn(owner: Any, status: str = "done", *, ago: timedelta = timedelta(), first_ms: float | None = None) -> Turn:
    """Store a turn of a conversation of its own."""
    session = Session.objects.create(owner=owner, key=uuid.uuid4().hex)
    turn = Turn.objects.create(
        owner=owner,
        session=session,
        number=1,
        client_id=uuid.uuid4().hex,
        status=status,
        answer={"metadata": {"first_word_ms": first_ms} if first_ms else {}},
    )
    Turn.objects.filter(pk=turn.pk).update(created_at=timezone.now() - ago)
    return turn


def add_calls(agent: str, *, backend: str = "anthropic", model: str = "big", ms: float = 900, usd: float = 0.5) -> None:
    run = Run.objects.create(graph="stage")
    AgentCall.objects.create(
        run=run, number=1, agent=agent, ending="answered", ms=ms, backend=backend, model=model, cost_usd=usd
    )
    if backend != "offline":
        ModelCall.objects.create(agent=agent, backend=backend, model=model, status="answered", cost_usd=usd)


def test_counts_turns_people_and_failures(ben: Any, eve: Any) -> None:
    add_turn(ben, "running")
    add_turn(ben, "failed", first_ms=800)
    add_turn(eve, "done", first_ms=400)
    add_turn(eve, "done", ago=timedelta(days=2), first_ms=5_000)
    week, month = compute_figures(period_of("7")), compute_figures(period_of("30"))
    assert (week.people, week.recent_turns, week.running, week.waiting) == (2, 3, 1, 0)
    assert (sum(week.turns.values()), sum(week.failed.values())) == (4, 1)
    assert week.typical_ms == 800
    assert month.turns == {29: 3, 27: 1}
    assert month.first_word == {29: {50: 400, 95: 800, 99: 800}, 27: dict.fromkeys((50, 95, 99), 5_000)}


def test_ends_at_the_beginning_of_the_period(ben: Any) -> None:
    add_turn(ben, ago=timedelta(days=8))
    assert compute_figures(period_of("7")).turns == {}


def test_tells_who_answered_and_what_it_cost() -> None:
    for ms in (100, 900):
        add_calls("tutor", ms=ms)
    add_calls("quiz", backend="offline", model="", ms=20, usd=0)
    ModelCall.objects.create(agent="tutor", backend="anthropic", model="big", status="failed")
    figures = compute_figures(period_of("1"))
    assert [(each.model, each.calls, each.typical_ms, each.failed) for each in figures.sources] == [
        ("big", 2, 100, 1),
        ("", 1, 20, 0),
    ]
    assert [(each.name, each.calls, each.usd) for each in figures.agents] == [("tutor", 2, 1.0), ("quiz", 1, 0.0)]
    assert sum(figures.costs.values()) == 1.0


def test_says_the_most_important_thing_first(ben: Any) -> None:
    period = period_of("1")
    assert site_state(compute_figures(period)).words == "All well."
    alert = Alert.objects.create(kind="unreachable", provider="anthropic", model="big", settled_at=timezone.now())
    assert "is back" in site_state(compute_figures(period)).words
    set_budget("site", tokens_per_day=1)
    ModelCall.objects.create(agent="a", backend="b", model="m")
    add_turn(ben, "failed")
    period = period_of("1")
    assert site_state(compute_figures(period)).words == "1 turn of the last 5 minutes failed."
    Alert.objects.filter(pk=alert.pk).update(settled_at=None)
    state = site_state(compute_figures(period))
    assert (state.tone, state.words.split(" since")[0]) == ("bad", "big has not answered")


def test_every_plot_has_its_table(ben: Any) -> None:
    add_turn(ben, "failed", first_ms=1_200)
    add_calls("tutor")
    period = period_of("30")
    plots = plots_of(compute_figures(period), period, strong="big")
    assert [each.name for each in plots] == ["turns", "first-word", "failures", "costs"]
    assert all(each.words and each.rows and len(each.columns) == len(each.rows[-1]) for each in plots)
    assert plots[1].rows[-1][1:] == ("1.2 s", "1.2 s")
    assert plots[3].rows[-1][1:] == ("$0.50", "$0.00")
    assert [bar.kind for bar in plots[3].bars] == ["col-a"]


def test_queries_do_not_grow_with_rows(ben: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as found:
            compute_figures(period_of("7"))
        return len(found)

    few = queries()
    for _ in range(3):
        add_turn(ben, first_ms=100)
        add_calls("tutor", model=uuid.uuid4().hex)
    assert queries() == few <= 18


def test_page_is_for_admins_and_an_open_one_gets_only_what_changes(root: Any, ben: Any) -> None:
    add_turn(ben, first_ms=700)
    add_calls("tutor")
    client = Client()
    client.force_login(root)
    page = client.get("/ops/?days=7").text
    assert "<h1>Live figures</h1>" in page
    assert page.count('<svg class="plot"') == 4
    assert 'href="/ops/" aria-current="page"' in page
    news = client.get("/ops/?days=7", headers={"HX-Request": "true"}).text
    assert news.count('hx-swap-oob="true"') == 12
    assert "<h1" not in news
    client.force_login(ben)
    assert client.get("/ops/").status_code == 404
    assert "/ops/" not in client.get("/").text
