"""The week as seven columns: where each entry stands in the grid of hours."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from math import ceil
from typing import Any, Final

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from conversations.timestamps import weekday_date
from tutoring.planner.pages.contexts.day_entries import Day, Entry, days_from
from tutoring.planner.pages.place import Place

DAYS: Final = 7
ROW_MINUTES: Final = 15
"""What one row of the grid stands for; the style sheet has a class for each of a day's rows."""
ROWS_AN_HOUR: Final = 60 // ROW_MINUTES
SHORTEST_ROWS: Final = 2
"""What is shorter is drawn half an hour long, so that its title can be read."""
MOST_LANES: Final = 4
LAST_HOUR: Final = 24


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """An entry in the grid."""

    entry: Entry
    row: int
    length: int
    lane: int
    """Which of the lanes of its day, from 1; 0 for all of them."""


def week_context(place: Place, day: date) -> dict[str, Any]:
    """Return the week from Monday to Sunday that the day is in."""
    monday = day - timedelta(days=day.weekday())
    days = days_from(place, monday, count=DAYS)
    first, last = _hours(place, days)
    sunday = monday + timedelta(days=DAYS - 1)
    return {
        "title": span_words(monday, sunday),
        "monday": monday,
        "week_url": reverse("planner-week"),
        "previous": (monday - timedelta(days=DAYS)).isoformat(),
        "following": (monday + timedelta(days=DAYS)).isoformat(),
        "is_this_week": monday <= place.today <= sunday,
        "days": [_column(place, each, first=first, last=last) for each in days],
        "hours": [{"label": f"{hour}:00", "row": (hour - first) * ROWS_AN_HOUR + 1} for hour in range(first, last)],
        "first_hour": first,
        "rows": (last - first) * ROWS_AN_HOUR,
        "is_empty": all(each.is_empty for each in days),
    }


def span_words(first: date, last: date) -> str:
    """Return the days of a week: "14 to 20 September", "28 September to 4 October"."""
    begins = date_format(first, "j" if first.month == last.month else "MONTH_DAY_FORMAT")
    return _("%(first)s to %(last)s") % {"first": begins, "last": date_format(last, "MONTH_DAY_FORMAT")}


def _hours(place: Place, days: Sequence[Day]) -> tuple[int, int]:
    """Return the first hour and the one after the last: the person's, and whatever the entries need."""
    first, last = place.chosen.day_starts, max(place.chosen.day_ends, place.chosen.day_starts + 1)
    for entry in (entry for day in days for entry in day.timed):
        if entry.start is not None and entry.end is not None:
            first = min(first, entry.start.hour)
            is_midnight = entry.end.date() > entry.start.date()
            last = max(last, LAST_HOUR if is_midnight else ceil(entry.end.hour + entry.end.minute / 60))
    return first, min(last, LAST_HOUR)


def _column(place: Place, day: Day, *, first: int, last: int) -> dict[str, Any]:
    placed = place_entries(day.timed, first=first, last=last)
    is_today = day.date == place.today
    return {
        "date": day.date,
        "iso": day.date.isoformat(),
        "name": date_format(day.date, "D"),
        "number": day.date.day,
        "full": weekday_date(day.date),
        "is_today": is_today,
        "is_past": day.date < place.today,
        "anytime": day.anytime,
        "more": day.more,
        "placed": placed,
        "lanes": max((each.lane for each in placed), default=1) or 1,
        "now_row": _row_of(place.now, first) if is_today and first <= place.now.hour < last else None,
        "is_empty": day.is_empty,
    }


def place_entries(entries: Sequence[Entry], *, first: int, last: int) -> list[Placed]:
    """Return where the entries of one day stand; those at the same time stand side by side."""
    placed: list[Placed] = []
    for cluster in _clusters(_spans(entries, first=first, last=last)):
        ends: list[int] = []
        for entry, row, length in cluster:
            lane = next((number for number, end in enumerate(ends) if end <= row), len(ends))
            ends[lane : lane + 1] = [row + length]
            shown = 0 if len(cluster) == 1 else min(lane + 1, MOST_LANES)
            placed.append(Placed(entry=entry, row=row, length=length, lane=shown))
    return placed


def _spans(entries: Sequence[Entry], *, first: int, last: int) -> list[tuple[Entry, int, int]]:
    """Return each entry with its first row and its length in rows, within the day's hours."""
    rows = (last - first) * ROWS_AN_HOUR
    spans = []
    for entry in entries:
        if entry.start is None or entry.end is None:
            continue
        row = min(_row_of(entry.start, first), rows)
        # By the clock, not by what passed: on the day of a clock change an entry keeps to the hours that it names.
        minutes = (entry.end.replace(tzinfo=None) - entry.start.replace(tzinfo=None)).total_seconds() / 60
        length = min(max(SHORTEST_ROWS, ceil(minutes / ROW_MINUTES)), rows + 1 - row)
        spans.append((entry, row, max(1, length)))
    return sorted(spans, key=lambda each: (each[1], -each[2], each[0].id))


def _clusters(spans: Sequence[tuple[Entry, int, int]]) -> list[list[tuple[Entry, int, int]]]:
    """Return the entries in groups: those of different groups do not meet."""
    groups: list[list[tuple[Entry, int, int]]] = []
    end = 0
    for span in spans:
        if not groups or span[1] >= end:
            groups.append([])
        groups[-1].append(span)
        end = max(end, span[1] + span[2])
    return groups


def _row_of(at: datetime, first: int) -> int:
    return (at.hour - first) * ROWS_AN_HOUR + at.minute // ROW_MINUTES + 1
