"""Occurrences of recurring events, at the same time of day in the event's zone, over clock changes.

An occurrence in an hour that a clock change skips is as long after midnight as if the clock had not changed (02:30
becomes 03:30, RFC 5545); of an hour that comes twice, the first is meant. Every occurrence lasts as long as the first
one; whole days stay whole days. A start that its own rule does not match is no occurrence.

The days are counted here and not by dateutil, because a rule has to be followed from the middle: from any week of a
daily rule that began ten years ago, and with a bound on how far is looked. The tests compare the two.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from itertools import islice
from typing import Final
from zoneinfo import ZoneInfo

from tutoring.planner.times.recurrence_rules import Rule, read_rule, validate_rule

__all__ = ["MOST_OCCURRENCES", "Occurrence", "Series", "last_end", "occurrences", "validate_rule"]

MOST_OCCURRENCES: Final = 1_000
"""How many occurrences are returned at most, unless the caller says otherwise."""
MOST_PERIODS: Final = 50_000
"""Days, weeks, months or years that are looked at in one call; a rule that does not match for so long has ended."""
LAST_YEAR: Final = 2_400


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

    An occurrence without length counts if it starts at `after` or later. Raises ValueError for a rule that
    `validate_rule` refuses, and ZoneInfoNotFoundError for an unknown zone.
    """
    zone = ZoneInfo(series.zone)
    left_out = {each.astimezone(UTC) for each in (*series.excluded, *series.moved)}
    found: list[Occurrence] = []
    for occurrence in _all(series, zone, not_before=after):
        if occurrence.start >= before or len(found) >= limit:
            break
        if _is_within(occurrence, after, before) and occurrence.start.astimezone(UTC) not in left_out:
            found.append(occurrence)
    for original, (start, end) in series.moved.items():
        moved = Occurrence(
            start=start.astimezone(zone), end=end.astimezone(zone), original_start=original.astimezone(zone)
        )
        if _is_within(moved, after, before):
            found.append(moved)
    return tuple(sorted(found, key=lambda each: (each.start.astimezone(UTC), each.end.astimezone(UTC))))[:limit]


def last_end(series: Series) -> datetime | None:
    """Return when the last occurrence ends, aware, in UTC; `None` if it recurs forever."""
    ends = [end for _start, end in series.moved.values()]
    if series.rule:
        rule = read_rule(series.rule)
        if rule.count is None and rule.until is None:
            return None
    ends += [each.end for each in _all(series, ZoneInfo(series.zone), not_before=None)]
    return max((each.astimezone(UTC) for each in ends), default=series.end.astimezone(UTC))


def at_wall_time(day: date, time: datetime, zone: ZoneInfo) -> datetime:
    """Return that time of day on another day; see the module for hours that do not exist or come twice."""
    wall = datetime(day.year, day.month, day.day, time.hour, time.minute, time.second, tzinfo=zone)
    # By way of UTC, a skipped hour becomes the one after it, and others stay as they are.
    return wall.astimezone(UTC).astimezone(zone)


def _is_within(occurrence: Occurrence, after: datetime, before: datetime) -> bool:
    is_short = occurrence.start == occurrence.end
    return occurrence.start < before and (occurrence.start >= after if is_short else occurrence.end > after)


def _all(series: Series, zone: ZoneInfo, *, not_before: datetime | None) -> Iterator[Occurrence]:
    """Yield what the rule gives, excluded ones too; those that end before `not_before` may be left out."""
    first = series.start.astimezone(zone)
    if not series.rule:
        yield Occurrence(start=first, end=series.end.astimezone(zone), original_start=first)
        return
    rule = read_rule(series.rule)
    length = series.end.astimezone(UTC) - series.start.astimezone(UTC)
    days = (series.end.astimezone(zone).date() - first.date()).days
    until = _last_moment(rule, zone)
    # Two days more: an occurrence may end after midnight, and clock changes move it by an hour.
    from_day = not_before and (not_before - length - timedelta(days=2)).astimezone(zone).date()
    for day in _days(rule, first.date(), from_day):
        start = at_wall_time(day, first, zone)
        if until and start > until:
            return
        if series.is_all_day:
            end = at_wall_time(day + timedelta(days=days), first, zone)
        else:
            end = (start.astimezone(UTC) + length).astimezone(zone)
        yield Occurrence(start=start, end=end, original_start=start)


