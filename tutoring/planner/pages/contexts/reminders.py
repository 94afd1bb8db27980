"""Reminders as a notice shows them."""

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from tutoring.models import Reminder
from tutoring.planner.reminders import reminder_words


def reminder_notices(rows: Iterable[Reminder]) -> list[dict[str, Any]]:
    """Return each reminder with its words and where it leads, which may be another workspace than the one shown."""
    return [
        {"id": row.pk, "words": reminder_words(row), "url": f"{_url(row)}?{urlencode(_query(row))}"} for row in rows
    ]


def _url(row: Reminder) -> str:
    if row.task_id is not None:
        return reverse("planner-task", args=[row.task_id])
    return reverse("planner-event", args=[row.event_id])


def _query(row: Reminder) -> dict[str, str]:
    at = {"at": row.at.isoformat()} if row.event is not None and row.event.rule else {}
    return {"workspace": row.workspace.key} | at
