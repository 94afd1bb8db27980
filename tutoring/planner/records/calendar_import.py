"""Events of a calendar file, as rows; and rows as entries of a calendar file."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings

from tutoring.models import CalendarEvent, Workspace
from tutoring.models.planner import NOTES_MAX_LENGTH, RULE_MAX_LENGTH, TITLE_MAX_LENGTH
from tutoring.planner.icalendar_files import CalendarEntry
from tutoring.planner.records.changes import ChangeRecorder, TooManyRows
from tutoring.planner.records.events import series_of
from tutoring.planner.records.limits import MOST_ROWS
from tutoring.planner.times.recurrence import last_end

UID_LENGTH = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported:
    """How many entries of a file are new, and how many replace events that were imported before."""

    new: int
    changed: int


def known_uids(workspace: Workspace, entries: Iterable[CalendarEntry]) -> set[str]:
    """Return which of the entries are in the workspace already, by UID."""
    wanted = {each.uid[:UID_LENGTH] for each in entries if each.uid}
    rows = CalendarEvent.objects.inside(workspace).filter(series=None).exclude(uid="")
    return wanted & set(rows.values_list("uid", flat=True))


def import_entries(recorder: ChangeRecorder, entries: Iterable[CalendarEntry]) -> Imported:
    """Store the entries in the recorder's workspace; one whose UID is there already replaces that event.

    Raises TooManyRows, with nothing stored.
    """
    whole = list(entries)
    # Of two entries with the same UID, the later one in the file is meant.
    firsts = {each.uid[:UID_LENGTH] or f" {place}": each for place, each in enumerate(whole) if each.moved_from is None}
    moved = [each for each in whole if each.moved_from is not None]
    if CalendarEvent.objects.inside(recorder.workspace).count() + len(whole) > MOST_ROWS:
        raise TooManyRows
    there = {
        row.uid: row for row in CalendarEvent.objects.inside(recorder.workspace).filter(series=None).exclude(uid="")
    }
    excluded = _moved_starts(moved)
    fresh = []
    for uid, each in firsts.items():
        fields = _fields(each, excluded=excluded.get(uid, ()))
        if uid in there:
            _replace(recorder, there[uid], fields)
        else:
            fresh.append(_row(recorder, uid=uid.strip(), fields=fields))
    made = _store(recorder, fresh)
    series = there | {row.uid: row for row in made if row.uid}
    _store(recorder, [_moved_row(recorder, each, series.get(each.uid[:UID_LENGTH])) for each in moved])
    return Imported(new=len(made), changed=len(firsts) - len(made))


def entry_of(event: CalendarEvent) -> CalendarEntry:
    """Return an event as an entry of a calendar file. One that was moved out of a series is an entry of its own."""
    zone = ZoneInfo(event.zone)
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    return CalendarEntry(
        uid=event.uid if event.uid and event.series_id is None else f"event-{event.pk}@{host}",
        title=event.title,
        start=event.starts_at.astimezone(zone),
        end=event.ends_at.astimezone(zone),
        zone=event.zone,
        is_all_day=event.is_all_day,
        place=event.place,
        notes=event.notes,
        rule=event.rule,
        excluded=tuple(sorted(series_of(event).excluded)),
    )


def _moved_starts(moved: Iterable[CalendarEntry]) -> dict[str, tuple[str, ...]]:
    """Return by UID the starts from which occurrences were moved, as a series excludes them."""
    starts: dict[str, tuple[str, ...]] = {}
    for each in moved:
        if each.moved_from is not None:
            uid = each.uid[:UID_LENGTH]
            starts[uid] = (*starts.get(uid, ()), each.moved_from.astimezone(UTC).isoformat())
    return starts


def _fields(entry: CalendarEntry, *, excluded: Iterable[str] = ()) -> dict[str, Any]:
    left_out = {*(each.astimezone(UTC).isoformat() for each in entry.excluded), *excluded}
    fields: dict[str, Any] = {
        "title": entry.title[:TITLE_MAX_LENGTH],
        "place": entry.place[:TITLE_MAX_LENGTH],
        "notes": entry.notes[:NOTES_MAX_LENGTH],
        "starts_at": entry.start,
        "ends_at": entry.end,
        "zone": entry.zone,
        "is_all_day": entry.is_all_day,
        "rule": entry.rule[:RULE_MAX_LENGTH],
        "excluded": sorted(left_out),
    }
    return fields | {"last_ends_at": last_end(series_of(CalendarEvent(**fields))) if entry.rule else entry.end}


def _row(recorder: ChangeRecorder, *, uid: str, fields: dict[str, Any]) -> CalendarEvent:
    kind = CalendarEvent.Kind.IMPORTED
    return CalendarEvent(owner_id=recorder.person.pk, workspace=recorder.workspace, uid=uid, kind=kind, **fields)


def _moved_row(recorder: ChangeRecorder, entry: CalendarEntry, series: CalendarEvent | None) -> CalendarEvent:
    row = _row(recorder, uid="", fields=_fields(entry) | {"rule": "", "excluded": [], "last_ends_at": entry.end})
    row.series = series
    return row


def _store(recorder: ChangeRecorder, rows: list[CalendarEvent]) -> list[CalendarEvent]:
    """Store new rows at once: one by one, a year's calendar would take seconds."""
    made: list[CalendarEvent] = CalendarEvent.objects.bulk_create(rows, batch_size=500)
    recorder.rows += [{"model": "event", "id": row.pk, "before": None, "after": None} for row in made]
    return made


def _replace(recorder: ChangeRecorder, row: CalendarEvent, fields: dict[str, Any]) -> None:
    """Bring an event up to date; the occurrences that were moved before are in the file again."""
    for each in row.moved.filter(removed_at=None):
        recorder.remove(each)
    recorder.update(row, **fields)
