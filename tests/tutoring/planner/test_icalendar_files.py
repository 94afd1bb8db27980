"""Calendar files come back as they were written, and hostile ones end in words."""

import gzip
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from icalendar import Calendar

from tutoring.planner.icalendar_files import (
    MOST_BYTES,
    CalendarEntry,
    ImportReport,
    NotACalendar,
    read_ical,
    to_ical,
)
from tutoring.planner.times.recurrence import Series, occurrences
from tutoring.planner.times.recurrence_rules import validate_rule

BERLIN = ZoneInfo("Europe/Berlin")
MADE_AT = datetime(2026, 11, 27, tzinfo=UTC)
ZONES = st.sampled_from(["Europe/Berlin", "America/New_York", "Asia/Kolkata", "UTC"])
RULES = st.sampled_from(
    [
        "",
        "FREQ=DAILY;COUNT=5",
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,TH",
        "FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20291231",
        "FREQ=YEARLY;BYMONTH=3,5",
        "FREQ=DAILY;UNTIL=20270401",
    ]
)
TEXTS = (
    st.text(
        st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp", "Zs"]) | st.sampled_from(" \n,;\\:\"'<>&"),
        max_size=120,
    )
    .map(str.strip)
    # The library writes a backslash with an N as a line break.
    .filter(lambda text: "\\N" not in text)
)


def read(*lines: str, zone: ZoneInfo = BERLIN) -> ImportReport:
    """Read a file with one event."""
    return read_file("BEGIN:VEVENT", *lines, "END:VEVENT", zone=zone)


