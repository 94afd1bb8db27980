"""Calendar events and their occurrences: list, create, move, cancel, conflicts, busy times. Within one workspace."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from django.db.models import Q

from tutoring.models import CalendarEvent, Workspace
from tutoring.planner.records.changes import ChangeRecorder
from tutoring.planner.records.limits import LONGEST_TITLE
from tutoring.planner.times.free_time import BusySpan, conflicts_with
from tutoring.planner.times.recurrence import Series, last_end, occurrences
from tutoring.planner.webhooks import order_webhook

MOST_LISTED: Final = 500
"""Occurrences of one list."""
LOOKED_AHEAD: Final = timedelta(weeks=8)
"""How far ahead a new event is compared with the others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EventTime:
    """One occurrence of an event."""

    event: CalendarEvent
    start: datetime
    end: datetime
    original_start: datetime


def series_of(event: CalendarEvent) -> Series:
    """Return an event as a series; an occurrence that was moved is an event of its own."""
    return Series(
        start=event.starts_at,
        end=event.ends_at,
        zone=event.zone,
        rule=event.rule,
        is_all_day=event.is_all_day,
        excluded=frozenset(datetime.fromisoformat(each) for each in event.excluded),
    )


def events_between(workspace: Workspace, after: datetime, before: datetime, *, kind: str = "") -> list[EventTime]:
    """Return the occurrences that end after `after` and start before `before`, by start; at most `MOST_LISTED`."""
    once = Q(rule="", ends_at__gte=after)
    recurring = ~Q(rule="") & (Q(last_ends_at=None) | Q(last_ends_at__gte=after))
    rows = CalendarEvent.objects.inside(workspace).filter(once | recurring, starts_at__lt=before)
    if kind:
        rows = rows.filter(kind=kind)
    found = [
        EventTime(event=row, start=each.start, end=each.end, original_start=each.original_start)
        for row in rows.order_by("starts_at", "pk")[:MOST_LISTED]
        for each in occurrences(series_of(row), after=after, before=before, limit=MOST_LISTED)
    ]
    return sorted(found, key=lambda each: (each.start, each.event.pk))[:MOST_LISTED]


def next_time(event: CalendarEvent, after: datetime) -> EventTime | None:
    """Return the event's occurrence that is under way or comes next; None if none does."""
    for each in occurrences(series_of(event), after=after, before=after + timedelta(days=3660), limit=1):
        return EventTime(event=event, start=each.start, end=each.end, original_start=each.original_start)
    return None


def create_event(
    recorder: ChangeRecorder,
    *,
    title: str,
    start: datetime,
    end: datetime,
    zone: str,
    kind: str = CalendarEvent.Kind.APPOINTMENT,
    rule: str = "",
    is_all_day: bool = False,
    **others: Any,
) -> CalendarEvent:
    """Store an event; `start` is its first occurrence. Raises TooManyRows, and ValueError for a wrong rule.

    The workflow server is told of it, unless it comes from another calendar.
    """
    series = Series(start=start, end=end, zone=zone, rule=rule, is_all_day=is_all_day)
    event = recorder.make(
        CalendarEvent,
        title=title[:LONGEST_TITLE],
        kind=kind,
        starts_at=start,
        ends_at=end,
        zone=zone,
        rule=rule,
        is_all_day=is_all_day,
        last_ends_at=last_end(series) if rule else end,
        **others,
    )
    if kind != CalendarEvent.Kind.IMPORTED:
        body = {"id": event.pk, "title": event.title, "kind": kind, "starts_at": start.isoformat(), "rule": rule}
        order_webhook(recorder.person, kind="event_created", body=body)
    return event


def locked_event(workspace: Workspace, pk: int) -> CalendarEvent | None:
    """Return an event to be changed; the caller has the transaction."""
    row: CalendarEvent | None = CalendarEvent.objects.select_for_update().inside(workspace).filter(pk=pk).first()
    return row


def move_event(
    recorder: ChangeRecorder,
    event: CalendarEvent,
    *,
    start: datetime,
    end: datetime,
    occurrence: datetime | None = None,
) -> CalendarEvent:
    """Move an event, or one `occurrence` of a recurring one, which then is an event of its own. Return what was moved."""
    if event.rule and occurrence is not None:
        _exclude(recorder, event, occurrence)
        names = ("kind", "place", "notes", "remind_before", "concept_id", "is_all_day")
        kept = {name: getattr(event, name) for name in names}
        return recorder.make(
            CalendarEvent,
            title=event.title,
            starts_at=start,
            ends_at=end,
            last_ends_at=end,
            zone=event.zone,
            series=event,
            **kept,
        )
    series = Series(start=start, end=end, zone=event.zone, rule=event.rule, is_all_day=event.is_all_day)
    recorder.update(event, starts_at=start, ends_at=end, last_ends_at=last_end(series) if event.rule else end)
    return event


def cancel_event(recorder: ChangeRecorder, event: CalendarEvent, *, occurrence: datetime | None = None) -> None:
    """Cancel one occurrence of a recurring event, or the event with the occurrences that were moved."""
    if event.rule and occurrence is not None:
        _exclude(recorder, event, occurrence)
        return
    for each in event.moved.filter(removed_at=None):
        recorder.remove(each)
    recorder.remove(event)


def _exclude(recorder: ChangeRecorder, event: CalendarEvent, occurrence: datetime) -> None:
    start = occurrence.astimezone(UTC).isoformat()
    if start not in event.excluded:
        recorder.update(event, excluded=[*event.excluded, start])


def busy_spans(workspace: Workspace, after: datetime, before: datetime) -> list[BusySpan]:
    """Return when the person is busy: events at a time of day. Whole days, such as holidays, leave time free."""
    return [
        BusySpan(start=each.start, end=each.end, key=str(each.event.pk))
        for each in events_between(workspace, after, before)
        if not each.event.is_all_day and each.end > each.start
    ]


def conflicts_of(workspace: Workspace, event: CalendarEvent, *, now: datetime) -> list[EventTime]:
    """Return what a new or moved event overlaps with in the next weeks, each other event once."""
    if event.is_all_day:
        return []
    until = max(now, event.starts_at) + LOOKED_AHEAD
    own = occurrences(series_of(event), after=min(now, event.starts_at), before=until)
    others = {
        (each.event.pk, each.start): each
        for each in events_between(workspace, min(now, event.starts_at), until)
        if each.event.pk != event.pk and not each.event.is_all_day and each.event.pk != event.series_id
    }
    spans = [BusySpan(start=each.start, end=each.end, key=str(pk)) for (pk, _start), each in others.items()]
    found: dict[int, EventTime] = {}
    for each in own:
        for span in conflicts_with(BusySpan(start=each.start, end=each.end), spans):
            found.setdefault(int(span.key), others[int(span.key), span.start])
    return list(found.values())


def all_conflicts(workspace: Workspace, after: datetime, before: datetime) -> list[tuple[EventTime, EventTime]]:
    """Return the pairs of occurrences that overlap, by start."""
    listed = [
        each for each in events_between(workspace, after, before) if not each.event.is_all_day and each.end > each.start
    ]
    pairs = []
    for place, first in enumerate(listed):
        for other in listed[place + 1 :]:
            if other.start >= first.end:
                break
            pairs.append((first, other))
    return pairs


def coming_events(workspace: Workspace, now: datetime) -> Any:
    """Return the events that are still to come, as a queryset: those that a name is looked for among."""
    recurring = ~Q(rule="") & (Q(last_ends_at=None) | Q(last_ends_at__gte=now))
    return CalendarEvent.objects.inside(workspace).filter(Q(ends_at__gte=now) | recurring)
