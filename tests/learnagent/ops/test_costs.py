"""Costs by agent, class, model, conversation and day, on a page and as CSV."""

import csv
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from agents.models import ModelCall
from conversations.models import Session, Turn
from learnagent.ops.costs import Group, compute_costs
from learnagent.ops.periods import period_of
from tutoring.classes.membership import make_class

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def add_call(usd: float | None = 0.5, *, owner: Any = None, model: str = "big", classes: tuple[str, ...] = ()) -> None:
    turn_id = None
    if owner is not None:
        session, _ = Session.objects.get_or_create(owner=owner, key="s")
        turn_id = Turn.objects.create(
            owner=owner, session=session, number=session.turns.count() + 1, client_id=uuid.uuid4().hex, status="done"
        ).pk
    accounts = [*(f"class:{code}" for code in classes), "site"]
    ModelCall.objects.create(
        agent="tutor", backend="b", model=model, cost_usd=usd, spent_tokens=10, accounts=accounts, turn_id=turn_id
    )


def found(group: Group) -> list[tuple[str, int, float]]:
    return [(row.name, row.calls, row.usd) for row in compute_costs(period_of("7")).groups[group] if row.calls]


def test_are_summed_in_every_way(ben: Any, grace: Any) -> None:
    make_class(grace, "Fractions club", code="4b")
    add_call(owner=ben, classes=("4b", "gone"))
    add_call(owner=ben, classes=("4b",))
    add_call(0.25, model="small")
    assert found("agent") == [("Tutor", 3, 1.25)]
    assert found("model") == [("big", 2, 1.0), ("small", 1, 0.25)]
    assert found("class") == [("Fractions club", 2, 1.0), ("gone", 1, 0.5)]
    ((name, calls, usd),) = found("conversation")
    assert (name.split(",")[0], calls, usd) == ("Ben", 2, 1.0)
    assert [row[1:] for row in found("time")] == [(3, 1.25)]


def test_unknown_costs_are_said_to_be(root: Any) -> None:
    add_call()
    add_call(None)
    client = Client()
    client.force_login(root)
    html = client.get("/ops/costs/").text
    assert "The cost of 1 call is not known" in html
    assert "at least $0.50" in html


def test_file_has_the_same_rows_and_no_formulas(root: Any) -> None:
    add_call(model="=cmd()")
    client = Client()
    client.force_login(root)
    answer = client.get("/ops/costs.csv?days=7")
    assert answer["Content-Disposition"].startswith('attachment; filename="costs-')
    rows = list(csv.DictReader(answer.text.splitlines()))
    assert [(row["by"], row["name"], row["usd"]) for row in rows if row["usd"] == "0.5"][1:] == [
        ("agent", "Tutor", "0.5"),
        ("model", "'=cmd()", "0.5"),
    ]


def test_page_without_calls_says_so_and_queries_do_not_grow(root: Any, ben: Any) -> None:
    client = Client()
    client.force_login(root)
    assert "No language model was called in this time." in client.get("/ops/costs/?days=30").text

    def queries() -> int:
        with CaptureQueriesContext(connection) as asked:
            compute_costs(period_of("7"))
        return len(asked)

    add_call(owner=ben, classes=("4b",))
    few = queries()
    for number in range(4):
        add_call(owner=ben, classes=(f"c{number}",), model=f"m{number}")
    assert queries() == few <= 8