def read_file(*lines: str, zone: ZoneInfo = BERLIN) -> ImportReport:
    return read_ical("\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *lines, "END:VCALENDAR", ""]).encode(), zone)


def one(*lines: str, zone: ZoneInfo = BERLIN) -> CalendarEntry:
    report = read(*lines, zone=zone)
    assert report.skipped == ()
    return report.taken[0]


def reason(*lines: str) -> str:
    report = read(*lines)
    assert report.taken == ()
    return report.skipped[0].reason


@st.composite
def entries(draw: st.DrawFn) -> CalendarEntry:
    zone = ZoneInfo(draw(ZONES))
    is_all_day = draw(st.booleans())
    wall = draw(st.datetimes(datetime(2025, 1, 1), datetime(2028, 12, 31))).replace(microsecond=0)
    if is_all_day:
        # A file says nothing of the zone of whole days; it is that of the reader.
        zone = BERLIN
        start = wall.replace(hour=0, minute=0, second=0, tzinfo=zone)
        end = start + timedelta(days=draw(st.integers(1, 9)))
    else:
        start = wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
        end = (start.astimezone(UTC) + timedelta(minutes=draw(st.integers(0, 3_000)))).astimezone(zone)
    rule = draw(RULES)
    found = Series(start=start, end=end, zone=zone.key, rule=rule, is_all_day=is_all_day)
    coming = [each.start.astimezone(UTC) for each in occurrences(found, after=start, before=start + timedelta(days=60))]
    excluded = draw(st.lists(st.sampled_from(coming), unique=True, max_size=3)) if rule and coming else []
    return CalendarEntry(
        uid="".join(draw(st.lists(st.sampled_from("abc-@.123"), min_size=1, max_size=20))),
        title=draw(TEXTS.filter(bool)),
        place=draw(TEXTS),
        notes=draw(TEXTS),
        start=start,
        end=end,
        zone=zone.key,
        is_all_day=is_all_day,
        rule=validate_rule(rule),
        excluded=tuple(sorted(excluded)),
    )


@settings(deadline=None, max_examples=150)
@given(st.lists(entries(), max_size=4, unique_by=lambda each: each.uid))
def test_round_trip(written: list[CalendarEntry]) -> None:
    data = to_ical(written, name="Ada's planner", made_at=MADE_AT)
    report = read_ical(data, BERLIN)
    assert report.skipped == ()
    assert list(report.taken) == written
    assert all(len(line) <= 75 for line in data.split(b"\r\n"))


def test_moved_occurrence_comes_back_after_its_series() -> None:
    start = datetime(2026, 12, 1, 16, tzinfo=BERLIN)
    hour = timedelta(hours=1)
    series = CalendarEntry(
        uid="a", title="Football", start=start, end=start + hour, zone="Europe/Berlin", rule="FREQ=WEEKLY;BYDAY=TU"
    )
    moved = CalendarEntry(
        uid="a",
        title="Football, in the hall",
        start=start + timedelta(days=8),
        end=start + timedelta(days=8) + hour,
        zone="Europe/Berlin",
        moved_from=(start + timedelta(days=7)).astimezone(UTC),
    )
    assert read_ical(to_ical([moved, series], name="", made_at=MADE_AT), BERLIN).taken == (series, moved)


def test_written_file_names_its_zones_and_its_last_moment_in_utc() -> None:
    start = datetime(2026, 12, 1, 16, tzinfo=BERLIN)
    entry = CalendarEntry(
        uid="a", title="A, b; <b>", start=start, end=start, zone="Europe/Berlin", rule="FREQ=DAILY;UNTIL=20261225"
    )
    text = to_ical([entry], name="Planner", made_at=MADE_AT).decode()
    assert "BEGIN:VTIMEZONE\r\nTZID:Europe/Berlin" in text
    assert "DTSTART;TZID=Europe/Berlin:20261201T160000" in text
    assert "UNTIL=20261225T225959Z" in text
    assert "SUMMARY:A\\, b\\; <b>" in text
    # Another reader than ours finds the same start.
    assert Calendar.from_ical(text).events[0].start == start


@pytest.mark.parametrize(
    ("lines", "start", "end"),
    [
        (["DTSTART:20261201T150000Z", "DTEND:20261201T160000Z"], "12-01 15:00 UTC", "12-01 16:00 UTC"),
        (["DTSTART:20261201T160000", "DURATION:PT1H30M"], "12-01 16:00 CET", "12-01 17:30 CET"),
        (["DTSTART;TZID=America/New_York:20261201T160000"], "12-01 16:00 EST", "12-01 16:00 EST"),
        (["DTSTART;TZID=W. Europe Standard Time:20261201T160000"], "12-01 16:00 CET", "12-01 16:00 CET"),
        (["DTSTART;VALUE=DATE:20261201"], "12-01 00:00 CET", "12-02 00:00 CET"),
        (["DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261203"], "12-01 00:00 CET", "12-03 00:00 CET"),
        (["DTSTART;VALUE=DATE:20261201", "DTEND;VALUE=DATE:20261201"], "12-01 00:00 CET", "12-02 00:00 CET"),
        (["DTSTART:20270328T023000"], "03-28 03:30 CEST", "03-28 03:30 CEST"),
    ],
)
def test_starts_and_ends(lines: list[str], start: str, end: str) -> None:
    entry = one("UID:a", "SUMMARY:x", *lines)
    assert (f"{entry.start:%m-%d %H:%M %Z}", f"{entry.end:%m-%d %H:%M %Z}") == (start, end)


def test_folded_lines_escapes_and_alarms() -> None:
    entry = one(
        "UID:a",
        "SUMMARY:Foot",
        " ball\\, at",
        "\t the <script>alert(1)</script>\\nhall",
        "DTSTART:20261201T160000",
        "BEGIN:VALARM",
        "SUMMARY:not this",
        "TRIGGER:-PT1H",
        "END:VALARM",
    )
    assert entry.title == "Football, at the <script>alert(1)</script>\nhall"


def test_zone_by_the_location_of_its_definition() -> None:
    definition = ["BEGIN:VTIMEZONE", "TZID:My zone", "X-LIC-LOCATION:Asia/Kolkata", "END:VTIMEZONE"]
    event = ["BEGIN:VEVENT", "UID:a", "DTSTART;TZID=My zone:20261201T160000", "END:VEVENT"]
    assert read_file(*definition, *event).taken[0].zone == "Asia/Kolkata"


def test_exclusions_in_every_spelling() -> None:
    entry = one(
        "UID:a",
        "DTSTART;TZID=Europe/Berlin:20261201T160000",
        "RRULE:FREQ=DAILY;UNTIL=20261210T143000Z",
        "EXDATE;TZID=Europe/Berlin:20261202T160000,20261203T160000",
        "EXDATE:20261204T150000Z",
        "EXDATE;VALUE=DATE:20261205",
    )
    assert [f"{each:%d %H}" for each in entry.excluded] == ["02 15", "03 15", "04 15", "05 15"]
    assert entry.rule == "FREQ=DAILY;UNTIL=20261209"


def test_first_of_two_titles_counts() -> None:
    assert one("UID:a", "SUMMARY:first", "SUMMARY:second", "DTSTART:20261201T160000").title == "first"


def test_cancelled_occurrence_is_excluded() -> None:
    event = ["BEGIN:VEVENT", "UID:a", "DTSTART:20261201T150000Z"]
    report = read_file(
        *event,
        "RRULE:FREQ=DAILY",
        "END:VEVENT",
        *event,
        "RECURRENCE-ID:20261202T150000Z",
        "STATUS:CANCELLED",
        "END:VEVENT",
    )
    assert [each.excluded for each in report.taken] == [(datetime(2026, 12, 2, 15, tzinfo=UTC),)]


def test_moved_occurrence_without_its_series_is_an_event() -> None:
    entry = one("UID:a", "DTSTART:20261203T150000Z", "RECURRENCE-ID:20261202T150000Z")
    assert entry.moved_from is None
    assert entry.uid != "a"


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        (["SUMMARY:x"], "no start"),
        (["DTSTART:20261201T160000", "DTEND:20261201T150000"], "ends before"),
        (["DTSTART:20261201T160000", "DURATION:-PT1H"], "ends before"),
        (["DTSTART:20261201T160000", "DURATION:P99999999W"], "cannot be read"),
        (["DTSTART:20261201T160000", "DTEND;VALUE=DATE:20261202"], "other way round"),
        (["DTSTART:20261201T160000", "DTEND:20361201T160000"], "longer than a year"),
        (["DTSTART;TZID=Mars/Base:20261201T160000"], "“Mars/Base” is unknown"),
        (["DTSTART;TZID=../../etc/passwd:20261201T160000"], "unknown"),
        (["DTSTART:20261399T000000"], "cannot be read"),
        (["DTSTART:garbage"], "cannot be read"),
        (["DTSTART:00010101T000000"], "between 1900"),
        (["DTSTART:20261201T160000", "RRULE:FREQ=SECONDLY;COUNT=999999999"], "once a day"),
        (["DTSTART:20261201T160000", "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"], "never matches"),
        (["DTSTART:20261201T160000", "RRULE:nonsense"], "cannot be read"),
        (["DTSTART:20261201T160000", "RRULE:FREQ=DAILY", "RRULE:FREQ=WEEKLY"], "more than one rule"),
        (["DTSTART:20261201T160000", "RDATE:20261202T160000"], "one by one"),
        (["DTSTART:20261201T160000", "DTSTART:20261202T160000"], "twice"),
        (["DTSTART:20261201T160000", "STATUS:CANCELLED"], "cancelled"),
        (["DTSTART:20261201T160000", "SUMMARY:" + "x" * 2_000_000], "longer than 20000"),
        (
            [
                "DTSTART:20261201T160000",
                "RRULE:FREQ=DAILY",
                *["EXDATE:" + "20261202T160000," * 900 + "20261202T160000"] * 2,
            ],
            "left out",
        ),
        (["DTSTART:20261201T160000", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261202T160000"], "all later"),
    ],
)
def test_event_that_cannot_be_taken_is_listed(lines: list[str], word: str) -> None:
    assert word in reason("UID:a", *lines)


def test_other_events_are_taken_all_the_same() -> None:
    good = ["BEGIN:VEVENT", "UID:good", "SUMMARY:Good", "DTSTART:20261201T160000", "END:VEVENT"]
    bad = ["BEGIN:VEVENT", "UID:bad", "SUMMARY:Bad", "DTSTART:never", "END:VEVENT"]
    report = read_file(*bad, *good, *good)
    assert [each.title for each in report.taken] == ["Good"]
    assert [(each.title, each.reason) for each in report.skipped] == [
        ("Bad", "The event cannot be read."),
        ("Good", "The file holds this event twice."),
    ]


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "not a calendar"),
        (b"\x00\x01\xff" * 500, "not a calendar"),
        (b"<html>BEGIN:VCALENDAR", "not a calendar"),
        (gzip.compress(b"BEGIN:VCALENDAR" + b"\0" * 10_000_000), "not a calendar"),
        (b"BEGIN:VCALENDAR" + b"x" * MOST_BYTES, "larger than 5 MB"),
        (b"BEGIN:VCALENDAR\n" + b"BEGIN:VEVENT\nEND:VEVENT\n" * 100_000, "more than 5000 events"),
    ],
)
def test_file_that_is_refused(data: bytes, word: str) -> None:
    with pytest.raises(NotACalendar, match=word):
        read_ical(data, BERLIN)