def _last_moment(rule: Rule, zone: ZoneInfo) -> datetime | None:
    if rule.until is None:
        return None
    if isinstance(rule.until, datetime):
        return rule.until
    return datetime(rule.until.year, rule.until.month, rule.until.day, 23, 59, 59, tzinfo=zone)


def _days(rule: Rule, first: date, from_day: date | None) -> Iterator[date]:
    """Yield the days of a rule that began on `first`, in order; without COUNT, those before `from_day` are skipped."""
    found = (
        day
        for days in islice(_periods(rule, first, None if rule.count else from_day), MOST_PERIODS)
        for day in days
        if day >= first
    )
    yield from islice(found, rule.count)


def _periods(rule: Rule, first: date, from_day: date | None) -> Iterator[list[date]]:
    """Yield the days of each period of the rule, beginning with that of `first`, or the last before `from_day`."""
    ahead = max(first, from_day) if from_day else first
    step = rule.interval
    match rule.frequency:
        case "DAILY":
            number = (ahead - first).days // step * step
            while (day := _plus(first, number)) is not None:
                yield [day] if _is_taken(rule, day) else []
                number += step
        case "WEEKLY":
            begin = first - timedelta(days=(first.weekday() - rule.week_start) % 7)
            number = (ahead - begin).days // 7 // step * step * 7
            weekdays = [day for _which, day in rule.weekdays] or [first.weekday()]
            offsets = sorted((day - rule.week_start) % 7 for day in weekdays)
            while (week := _plus(begin, number)) is not None:
                days = [week + timedelta(days=offset) for offset in offsets]
                yield [day for day in days if not rule.months or day.month in rule.months]
                number += 7 * step
        case "MONTHLY":
            month = first.year * 12 + first.month - 1
            month += max(0, (ahead.year * 12 + ahead.month - 1 - month) // step - 1) * step
            while month // 12 < LAST_YEAR:
                yield _days_of_month(rule, first, month // 12, month % 12 + 1)
                month += step
        case _:
            year = first.year + max(0, (ahead.year - first.year) // step - 1) * step
            while year < LAST_YEAR:
                yield _days_of_year(rule, first, year)
                year += step


def _plus(day: date, days: int) -> date | None:
    later = day + timedelta(days=days) if days < 400 * 366 else None
    return later if later and later.year < LAST_YEAR else None


def _is_taken(rule: Rule, day: date) -> bool:
    """Whether a daily rule takes this day."""
    return (
        (not rule.months or day.month in rule.months)
        and (not rule.weekdays or day.weekday() in {weekday for _which, weekday in rule.weekdays})
        and (not rule.month_days or bool({day.day, day.day - _length(day.year, day.month) - 1} & set(rule.month_days)))
    )


def _length(year: int, month: int) -> int:
    return (date(year + month // 12, month % 12 + 1, 1) - date(year, month, 1)).days


def _days_of_month(rule: Rule, first: date, year: int, month: int) -> list[date]:
    if rule.months and month not in rule.months:
        return []
    length = _length(year, month)
    whole = [date(year, month, day) for day in range(1, length + 1)]
    days = whole
    if rule.month_days:
        days = [each for each in days if {each.day, each.day - length - 1} & set(rule.month_days)]
    if rule.weekdays:
        days = _weekdays_of(rule, whole, days)
    if not rule.month_days and not rule.weekdays:
        days = [each for each in days if each.day == first.day]
    if rule.positions:
        chosen = {each - 1 if each > 0 else len(days) + each for each in rule.positions}
        days = [each for index, each in enumerate(days) if index in chosen]
    return days


def _weekdays_of(rule: Rule, whole: list[date], days: list[date]) -> list[date]:
    """Return those of `days` that are such weekdays; "the second Monday" counts in `whole`."""
    taken = set()
    for which, weekday in rule.weekdays:
        of_weekday = [each for each in whole if each.weekday() == weekday]
        if not which:
            taken.update(of_weekday)
        elif abs(which) <= len(of_weekday):
            taken.add(of_weekday[which - 1 if which > 0 else which])
    return [each for each in days if each in taken]


def _days_of_year(rule: Rule, first: date, year: int) -> list[date]:
    if rule.months or rule.month_days:
        months = rule.months or tuple(range(1, 13))
        return [each for month in months for each in _days_of_month(rule, first, year, month)]
    if rule.weekdays:
        begin = date(year, 1, 1)
        whole = [begin + timedelta(days=each) for each in range((date(year + 1, 1, 1) - begin).days)]
        return _weekdays_of(rule, whole, whole)
    return [date(year, first.month, first.day)] if first.day <= _length(year, first.month) else []
