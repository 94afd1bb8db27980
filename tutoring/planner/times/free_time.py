"""Conflicts among spans of time, and free slots between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

MOST_CONFLICTS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class BusySpan:
    """Something that takes place from `start` to `end`, both aware, in any zone."""

    start: datetime
    end: datetime
    key: str = ""
    """Whatever tells the caller what it is, such as the id of an event."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeSlot:
    start: datetime
    end: datetime

    @property
    def length(self) -> timedelta:
        return self.end - self.start


def find_conflicts(spans: Iterable[BusySpan], *, limit: int = MOST_CONFLICTS) -> tuple[tuple[BusySpan, BusySpan], ...]:
    """Return the pairs of spans that overlap, the earlier one first, sorted by their starts; at most `limit`.

    Spans that only touch, and spans without length, are in no conflict.
    """
    raise NotImplementedError


def conflicts_with(span: BusySpan, others: Iterable[BusySpan]) -> tuple[BusySpan, ...]:
    """Return those of the others that overlap with the span, sorted by start."""
    raise NotImplementedError


def free_slots(
    busy: Iterable[BusySpan],
    *,
    days: Sequence[date],
    opens: int,
    closes: int,
    zone: ZoneInfo,
    shortest: timedelta,
    not_before: datetime | None = None,
) -> tuple[FreeSlot, ...]:
    """Return the gaps of at least `shortest` on these days, between the hours `opens` (0–23) and `closes` (1–24).

    Sorted, in the zone. Nothing starts before `not_before`.
    """
    raise NotImplementedError