def test_file_that_breaks_off_keeps_what_came_before() -> None:
    good = "BEGIN:VEVENT\nUID:good\nDTSTART:20261201T160000\nEND:VEVENT\n"
    report = read_ical(f"BEGIN:VCALENDAR\n{good}BEGIN:VEVENT\nUID:half\nDTST".encode(), BERLIN)
    assert [each.uid for each in report.taken] == ["good"]
    assert report.skipped[0].reason == "The file ends before the event does."


def test_deep_nesting_is_no_danger() -> None:
    nested = read_file(*["BEGIN:VEVENT"] * 4_000, "DTSTART:20261201T160000")
    assert len(nested.skipped) == 4_000


LINES = st.lists(
    st.sampled_from(
        [
            "BEGIN:VEVENT",
            "END:VEVENT",
            "BEGIN:VTIMEZONE",
            "UID:a",
            "DTSTART:20261201T160000Z",
            "DTSTART;VALUE=DATE:20261201",
            "DTSTART;TZID=X:2026",
            "DTEND;TZID=Europe/Berlin:20261201T180000",
            "DURATION:P1D",
            "RRULE:FREQ=DAILY;UNTIL=20261201",
            "EXDATE:20261201",
            "RECURRENCE-ID;VALUE=DATE:20261201",
            " folded",
            'SUMMARY;X=":',
        ]
    )
    | st.text(max_size=40),
    max_size=30,
)


@settings(deadline=None, max_examples=300)
@given(LINES)
def test_any_lines_are_read_or_refused(lines: list[str]) -> None:
    report = read_file(*lines)
    for entry in report.taken:
        assert entry.end >= entry.start
        assert validate_rule(entry.rule) == entry.rule
    assert all(each.reason for each in report.skipped)
