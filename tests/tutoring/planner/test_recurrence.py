"""Occurrences agree with dateutil's, keep their time of day over clock changes, and are found in bounded time."""

from datetime import UTC, date, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from dateutil.rrule import rrulestr
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tutoring.planner.times.recurrence import Series, last_end, occurrences, validate_rule

BERLIN, NEW_YORK = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
ZONES = ("Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "UTC")
WEEKDAYS = st.lists(st.sampled_from(["MO", "TU", "WE", "TH", "FR", "SA", "SU"]), min_size=1, max_size=4, unique=True)
FOREVER = datetime(2399, 1, 1, tzinfo=UTC)


def series(start: datetime, rule: str = "", *, minutes: int = 60, **more: object) -> Series:
    assert start.tzinfo
    fields = {"end": start + timedelta(minutes=minutes), "zone": str(start.tzinfo)} | more
    return Series(start=start, rule=rule, **fields)  # type: ignore[arg-type]


def starts(found: Series, after: datetime, before: datetime) -> list[str]:
    return [f"{each.start:%m-%d %H:%M}" for each in occurrences(found, after=after, before=before)]


def numbers(least: int, most: int) -> st.SearchStrategy[str]:
    return st.lists(st.integers(least, most).filter(bool), min_size=1, max_size=3, unique=True).map(
        lambda each: ",".join(map(str, each))
    )


@st.composite
def rules(draw: st.DrawFn) -> str:
    """Rules that `validate_rule` takes."""
    frequency = draw(st.sampled_from(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"]))
    parts = [f"FREQ={frequency}", f"INTERVAL={draw(st.integers(1, 5))}"]
    by = draw(st.sampled_from(["", "weekday", "numbered", "month day", "both", "position"]))
    if by in ("weekday", "both", "position"):
        parts.append("BYDAY=" + ",".join(draw(WEEKDAYS)))
    if by == "numbered" and frequency in ("MONTHLY", "YEARLY"):
        parts.append(f"BYDAY={draw(st.sampled_from([1, 2, 4, 5, -1, -2]))}{draw(st.sampled_from(['MO', 'FR', 'SU']))}")
    if by in ("month day", "both") and frequency != "WEEKLY":
        parts.append("BYMONTHDAY=" + draw(numbers(-28, 28)))
    if by == "position" and frequency == "MONTHLY":
        parts.append(f"BYSETPOS={draw(st.sampled_from([1, 2, -1]))}")
    if draw(st.booleans()):
        parts.append("BYMONTH=" + draw(numbers(1, 12)))
    if draw(st.booleans()):
        parts.append(f"WKST={draw(st.sampled_from(['MO', 'SU']))}")
    if draw(st.booleans()):
        parts.append(f"COUNT={draw(st.integers(1, 40))}")
    return ";".join(parts)


@settings(max_examples=300, deadline=None)
@given(rule=rules(), start=st.dates(date(2020, 1, 1), date(2030, 12, 31)), ahead=st.integers(0, 2_000))
def test_days_are_those_of_dateutil(rule: str, start: date, ahead: int) -> None:
    begin = datetime(start.year, start.month, start.day, 9, tzinfo=UTC)
    after = begin + timedelta(days=ahead)
    before = after + timedelta(days=400)
    naive = rrulestr(rule, dtstart=begin.replace(tzinfo=None))
    expected = list(naive.between(after.replace(tzinfo=None), before.replace(tzinfo=None), inc=True))
    found = occurrences(series(begin, validate_rule(rule), minutes=0), after=after, before=before)
    assert [each.start.replace(tzinfo=None) for each in found] == [
        each for each in expected if each < before.replace(tzinfo=None)
    ]


@settings(max_examples=150, deadline=None)
@given(
    zone=st.sampled_from(ZONES),
    rule=rules(),
    start=st.datetimes(datetime(2024, 1, 1), datetime(2028, 1, 1)),
    minutes=st.integers(0, 3_000),
)
def test_time_of_day_stays_in_every_zone(zone: str, rule: str, start: datetime, minutes: int) -> None:
    start = start.replace(second=0, microsecond=0, tzinfo=ZoneInfo(zone)).astimezone(UTC).astimezone(ZoneInfo(zone))
    end = (start.astimezone(UTC) + timedelta(minutes=minutes)).astimezone(ZoneInfo(zone))
    found = occurrences(series(start, validate_rule(rule), end=end), after=start, before=start + timedelta(days=500))
    for each in found:
        assert each.end.astimezone(UTC) - each.start.astimezone(UTC) == timedelta(minutes=minutes)
        shift = each.start.replace(tzinfo=None, fold=0) - datetime.combine(each.start.date(), start.time())
        # Lord Howe's clock moves by half an hour, the others by an hour or not at all.
        assert shift in (timedelta(0), timedelta(minutes=30), timedelta(hours=1))
    assert [each.start for each in found] == sorted(each.start for each in found)


def test_skipped_hour_moves_on_and_doubled_hour_is_the_first() -> None:
    nightly = series(datetime(2027, 3, 27, 2, 30, tzinfo=BERLIN), "FREQ=DAILY")
    spring = starts(nightly, datetime(2027, 3, 27, tzinfo=BERLIN), datetime(2027, 3, 30, tzinfo=BERLIN))
    assert spring == ["03-27 02:30", "03-28 03:30", "03-29 02:30"]
    autumn = occurrences(
        nightly, after=datetime(2027, 10, 31, tzinfo=BERLIN), before=datetime(2027, 11, 1, tzinfo=BERLIN)
    )
    assert [each.start.astimezone(UTC) for each in autumn] == [datetime(2027, 10, 31, 0, 30, tzinfo=UTC)]


def test_whole_days_stay_whole_when_the_clock_changes() -> None:
    start = datetime(2027, 3, 27, tzinfo=BERLIN)
    days = series(start, "FREQ=DAILY;COUNT=3", end=start + timedelta(days=1), is_all_day=True)
    found = occurrences(days, after=start, before=start + timedelta(days=9))
    assert [(each.start.hour, each.end.hour, (each.end.date() - each.start.date()).days) for each in found] == [
        (0, 0, 1)
    ] * 3


def test_excluded_and_moved_occurrences() -> None:
    start = datetime(2026, 12, 1, 16, tzinfo=BERLIN)
    new = datetime(2026, 12, 16, 10, tzinfo=BERLIN)
    weekly = series(
        start,
        "FREQ=WEEKLY;BYDAY=TU;COUNT=4",
        excluded=frozenset({datetime(2026, 12, 8, 15, tzinfo=UTC)}),
        moved={start + timedelta(days=14): (new, new + timedelta(hours=1))},
    )
    found = occurrences(weekly, after=start, before=start + timedelta(days=60))
    assert [f"{each.start:%d %H}" for each in found] == ["01 16", "16 10", "22 16"]
    assert found[1].original_start == start + timedelta(days=14)


def test_moved_occurrence_is_found_where_it_went() -> None:
    start, new = datetime(2026, 12, 1, 16, tzinfo=UTC), datetime(2027, 2, 1, 10, tzinfo=UTC)
    once = series(start, "FREQ=DAILY;COUNT=2", zone="UTC", moved={start: (new, new + timedelta(hours=1))})
    assert starts(once, datetime(2027, 2, 1, tzinfo=UTC), datetime(2027, 2, 2, tzinfo=UTC)) == ["02-01 10:00"]
    assert last_end(once) == new + timedelta(hours=1)


def test_occurrence_that_began_before_the_window_is_in_it() -> None:
    long = series(datetime(2026, 12, 1, 22, tzinfo=UTC), "FREQ=DAILY", minutes=300)
    window = datetime(2026, 12, 5, 1, tzinfo=UTC)
    assert starts(long, window, window + timedelta(hours=1)) == ["12-04 22:00"]


def test_until_is_included() -> None:
    start = datetime(2026, 12, 1, 16, tzinfo=BERLIN)
    for until in ("20261203", "20261203T150000Z", "20261203T160000"):
        found = series(start, validate_rule(f"FREQ=DAILY;UNTIL={until}"))
        assert starts(found, start, FOREVER) == ["12-01 16:00", "12-02 16:00", "12-03 16:00"]


def test_last_end_counts_in_utc_and_is_none_for_ever() -> None:
    start = datetime(2026, 12, 1, 16, tzinfo=BERLIN)
    assert last_end(series(start)) == datetime(2026, 12, 1, 16, tzinfo=UTC)
    assert last_end(series(start, "FREQ=DAILY;COUNT=3")) == datetime(2026, 12, 3, 16, tzinfo=UTC)
    assert last_end(series(start, "FREQ=DAILY")) is None


@pytest.mark.parametrize(
    ("rule", "normal"),
    [
        ("", ""),
        ("RRULE:byday=TH,TU;freq=weekly", "FREQ=WEEKLY;BYDAY=TU,TH"),
        ("FREQ=MONTHLY;BYDAY=-1FR;COUNT=3;INTERVAL=1", "FREQ=MONTHLY;BYDAY=-1FR;COUNT=3"),
        ("FREQ=DAILY;WKST=SU;UNTIL=20261225T120000Z", "FREQ=DAILY;UNTIL=20261225T120000Z"),
    ],
)
def test_normal_form(rule: str, normal: str) -> None:
    assert validate_rule(rule) == normal
    assert validate_rule(normal) == normal


@pytest.mark.parametrize(
    ("rule", "word"),
    [
        ("FREQ=SECONDLY", "once a day"),
        ("FREQ=HOURLY;COUNT=99999999", "once a day"),
        ("every Tuesday", "cannot be read"),
        ("FREQ=DAILY;COUNT=99999999", "from 1 to 2000"),
        ("FREQ=DAILY;COUNT=9999999999999999999999", "cannot be read"),
        ("FREQ=DAILY;COUNT=0", "from 1"),
        ("FREQ=DAILY;INTERVAL=0", "from 1"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never matches"),
        ("FREQ=MONTHLY;BYDAY=6MO", "does not fit"),
        ("FREQ=WEEKLY;BYDAY=1MO", "does not fit"),
        ("FREQ=YEARLY;BYWEEKNO=20", "BYWEEKNO"),
        ("FREQ=DAILY;BYHOUR=1,2,3,4", "BYHOUR"),
        ("FREQ=DAILY;COUNT=2;UNTIL=20261225", "not both"),
        ("FREQ=DAILY;UNTIL=20261399", "end of the rule"),
        ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=300", "BYSETPOS"),
        ("FREQ=DAILY;BYDAY=XX", "cannot be read"),
        ("FREQ=DAILY;;" + "X=1;" * 400, "too long"),
    ],
)
def test_hostile_rules_are_refused_in_words(rule: str, word: str) -> None:
    with pytest.raises(ValueError, match=word):
        validate_rule(rule)


@given(st.text(max_size=200) | rules().map(lambda rule: rule.replace("=", ";")))
def test_any_text_is_a_rule_or_a_value_error(text: str) -> None:
    try:
        normal = validate_rule(text)
    except ValueError:
        return
    assert validate_rule(normal) == normal


@example("FREQ=DAILY;INTERVAL=7;BYDAY=TU", 0)
@example("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=30", 31)
@given(
    st.sampled_from(["FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", "FREQ=DAILY;INTERVAL=1000"]), st.integers(0, 400)
)
@settings(deadline=None, max_examples=10)
def test_rules_that_never_match_end(rule: str, day: int) -> None:
    never = series(datetime(2027, 2, 1, 9, tzinfo=UTC) + timedelta(days=day), rule + ";COUNT=1")
    found = occurrences(never, after=datetime(2026, 1, 1, tzinfo=UTC), before=FOREVER)
    assert len(found) <= 1
    assert last_end(never) is not None


def test_old_daily_rule_is_followed_from_the_middle() -> None:
    old = series(datetime(1950, 1, 1, 9, tzinfo=NEW_YORK), "FREQ=DAILY")
    window = datetime(2026, 12, 1, tzinfo=NEW_YORK)
    assert starts(old, window, window + timedelta(days=2)) == ["12-01 09:00", "12-02 09:00"]


def test_limit_bounds_what_is_returned() -> None:
    daily = series(datetime(2026, 1, 1, 9, tzinfo=UTC), "FREQ=DAILY")
    assert len(occurrences(daily, after=daily.start, before=FOREVER, limit=7)) == 7
    assert len(occurrences(daily, after=daily.start, before=FOREVER)) == 1_000
    assert list(islice(occurrences(daily, after=daily.start, before=daily.start), 1)) == []
