"""Alerts: one open row for each trouble with a model, written in the background, settled when the model answers."""

import asyncio
from typing import Any

import pytest
from django.test import Client

from agents.models import Alert
from agents.usage import alerts
from agents.usage.alerts import AlertWriter
from tests.event_log import EventLog

pytestmark = pytest.mark.db


@pytest.fixture
def alarm() -> AlertWriter:
    return AlertWriter()


async def rows() -> list[tuple[str, str, int, bool]]:
    return [
        (alert.kind, alert.model, alert.count, alert.settled_at is not None)
        async for alert in Alert.objects.order_by("pk")
    ]


@pytest.mark.django_db(transaction=True)
async def test_same_trouble_is_counted_in_one_row(alarm: AlertWriter) -> None:
    """V3, V5: an admin sees one alert for each trouble, however often it is met."""
    for _ in range(3):
        alarm.raised("rejected", "openai", "m")
    await alarm.written()
    alarm.raised("rejected", "openai", "m")
    alarm.raised("spend_limit", "openai", "m")
    alarm.raised("rejected", "openai", "n")
    await alarm.written()
    assert await rows() == [("rejected", "m", 4, False), ("spend_limit", "m", 1, False), ("rejected", "n", 1, False)]


@pytest.mark.django_db(transaction=True)
async def test_answer_settles_what_is_open_for_the_model(alarm: AlertWriter) -> None:
    alarm.raised("rejected", "openai", "m")
    alarm.raised("rejected", "openai", "n")
    alarm.settled("openai", "m")
    alarm.raised("rejected", "openai", "m")
    await alarm.written()
    assert await rows() == [("rejected", "m", 1, True), ("rejected", "n", 1, False), ("rejected", "m", 1, False)]


@pytest.mark.django_db(transaction=True)
async def test_two_processes_that_raise_it_at_once_share_a_row() -> None:
    both = AlertWriter(), AlertWriter()
    for each in both:
        each.raised("unreachable", "openai", "m")
    await asyncio.gather(*(each.written() for each in both))
    assert await rows() == [("unreachable", "m", 2, False)]


@pytest.mark.django_db
def test_row_that_another_process_opened_in_this_moment_is_counted_in(monkeypatch: pytest.MonkeyPatch) -> None:
    really = alerts._add_to_open
    looks: list[int] = []

    def not_yet(*args: Any) -> int:
        looks.append(1)
        if len(looks) == 1:
            Alert.objects.create(kind="rejected", provider="openai", model="m")
            return 0
        return really(*args)

    monkeypatch.setattr(alerts, "_add_to_open", not_yet)
    alerts.count_alert("rejected", "openai", "m")
    assert Alert.objects.get().count == 2


@pytest.mark.django_db(transaction=True)
async def test_alert_that_cannot_be_written_is_logged_and_disturbs_nobody(
    alarm: AlertWriter, monkeypatch: pytest.MonkeyPatch, log: EventLog
) -> None:
    monkeypatch.setattr(alerts, "_add_to_open", lambda *args: 1 / 0)
    alarm.raised("rejected", "openai", "m")
    await alarm.written()
    assert len(log.named("alerts_not_written")) == 1
    monkeypatch.undo()
    alarm.raised("rejected", "openai", "m")
    await alarm.written()
    assert await rows() == [("rejected", "m", 1, False)]


@pytest.mark.parametrize("kind", Alert.Kind.values)
def test_alert_says_what_happened_and_what_to_do(kind: str) -> None:
    message = Alert(kind=kind, provider="openai", model="gpt-x").message
    assert "openai" in message
    assert "Lessons continue" in message


def test_admin_reads_the_open_alerts_first_and_can_settle_them(client: Client, root: Any) -> None:
    alerts.count_alert("rejected", "openai", "gone-model")
    alerts.settle_alert("openai", "gone-model")
    alerts.count_alert("spend_limit", "openai", "new-model")
    client.force_login(root)
    assert "1 alert is open." in client.get("/admin/").content.decode()
    page = client.get("/admin/agents/alert/").content.decode()
    assert page.index("new-model") < page.index("gone-model")
    opened = Alert.objects.get(settled_at=None)
    client.post("/admin/agents/alert/", {"action": "settle", "_selected_action": [opened.pk]})
    assert not Alert.objects.filter(settled_at=None).exists()
    assert "alert is open" not in client.get("/admin/").content.decode()


def test_admin_adds_and_changes_no_alerts(client: Client, root: Any) -> None:
    alerts.count_alert("rejected", "openai", "m")
    alert = Alert.objects.get()
    client.force_login(root)
    assert client.get("/admin/agents/alert/add/").status_code == 404
    client.post(f"/admin/agents/alert/{alert.pk}/change/", {"count": 99, "model": "other"})
    alert.refresh_from_db()
    assert (alert.count, alert.model) == (1, "m")
