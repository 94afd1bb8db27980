"""Lengths of time in words: "an hour and a half", "45 minutes", "two weeks"."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from dateutil.relativedelta import relativedelta

from tutoring.planner.times.words import DURATION_UNITS, Words

MOST_UNITS: Final = 9_999


@dataclass(frozen=True, slots=True)
class Duration:
    """Months and days of the calendar, and minutes of the clock."""

    months: int = 0
    days: int = 0
    minutes: int = 0

    @property
    def is_of_days(self) -> bool:
        return not self.minutes

    def after(self, day: date, *, sign: int = 1) -> date:
        """Return the day that many months and days later. Raises OverflowError or ValueError outside of the calendar."""
        return day + relativedelta(months=sign * self.months, days=sign * self.days)

    def after_time(self, time: datetime, *, sign: int = 1) -> datetime:
        """Return the aware time later: days by the calendar, minutes by the clock that never changes."""
        day = time + relativedelta(months=sign * self.months, days=sign * self.days)
        return add_exactly(day, timedelta(minutes=sign * self.minutes))

    def as_timedelta(self) -> timedelta:
        """Return its length, a month being 30 days."""
        return timedelta(days=self.days + 30 * self.months, minutes=self.minutes)


def add_exactly(time: datetime, length: timedelta) -> datetime:
    """Return the time that much later, as a clock measures it that is never changed."""
    return (time.astimezone(UTC) + length).astimezone(time.tzinfo)


def read_duration(words: Words, index: int) -> tuple[Duration, int] | None:
    """Read "two hours", "half an hour", "an hour and a half", "1.5 hours", "1h30", "a fortnight", "a couple of days"."""
    found = _read_single(words, index)
    if found is None:
        return None
    duration, after = found
    if words.are(after, "and", "a", "half") and not duration.months:
        whole = duration.minutes or duration.days * 24 * 60
        is_exact = bool(duration.minutes) or duration.days % 7 > 0
        return (Duration(minutes=whole + whole // 2) if is_exact else duration), after + 3
    joined = words.skip(after, "and")
    more = _read_single(words, joined)
    if more and duration.days and more[0].minutes and more[0].minutes < 24 * 60:
        return Duration(days=duration.days, minutes=more[0].minutes), more[1]
    # "two hours and 15 minutes", but not "for an hour and two weeks later".
    if not more and duration.minutes:
        more = _read_single(words, words.skip(after, ","))
    if more and duration.minutes and more[0].minutes and more[0].minutes < 60 <= duration.minutes:
        return Duration(minutes=duration.minutes + more[0].minutes), more[1]
    return found


def _read_single(words: Words, index: int) -> tuple[Duration, int] | None:
    index = words.skip(index, "about", "around", "exactly", "another")
    if words.are(index, "half", "an", "hour") or (
        words.are(index, "half", "a") and words.at(index + 2) in ("hour", "day")
    ):
        return Duration(minutes=30 if words.at(index + 2) == "hour" else 12 * 60), index + 3
    if words.are(index, "half", "a", "year"):
        return Duration(months=6), index + 3
    if words.are(index, "a", "half", "hour") or words.are(index, "half", "hour"):
        return Duration(minutes=30), index + (3 if words.at(index) == "a" else 2)
    if words.are(index, "quarter", "of", "an", "hour"):
        return Duration(minutes=15), index + 4
    if words.are(index, "a", "quarter", "of", "an", "hour"):
        return Duration(minutes=15), index + 5
    if words.are(index, "three", "quarters", "of", "an", "hour"):
        return Duration(minutes=45), index + 5
    if words.are(index, "1", "/", "2", "hour"):
        return Duration(minutes=30), index + 4
    amount: float
    if words.at(index) == "couple":
        amount, after = 2, words.skip(index + 1, "of")
    elif words.are(index, "a", "couple"):
        amount, after = 2, words.skip(index + 2, "of")
    elif words.at(index) in ("a", "an") and words.at(index + 1) != "few":
        amount, after = 1, index + 1
    elif number := words.number(index):
        amount, after = number
        if words.at(after) in (".", ",") and words.is_glued(after) and words.at(after + 1) in ("5", "25", "75"):
            amount, after = float(f"{int(amount)}.{words.at(after + 1)}"), after + 2
        elif words.are(after, "and", "a", "half"):
            amount, after = amount + 0.5, after + 3
    else:
        return None
    after = words.skip(after, "-", "more", "whole", "full")
    if words.at(after) == "h" and amount == int(amount):
        return _hours_and_minutes(words, int(amount), after + 1)
    unit = DURATION_UNITS.get(words.at(after))
    if unit is None or amount > MOST_UNITS:
        return None
    return _in_units(amount, unit), after + 1


def _hours_and_minutes(words: Words, hours: int, after: int) -> tuple[Duration, int]:
    minutes = words.number(after)
    if minutes and words.is_glued(after) and minutes[0] < 60:
        return Duration(minutes=hours * 60 + minutes[0]), minutes[1]
    return Duration(minutes=hours * 60), after


def _in_units(amount: float, unit: str) -> Duration:
    match unit:
        case "minute":
            return Duration(minutes=round(amount))
        case "hour":
            return Duration(minutes=round(amount * 60))
        case "day" | "night":
            return Duration(days=int(amount)) if amount == int(amount) else Duration(minutes=round(amount * 24 * 60))
        case "week" | "weekend":
            return Duration(days=round(amount * 7))
        case "fortnight":
            return Duration(days=round(amount * 14))
        case "month":
            return Duration(months=max(1, round(amount)))
        case _:
            return Duration(months=round(amount * 12))
