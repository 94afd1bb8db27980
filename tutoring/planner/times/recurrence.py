"""Occurrences of recurring events, at the same time of day in the event's zone, over clock changes.

An occurrence in an hour that a clock change skips is as long after midnight as if the clock had not changed (02:30
becomes 03:30, RFC 5545); of an hour that comes twice, the first is meant. Every occurrence lasts as long as the first
one; whole days stay whole days.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

MOST_OCCURRENCES: Final = 1_000
"""How many occurrences are returned at most, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """An event, once or recurring."""

    start: datetime
    """The first occurrence, aware. For whole days: midnight of the first day in `zone`."""
    end: datetime
    """The end of the first occurrence, not before `start`. For whole days: midnight after the last day."""
    zone: str
    """An IANA name."""
    rule: str = ""
    """As `validate_rule` returns it; empty for once."""
    is_all_day: bool = False
    excluded: frozenset[datetime] = frozenset()
    """Aware starts of occurrences that do not take place."""
    moved: Mapping[datetime, tuple[datetime, datetime]] = field(default_factory=dict)
    """Original start → new start and end, all aware."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Occurrence:
    start: datetime
    end: datetime
    original_start: datetime
    """Where the rule puts it; other than `start` only if it was moved."""


def occurrences(
    series: Series, *, after: datetime, before: datetime, limit: int = MOST_OCCURRENCES
) -> tuple[Occurrence, ...]:
    """Return the occurrences that end after `after` and start before `before`, sorted by start, in the series' zone.

    An occurrence without length counts if it starts at `after` or later.
    """
    raise NotImplementedError


def last_end(series: Series) -> datetime | None:
    """Return when the last occurrence ends, aware, in UTC; `None` if it recurs forever."""
    raise NotImplementedError


def validate_rule(text: str) -> str:
    """Return the rule in its normal form; an empty one stays empty.

    Raises ValueError, in words for the person, if it is wrong or cannot be followed here.
    """
    raise NotImplementedError
