"""Days as a phrase names them, before they are combined with times of day."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

from django.utils.dates import MONTHS as MONTH_NAMES
from django.utils.translation import gettext as _

from tutoring.planner.times.values import Asks

type DayKind = Literal["date", "weekday", "month day", "range", "dates", "holiday"]
DAYS_A_WEEK: Final = 7


@dataclass(frozen=True, slots=True)
class Day:
    """A day, or the days from `first` to `last`."""

    first: date
    last: date
    kind: DayKind = "date"
    number: int = 0
    """For a weekday: 0 for Monday. For a day of a month that was not named: the day."""
    has_year: bool = True
    choices: tuple[date, ...] = ()
    """Other readings, of "12/3" for example; the first is `first`."""

    @property
    def is_range(self) -> bool:
        return self.last > self.first


@dataclass(frozen=True, slots=True)
class UnclearDay:
    asks: Asks
    why: str
    days: tuple[date, ...] = ()
    is_vague: bool = False
    """Whether it is a word such as "sometime", beside which a day may stand."""


type AnyDay = Day | UnclearDay
type ReadDay = tuple[AnyDay, int, bool]
"""A day, the index after it, and whether it is one only beside something else that tells of a time."""


@dataclass(frozen=True, slots=True)
class Today:
    """The day on which the text is read, and which way it looks."""

    day: date
    is_past: bool = False

    def one(self, day: date) -> Day:
        return Day(day, day)

    def weekday(self, number: int) -> Day:
        """Return the next such weekday after today, or the last one before."""
        if self.is_past:
            ahead = -((self.day.weekday() - number - 1) % DAYS_A_WEEK + 1)
        else:
            ahead = (number - self.day.weekday() - 1) % DAYS_A_WEEK + 1
        return Day(*(self.day + timedelta(days=ahead),) * 2, kind="weekday", number=number)

    def week(self, ahead: int = 0) -> Day:
        """Return the ISO week that many weeks after the current one."""
        monday = self.day - timedelta(days=self.day.weekday()) + timedelta(weeks=ahead)
        return Day(monday, monday + timedelta(days=6), kind="range")

    def weekend(self, ahead: int = 0) -> Day:
        saturday = self.week(ahead).first + timedelta(days=5)
        return Day(saturday, saturday + timedelta(days=1), kind="range")

    def month(self, year: int, month: int) -> Day:
        """Return a month; `month` may be less than 1 or more than 12, and counts on into other years."""
        year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
        following = date(year + month // 12, month % 12 + 1, 1)
        return Day(date(year, month, 1), following - timedelta(days=1), kind="range")


def days_of_month(year: int, month: int) -> int:
    """Return how many days a month has."""
    return ((date(year + month // 12, month % 12 + 1, 1)) - date(year, month, 1)).days


def coming_date(today: Today, month: int, day: int, year: int | None = None) -> AnyDay:
    """Return the next such date to come (the last one that was, if the text looks back), or why there is none."""
    if not 1 <= month <= 12:
        return UnclearDay("date", _("There is no month %(month)d.") % {"month": month})
    # 2028 is a leap year: without a year, 29 February is possible.
    if not 1 <= day <= days_of_month(year or 2028, month):
        name = _month_name(month)
        words = {"day": day, "month": name, "year": year or ""}
        if year and day == 29 and month == 2:
            return UnclearDay("date", _("There is no 29 February in %(year)d.") % words)
        return UnclearDay("date", _("There is no %(day)d %(month)s.") % words)
    if year is not None:
        return Day(*(date(year, month, day),) * 2)
    step = -1 if today.is_past else 1
    year = today.day.year
    while True:
        if day <= days_of_month(year, month):
            found = date(year, month, day)
            if (found <= today.day) if today.is_past else (found >= today.day):
                return Day(found, found, has_year=False)
        year += step


def _month_name(month: int) -> str:
    return str(MONTH_NAMES[month])


def coming_month_day(today: Today, number: int) -> AnyDay:
    """Return the next day to come with this number in its month."""
    if not 1 <= number <= 31:
        return UnclearDay("date", _("There is no day %(day)d of a month.") % {"day": number})
    year, month = today.day.year, today.day.month
    while True:
        whole = today.month(year, month)
        if number <= whole.last.day:
            found = whole.first + timedelta(days=number - 1)
            if (found <= today.day) if today.is_past else (found >= today.day):
                return Day(found, found, kind="month day", number=number, has_year=False)
        month += -1 if today.is_past else 1
