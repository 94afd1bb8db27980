"""The planner on a learner's home: today's entries in short, and a first message of the tutor."""

from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import F
from django.utils import timezone

from agents.people import Person, zone_named
from tutoring.models import PlannerSettings, Task, Workspace
from tutoring.models.planner import PERSONAL_WORKSPACE
from tutoring.planner.first_messages import first_message_to_offer
from tutoring.planner.pages.contexts.day_entries import Entry, event_entry, task_entry
from tutoring.planner.pages.place import Place
from tutoring.planner.records.events import events_between

ENTRIES_SHOWN: Final = 4


def home_card(person: Person, *, at: datetime) -> dict[str, Any]:
    """Return today's next events and open tasks of the workspace shown last, and a first message that waits.

    At most five queries, three for somebody who has no planner yet.
    """
    chosen = PlannerSettings.objects.select_related("workspace").filter(owner_id=person.pk).first()
    chosen = chosen or PlannerSettings(owner_id=person.pk)
    workspace = chosen.workspace or Workspace.objects.filter(owner_id=person.pk, key=PERSONAL_WORKSPACE).first()
    entries: list[Entry] = []
    if workspace is not None:
        local = timezone.localtime(at, zone_named(person.zone))
        entries = _entries(Place(person=person, workspace=workspace, chosen=chosen, now=local))
    return {
        "entries": entries[:ENTRIES_SHOWN],
        "has_more": len(entries) > ENTRIES_SHOWN,
        "first_message": first_message_to_offer(person, at=at),
    }


def _entries(place: Place) -> list[Entry]:
    """Return what is still to come today, and the tasks due; without reviews, which stand among today's steps."""
    midnight = place.midnight(place.today + timedelta(days=1))
    events = [
        event_entry(place, each, day=place.today) for each in events_between(place.workspace, place.now, midnight)
    ]
    due = Task.objects.inside(place.workspace).filter(parent=None, done_at=None, due_on=place.today)
    tasks = due.order_by(F("due_at").asc(nulls_last=True), "-priority", "pk")[: ENTRIES_SHOWN + 1]
    return [*events, *(task_entry(place, each) for each in tasks)]
