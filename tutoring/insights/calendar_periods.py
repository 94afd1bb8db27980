"""Calendar weeks and months. They begin at midnight in the learner's own time zone."""

import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, tzinfo
from typing import Final, Literal

type CalendarTimeframe = Literal["week", "month"]

ONE_DAY: Final = timedelta(days=1)
LONGEST_MONTH: Final = timedelta(days=31)
_THIS: Final[dict[CalendarTimeframe, re.Pattern[str]]] = {
    "week": re.compile(r"\bthis week\b", re.IGNORECASE),
    "month": re.compile(r"\bthis month\b", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarPeriod:
    """A week, which begins on Monday, or a month."""

    timeframe: CalendarTimeframe
    first_day: date
    zone: tzinfo

    @property
    def start(self) -> datetime:
        """Its first moment."""
        return datetime.combine(self.first_day, time.min, tzinfo=self.zone)

    @property
    def end(self) -> datetime:
        """The first moment after it."""
        return datetime.combine(self.last_day + ONE_DAY, time.min, tzinfo=self.zone)

    @property
    def last_day(self) -> date:
        if self.timeframe == "week":
            return self.first_day + timedelta(days=6)
        return (self.first_day + LONGEST_MONTH).replace(day=1) - ONE_DAY

    def previous(self) -> "CalendarPeriod":
        """Return the one before it."""
        return period_of(self.first_day - ONE_DAY, timeframe=self.timeframe, zone=self.zone)


def period_at(at: datetime, *, timeframe: CalendarTimeframe, zone: tzinfo) -> CalendarPeriod:
    """Return the week or month in which a moment lies."""
    return period_of(at.astimezone(zone).date(), timeframe=timeframe, zone=zone)


def timeframe_in(text: str) -> CalendarTimeframe | None:
    """Return whether a message asks about this week or this month; None for neither."""
    return next((timeframe for timeframe, words in _THIS.items() if words.search(text)), None)


def period_of(day: date, *, timeframe: CalendarTimeframe, zone: tzinfo) -> CalendarPeriod:
    """Return the week or month of a day."""
    first_day = day - timedelta(days=day.weekday()) if timeframe == "week" else day.replace(day=1)
    return CalendarPeriod(timeframe=timeframe, first_day=first_day, zone=zone)
