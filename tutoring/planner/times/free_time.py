"""Conflicts among spans of time, and free slots between them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from heapq import heappop, heappush
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
    """A time in which nothing takes place, both ends aware, on one day."""

    start: datetime
    end: datetime

    @property
    def length(self) -> timedelta:
        # Across a clock change, times of one zone would be subtracted as if nothing had happened.
        return self.end.astimezone(UTC) - self.start.astimezone(UTC)


def find_conflicts(spans: Iterable[BusySpan], *, limit: int = MOST_CONFLICTS) -> tuple[tuple[BusySpan, BusySpan], ...]:
    """Return the pairs of spans that overlap, the earlier one first, sorted by the later one's start; at most `limit`.

    Spans that only touch, and spans without length, are in no conflict.
    """
    ordered = sorted((each for each in _in_utc(spans) if each[1] > each[0]), key=lambda each: each[:2])
    found: list[tuple[BusySpan, BusySpan]] = []
    running: list[tuple[datetime, int, BusySpan]] = []
    for number, (start, end, span) in enumerate(ordered):
        while running and running[0][0] <= start:
            heappop(running)
        for _end, _number, other in sorted(running, key=lambda each: each[1])[: limit - len(found)]:
            found.append((other, span))
        if len(found) >= limit:
            break
        heappush(running, (end, number, span))
    return tuple(found)


def conflicts_with(span: BusySpan, others: Iterable[BusySpan]) -> tuple[BusySpan, ...]:
    """Return those of the others that overlap with the span, sorted by start."""
    start, end = span.start.astimezone(UTC), span.end.astimezone(UTC)
    found = [
        each for each in _in_utc(others) if each[0] < end and start < each[1] and each[0] < each[1] and start < end
    ]
    return tuple(each[2] for each in sorted(found, key=lambda each: each[:2]))


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

    Sorted, in the zone. Nothing starts before `not_before`. Raises ValueError for hours that are no such pair.
    """
    if not 0 <= opens < closes <= 24:
        raise ValueError(f"opens={opens} and closes={closes} are no hours of a day")
    taken = merged((start, end) for start, end, _span in _in_utc(busy) if start < end)
    slots: list[FreeSlot] = []
    index = 0
    for day in sorted(set(days)):
        begin, last = _hour(day, opens, zone), _hour(day, closes, zone)
        begin = max(begin, not_before.astimezone(UTC)) if not_before else begin
        # Days come in order, so that what is over is never looked at again.
        while index < len(taken) and taken[index][1] <= begin:
            index += 1
        at = index
        while begin < last:
            until = min(last, taken[at][0]) if at < len(taken) else last
            if until > begin and until - begin >= shortest:
                slots.append(FreeSlot(start=begin.astimezone(zone), end=until.astimezone(zone)))
            if at >= len(taken) or taken[at][0] >= last:
                break
            begin = max(begin, taken[at][1])
            at += 1
    return tuple(slots)


def merged(spans: Iterable[tuple[datetime, datetime]]) -> list[tuple[datetime, datetime]]:
    """Return the spans sorted, those that overlap or touch as one."""
    found: list[tuple[datetime, datetime]] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        else:
            found.append((start, end))
    return found


def _hour(day: date, hour: int, zone: ZoneInfo) -> datetime:
    """Return a full hour of a day in UTC; 24 is the midnight after it."""
    day += timedelta(days=hour // 24)
    return datetime(day.year, day.month, day.day, hour % 24, tzinfo=zone).astimezone(UTC)


def _in_utc(spans: Iterable[BusySpan]) -> Iterable[tuple[datetime, datetime, BusySpan]]:
    return ((span.start.astimezone(UTC), span.end.astimezone(UTC), span) for span in spans)
