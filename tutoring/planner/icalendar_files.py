"""Reads and writes iCalendar files (RFC 5545) as values.

Limits of a file that is read: `MOST_BYTES`, `MOST_ENTRIES`, years from 1900 to 2199, rules as in
`tutoring.planner.times.recurrence`. Alarms, to-dos, journals and attendees are not read.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

MOST_BYTES: Final = 5_000_000
MOST_ENTRIES: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """An event of a calendar file; a VEVENT."""

    uid: str
    title: str
    start: datetime
    """Aware, in `zone`. For whole days: midnight of the first day."""
    end: datetime
    """Aware, in `zone`. For whole days: midnight after the last day."""
    zone: str
    """An IANA name."""
    is_all_day: bool = False
    place: str = ""
    notes: str = ""
    rule: str = ""
    """As `validate_rule` returns it."""
    excluded: tuple[datetime, ...] = ()
    """Starts that do not take place, in UTC; those of moved occurrences are not among them."""
    moved_from: datetime | None = None
    """For one occurrence that was moved: the start, in UTC, that the rule of the entry with the same `uid` gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedEntry:
    title: str
    """The title, or the UID, or an empty text."""
    reason: str
    """In words for the person, translated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    taken: tuple[CalendarEntry, ...]
    skipped: tuple[SkippedEntry, ...]


class NotACalendar(ValueError):
    """The file cannot be read at all; its text says why, in words for the person."""


def to_ical(entries: Iterable[CalendarEntry], *, name: str, made_at: datetime) -> bytes:
    """Return a calendar file with the time zones that its entries need. `made_at` is aware."""
    raise NotImplementedError


def read_ical(data: bytes, zone: ZoneInfo) -> ImportReport:
    """Return what a calendar file holds. `zone` is for times without one. Raises NotACalendar."""
    raise NotImplementedError
