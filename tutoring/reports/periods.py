"""The period of a report, in days of the current time zone, and the one before it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final, Literal

from django.utils import timezone

type PeriodName = Literal["this_week", "last_week", "month", "own"]

ONE_DAY: Final = timedelta(days=1)
MOST_DAYS: Final = 366
"""Days of a period that a teacher chooses."""


class InvalidPeriod(ValueError):
    """The dates are missing, in the wrong order, or too far apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportPeriod:
    """A number of whole days."""

    name: PeriodName
    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def start(self) -> datetime:
        """Its first moment."""
        return _midnight(self.first)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return _midnight(self.last + ONE_DAY)

    def previous(self) -> "ReportPeriod":
        """Return the period before: the month before a month, otherwise as many days."""
        last = self.first - ONE_DAY
        first = last.replace(day=1) if self.name == "month" else last - timedelta(days=self.days - 1)
        return ReportPeriod(name=self.name, first=first, last=last)


def week_of(day: date, *, name: PeriodName = "this_week") -> ReportPeriod:
    """Return the week of a day, from Monday on."""
    monday = day - timedelta(days=day.weekday())
    return ReportPeriod(name=name, first=monday, last=monday + timedelta(days=6))


def month_of(day: date) -> ReportPeriod:
    """Return the month of a day."""
    following = (day.replace(day=28) + timedelta(days=4)).replace(day=1)
    return ReportPeriod(name="month", first=day.replace(day=1), last=following - ONE_DAY)


def period_asked(asked: Mapping[str, str], *, today: date | None = None) -> ReportPeriod:
    """Return the period that an address asks for, this week without any. Raises InvalidPeriod for unfit dates."""
    today = today or timezone.localdate()
    match asked.get("period", ""):
        case "last_week":
            return week_of(today - timedelta(days=7), name="last_week")
        case "month":
            return month_of(today)
        case "own":
            return _own_period(asked.get("from", ""), asked.get("to", ""))
        case _:
            return week_of(today)


def _own_period(first: str, last: str) -> ReportPeriod:
    try:
        found = ReportPeriod(name="own", first=date.fromisoformat(first), last=date.fromisoformat(last))
    except ValueError:
        raise InvalidPeriod from None
    if not (1 <= found.days <= MOST_DAYS and found.first.year > 2000 and found.last.year < 3000):
        raise InvalidPeriod
    return found


def _midnight(day: date) -> datetime:
    return timezone.make_aware(datetime.combine(day, datetime.min.time()))
