"""Finds the times that a message names, such as "next Tuesday at four" or "daily at 8pm for two weeks"."""

from datetime import datetime, timedelta

from tutoring.planner.times.values import TimePhrase, UnclearTime

__all__ = ["TimePhrase", "UnclearTime", "describe_time", "find_duration", "find_times", "without_times"]


def find_times(text: str, now: datetime, *, is_past: bool = False) -> tuple[TimePhrase | UnclearTime, ...]:
    """Return the times that the text names, in its order. `now` is aware, in the person's zone.

    What names no date is the next to come, or the last that was if `is_past` ("I had pasta at noon").
    """
    raise NotImplementedError


def find_duration(text: str) -> timedelta | None:
    """Return the first length of time that the text names ("for an hour and a half", "a 45-minute walk")."""
    raise NotImplementedError


def without_times(text: str, times: tuple[TimePhrase | UnclearTime, ...]) -> str:
    """Return the text without the pieces of these times, and without doubled spaces."""
    raise NotImplementedError


def describe_time(phrase: TimePhrase, now: datetime) -> str:
    """Return the time in words: "Tuesday 1 December at 16:00", "every Tuesday at 17:00 until 25 December".

    The year is named only if it is not that of `now`.
    """
    raise NotImplementedError
