"""Conflicts and free slots are those that a look at every minute finds."""

from datetime import UTC, date, datetime, timedelta
from itertools import combinations
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.planner.times.free_time import BusySpan, FreeSlot, conflicts_with, find_conflicts, free_slots

BERLIN = ZoneInfo("Europe/Berlin")
ZONES = [ZoneInfo(name) for name in ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC")]
# The night of the clock change lies in the middle.
BEGIN = datetime(2027, 3, 27, tzinfo=UTC)


@st.composite
def spans(draw: st.DrawFn) -> list[BusySpan]:
    found = []
    for number in range(draw(st.integers(0, 12))):
        start = BEGIN + timedelta(minutes=10 * draw(st.integers(0, 400)))
        end = start + timedelta(minutes=10 * draw(st.integers(0, 60)))
        zone = draw(st.sampled_from(ZONES))
        found.append(BusySpan(start=start.astimezone(zone), end=end.astimezone(zone), key=str(number)))
    return found


def overlap(one: BusySpan, other: BusySpan) -> bool:
    first, second = ({minute(span) + each for each in range(0, length(span), 10)} for span in (one, other))
    return bool(first & second)


def minute(span: BusySpan) -> int:
    return int((span.start.astimezone(UTC) - BEGIN).total_seconds() // 60)


def length(span: BusySpan) -> int:
    return int((span.end.astimezone(UTC) - span.start.astimezone(UTC)).total_seconds() // 60)


@settings(deadline=None)
@given(spans())
def test_conflicts_are_all_pairs_that_share_a_minute(busy: list[BusySpan]) -> None:
    found = {frozenset((one.key, other.key)) for one, other in find_conflicts(busy)}
    assert found == {frozenset((one.key, other.key)) for one, other in combinations(busy, 2) if overlap(one, other)}
    for span in busy:
        others = [each for each in busy if each is not span]
        assert {each.key for each in conflicts_with(span, others)} == {
            each.key for each in others if overlap(span, each)
        }


@settings(deadline=None)
@given(spans(), st.sampled_from(ZONES), st.integers(0, 23), st.integers(1, 24), st.integers(10, 120))
def test_slots_are_free_within_hours_and_complete(
    busy: list[BusySpan], zone: ZoneInfo, opens: int, hours: int, shortest: int
) -> None:
    closes = min(24, opens + hours)
    days = [date(2027, 3, 27) + timedelta(days=each) for each in range(3)]
    slots = free_slots(busy, days=days, opens=opens, closes=closes, zone=zone, shortest=timedelta(minutes=shortest))
    assert list(slots) == sorted(slots, key=lambda each: each.start.astimezone(UTC))
    free = set()
    for slot in slots:
        assert slot.length >= timedelta(minutes=shortest)
        span = BusySpan(start=slot.start, end=slot.end)
        assert not conflicts_with(span, busy)
        free |= {minute(span) + each for each in range(length(span))}
    open_minutes = {
        each
        for each in range(-24 * 60, 6 * 24 * 60, 10)
        if (local := (BEGIN + timedelta(minutes=each)).astimezone(zone)).date() in days and opens <= local.hour < closes
    }
    taken = {minute(span) + each for span in busy for each in range(length(span))}
    # What is free and not offered lies in a gap that is too short.
    for each in open_minutes - taken - free:
        around = range(each - shortest, each + shortest + 1)
        assert any(other in taken or _is_closed(other, zone, days, opens, closes) for other in around)


def _is_closed(minutes: int, zone: ZoneInfo, days: list[date], opens: int, closes: int) -> bool:
    local = (BEGIN + timedelta(minutes=minutes)).astimezone(zone)
    return local.date() not in days or not opens <= local.hour < closes


def test_slots_around_an_event_in_another_zone() -> None:
    lesson = BusySpan(
        start=datetime(2026, 12, 1, 10, tzinfo=ZoneInfo("America/New_York")),
        end=datetime(2026, 12, 1, 11, tzinfo=ZoneInfo("America/New_York")),
    )
    slots = free_slots(
        [lesson], days=[date(2026, 12, 1)], opens=14, closes=20, zone=BERLIN, shortest=timedelta(minutes=25)
    )
    assert [(f"{each.start:%H:%M}", f"{each.end:%H:%M}") for each in slots] == [("14:00", "16:00"), ("17:00", "20:00")]


def test_nothing_starts_before_now() -> None:
    now = datetime(2026, 12, 1, 15, 20, tzinfo=BERLIN)
    slots = free_slots(
        [], days=[date(2026, 12, 1)], opens=8, closes=16, zone=BERLIN, shortest=timedelta(minutes=40), not_before=now
    )
    assert slots == (FreeSlot(start=now, end=datetime(2026, 12, 1, 16, tzinfo=BERLIN)),)


def test_day_of_the_clock_change_is_an_hour_shorter() -> None:
    (slot,) = free_slots([], days=[date(2027, 3, 28)], opens=0, closes=24, zone=BERLIN, shortest=timedelta(0))
    assert slot.length == timedelta(hours=23)


def test_touching_spans_and_spans_without_length_are_in_no_conflict() -> None:
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    hour = timedelta(hours=1)
    spans = [
        BusySpan(start=noon - hour, end=noon),
        BusySpan(start=noon, end=noon + hour),
        BusySpan(start=noon + hour / 2, end=noon + hour / 2),
    ]
    assert find_conflicts(spans) == ()


def test_ten_thousand_events_at_one_time_give_as_many_conflicts_as_asked_for() -> None:
    noon = datetime(2026, 12, 1, 12, tzinfo=UTC)
    busy = [BusySpan(start=noon, end=noon + timedelta(hours=1), key=str(each)) for each in range(10_000)]
    assert len(find_conflicts(busy)) == 100
    apart = [
        BusySpan(start=noon + timedelta(hours=2 * each), end=noon + timedelta(hours=2 * each + 1))
        for each in range(10_000)
    ]
    days = [date(2026, 12, 1) + timedelta(days=each) for each in range(800)]
    slots = free_slots(apart, days=days, opens=8, closes=20, zone=BERLIN, shortest=timedelta(minutes=25))
    # Every second hour is free; on the first day, five hours before the first event are one slot.
    assert len(slots) == 800 * 6 - 2


def test_wrong_hours_are_refused() -> None:
    with pytest.raises(ValueError, match="opens=20"):
        free_slots([], days=[], opens=20, closes=8, zone=BERLIN, shortest=timedelta(0))
