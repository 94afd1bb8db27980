"""Weeks and months by the learner's own clock."""

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tutoring.insights.calendar_periods import period_at, timeframe_in

VIENNA, AUCKLAND = ZoneInfo("Europe/Vienna"), ZoneInfo("Pacific/Auckland")
SUNDAY_NIGHT = datetime(2026, 3, 1, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "week", "month"),
    [(UTC, date(2026, 2, 23), date(2026, 3, 1)), (VIENNA, date(2026, 3, 2), date(2026, 3, 1))],
)
def test_moment_lies_in_the_week_and_month_of_the_local_day(zone, week, month):
    found = [period_at(SUNDAY_NIGHT, timeframe=timeframe, zone=zone).first_day for timeframe in ("week", "month")]
    assert found == [week, month]


@pytest.mark.parametrize("timeframe", ["week", "month"])
@pytest.mark.parametrize("zone", [UTC, VIENNA, AUCKLAND])
def test_periods_follow_each_other_without_a_gap(timeframe, zone):
    period = period_at(SUNDAY_NIGHT, timeframe=timeframe, zone=zone)
    for _number in range(60):
        assert period.previous().end == period.start
        period = period.previous()


def test_week_with_a_change_of_the_clock_has_an_hour_less():
    week = period_at(datetime(2026, 3, 29, 12, tzinfo=UTC), timeframe="week", zone=VIENNA)
    assert week.end.astimezone(UTC) - week.start.astimezone(UTC) == timedelta(days=7, hours=-1)


@pytest.mark.parametrize(
    ("text", "timeframe"),
    [
        ("What patterns do you see in my learning this week?", "week"),
        ("How did I do This Month", "month"),
        ("What patterns do you see in my learning?", None),
        ("what did I learn last week", None),
        ("is this weekly", None),
    ],
)
def test_timeframe_is_the_one_that_is_named(text, timeframe):
    assert timeframe_in(text) == timeframe
