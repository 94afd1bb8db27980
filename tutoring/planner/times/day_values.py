"""Days as a phrase names them, before they are combined with times of day."""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal

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
