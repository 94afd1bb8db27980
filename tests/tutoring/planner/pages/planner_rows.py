"""Rows of a planner, made as the pages make them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from tutoring.models import CalendarEvent, Meal, Note, Task
from tutoring.planner.records.changes import change_rows
from tutoring.planner.records.events import create_event
from tutoring.planner.records.workspaces import workspace_for


def at(day: int, hour: int = 0, minute: int = 0, *, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=UTC)


def add_event(
    person: Any, title: str, start: datetime, *, hours: float = 1, space: str = "", **fields: Any
) -> CalendarEvent:
    end = fields.pop("end", start + timedelta(hours=hours))
    with change_rows(person, workspace_for(person, space)) as recorder:
        return create_event(recorder, title=title, start=start, end=end, zone="UTC", **fields)


def add_task(person: Any, title: str, *, space: str = "", **fields: Any) -> Task:
    return Task.objects.create(owner=person, workspace=workspace_for(person, space), title=title, **fields)


def add_meal(person: Any, *foods: str, eaten_at: datetime, **fields: Any) -> Meal:
    workspace = workspace_for(person)
    return Meal.objects.create(
        owner=person, workspace=workspace, foods=list(foods), eaten_at=eaten_at, kind="lunch", **fields
    )


def add_note(person: Any, text: str, **fields: Any) -> Note:
    return Note.objects.create(owner=person, workspace=workspace_for(person), text=text, **fields)


def told(page: Any) -> str:
    """Return what a page tells of the change just made."""
    found = re.search(r'<div class="planner-told" role="status">(.*?)</div>', page.text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", " ", found[1]).split()) if found else ""


def undo(client: Any, answer: Any) -> Any:
    """Undo the change that an answer leads to, and follow to the page that tells of it."""
    address = answer.redirect_chain[-1][0] if getattr(answer, "redirect_chain", None) else answer.url
    change = re.search(r"change=([0-9a-f-]{36})", address)
    assert change, address
    return client.post(f"/planner/undo/{change[1]}/", {"next": "/planner/week/"}, follow=True)
