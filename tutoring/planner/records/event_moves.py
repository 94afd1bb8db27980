"""Moves all occurrences of a recurring event at once: the rule goes along."""

import re
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from tutoring.models import CalendarEvent
from tutoring.planner.records.changes import ChangeRecorder
from tutoring.planner.records.events import move_event

WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_BY_DAY: Final = re.compile(r"BYDAY=([A-Z,]+)")
_FIXED_DAYS: Final = ("BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYMONTH", "BYSETPOS", "BYDAY")


class CannotMoveAll(ValueError):
    """The rule is about fixed days, so that the event cannot go to another day as a whole; the text says what to do."""


def move_series(
    recorder: ChangeRecorder, event: CalendarEvent, *, occurrence: datetime, start: datetime, length: timedelta
) -> CalendarEvent:
    """Move a recurring event so that this occurrence starts at `start`, and the others by as much. Raises CannotMoveAll.

    All times are aware. The other occurrences keep the time of day of the new start, over clock changes.
    """
    zone = ZoneInfo(event.zone)
    new, old = start.astimezone(zone), occurrence.astimezone(zone)
    days = (new.date() - old.date()).days
    first = event.starts_at.astimezone(zone).date() + timedelta(days=days)
    begins = datetime.combine(first, new.time(), zone)
    excluded = [_moved_start(each, days=days, new=new, zone=zone) for each in event.excluded]
    recorder.update(event, rule=shift_rule(event.rule, days), excluded=excluded)
    ends = datetime.combine(first, new.time()) + length if event.is_all_day else None
    return move_event(recorder, event, start=begins, end=ends.replace(tzinfo=zone) if ends else begins + length)


def shift_rule(rule: str, days: int) -> str:
    """Return the rule for an event that goes so many days later. Raises CannotMoveAll.

    A weekly rule's weekdays go along; a rule that names no days needs no change; any other one cannot be moved.
    """
    found = _BY_DAY.search(rule)
    if not days:
        return rule
    if found and "FREQ=WEEKLY" in rule:
        moved = [WEEKDAYS[(WEEKDAYS.index(each) + days) % 7] for each in found[1].split(",")]
        ordered = ",".join(sorted(moved, key=WEEKDAYS.index))
        return rule[: found.start(1)] + ordered + rule[found.end(1) :]
    if any(f"{name}=" in rule for name in _FIXED_DAYS):
        raise CannotMoveAll(
            _("This event recurs on fixed days. Move only this one, or keep the day and change the time.")
        )
    return rule


def _moved_start(text: str, *, days: int, new: datetime, zone: ZoneInfo) -> str:
    """Return the start of an occurrence that does not take place, after the move."""
    local = datetime.fromisoformat(text).astimezone(zone)
    day: date = local.date() + timedelta(days=days)
    return datetime.combine(day, new.time(), zone).astimezone(UTC).isoformat()
