"""Reads and writes iCalendar files (RFC 5545) as values.

What is read is limited: `MOST_BYTES` and `MOST_ENTRIES` of a file, `LONGEST_LINE` and `MOST_EXCLUDED` of an event,
events of at most `LONGEST_EVENT` between the years 1900 and 2199, rules as in `tutoring.planner.times.recurrence_rules`.
A file beyond the first two is refused; an event beyond the others is skipped with the reason. Alarms, to-dos, journals,
attendees and attachments are not read, and neither are the definitions of time zones: a zone is known by its IANA name,
by its Windows name, or by the `X-LIC-LOCATION` of its definition.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from icalendar import Calendar, Event, Timezone
from icalendar.prop import vRecur

from tutoring.planner.times.recurrence import at_wall_time
from tutoring.planner.times.recurrence_rules import read_rule, write_rule

MOST_BYTES: Final = 5_000_000
MOST_ENTRIES: Final = 5_000
MOST_EXCLUDED: Final = 1_000
LONGEST_LINE: Final = 20_000
"""Characters of one property of an event, after unfolding."""
LONGEST_EVENT: Final = timedelta(days=366)
FIRST_YEAR, LAST_YEAR = 1900, 2199
TITLE_LENGTH, NOTES_LENGTH, UID_LENGTH = 300, 4_000, 255
"""Characters; longer texts are cut, a longer UID is replaced by its hash."""
ZONE_YEARS: Final = 10
"""How many years of clock changes after the last event a file tells about its zones."""
_READ: Final = frozenset(
    [
        "UID",
        "SUMMARY",
        "LOCATION",
        "DESCRIPTION",
        "DTSTART",
        "DTEND",
        "DURATION",
        "RRULE",
        "EXDATE",
        "RDATE",
        "EXRULE",
        "RECURRENCE-ID",
        "STATUS",
    ]
)
_NAME = re.compile(r"[A-Za-z0-9-]+")
# Databases refuse NUL, and no reader expects the other control characters in a title.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEntry:
    """An event of a calendar file; a VEVENT."""

    uid: str
    title: str
    start: datetime
    """Aware, in `zone`. For whole days: midnight of the first day."""
    end: datetime
    """Aware, in `zone`. For whole days: midnight after the last day."""
    zone: str
    """An IANA name."""
    is_all_day: bool = False
    place: str = ""
    notes: str = ""
    rule: str = ""
    """As `validate_rule` returns it; `UNTIL` is a day in `zone`."""
    excluded: tuple[datetime, ...] = ()
    """Starts that do not take place, in UTC, sorted; those of moved occurrences are not among them."""
    moved_from: datetime | None = None
    """For one occurrence that was moved: the start, in UTC, that the rule of the entry with the same `uid` gives it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedEntry:
    """An event of a file that was not taken."""

    title: str
    """The title, or the UID, or an empty text."""
    reason: str
    """In words for the person, translated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport:
    """What a file holds."""

    taken: tuple[CalendarEntry, ...]
    """Each UID once, apart from its moved occurrences, which follow their series."""
    skipped: tuple[SkippedEntry, ...]


class NotACalendar(ValueError):
    """The file cannot be read at all; its text says why, in words for the person."""


@dataclass(slots=True)
class _Block:
    """The lines of an event that are read, unfolded."""

    lines: list[str] = field(default_factory=list)
    problem: str = ""


def to_ical(entries: Iterable[CalendarEntry], *, name: str, made_at: datetime) -> bytes:
    """Return a calendar file with the time zones that its entries need. `made_at` is aware."""
    entries = list(entries)
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//learnagent//planner//EN")
    calendar.add("x-wr-calname", _clean(name, TITLE_LENGTH))
    timed = [each for each in entries if not each.is_all_day]
    for zone in sorted({each.zone for each in timed} - {"UTC"}):
        years = [each.start.year for each in timed if each.zone == zone]
        calendar.add_component(_zone_definition(zone, min(years) - 1, max(years) + ZONE_YEARS))
    for entry in entries:
        calendar.add_component(_event(entry, made_at))
    return bytes(calendar.to_ical())


@cache
def _zone_definition(zone: str, first: int, last: int) -> Timezone:
    # The library looks for clock changes in steps of a day, so that a definition is worth keeping.
    return Timezone.from_tzid(zone, first_date=date(first, 1, 1), last_date=date(min(last, LAST_YEAR), 1, 1))


def _event(entry: CalendarEntry, made_at: datetime) -> Event:
    zone = ZoneInfo(entry.zone)

    def moment(time: datetime) -> date:
        local = time.astimezone(zone)
        return local.date() if entry.is_all_day else local

    event = Event()
    event.add("uid", entry.uid)
    event.add("dtstamp", made_at.astimezone(UTC))
    event.add("summary", _clean(entry.title, TITLE_LENGTH))
    event.add("dtstart", moment(entry.start))
    event.add("dtend", moment(entry.end))
    for property_name, text in (("location", entry.place), ("description", entry.notes)):
        if text:
            event.add(property_name, _clean(text, NOTES_LENGTH))
    if entry.rule:
        event.add("rrule", vRecur.from_ical(_written_rule(entry, zone)))
    if entry.excluded:
        event.add("exdate", [moment(each) for each in entry.excluded], {"VALUE": "DATE"} if entry.is_all_day else {})
    if entry.moved_from:
        event.add("recurrence-id", moment(entry.moved_from))
    return event


def _written_rule(entry: CalendarEntry, zone: ZoneInfo) -> str:
    """Return the rule as RFC 5545 wants it: a last day becomes its last second in UTC if the event has times."""
    rule = read_rule(entry.rule)
    if rule.until is None or isinstance(rule.until, datetime) or entry.is_all_day:
        return write_rule(rule)
    return write_rule(replace(rule, until=datetime.combine(rule.until, time(23, 59, 59), zone).astimezone(UTC)))


def read_ical(data: bytes, zone: ZoneInfo) -> ImportReport:
    """Return what a calendar file holds. `zone` is for whole days and for times without a zone. Raises NotACalendar."""
    if len(data) > MOST_BYTES:
        raise NotACalendar(_("The file is larger than %(most)d MB.") % {"most": MOST_BYTES // 1_000_000})
    text = data.decode("utf-8-sig", errors="replace").lstrip()
    if not text[:20].upper().startswith("BEGIN:VCALENDAR"):
        raise NotACalendar(_("This is not a calendar file: it does not begin with BEGIN:VCALENDAR."))
    blocks, zones = _blocks(text)
    read: list[tuple[CalendarEntry, bool]] = []
    skipped: list[SkippedEntry] = []
    for block in blocks:
        try:
            read.append(_entry(block, zone, zones))
        except ValueError as error:
            skipped.append(SkippedEntry(title=_title(block), reason=str(error)))
    taken, twice = _combined(read)
    return ImportReport(taken=taken, skipped=(*skipped, *twice))


def _blocks(text: str) -> tuple[list[_Block], dict[str, str]]:
    """Return the events of a file, and IANA names by the names that the file gives its zones. Raises NotACalendar."""
    blocks: list[_Block] = []
    zones: dict[str, str] = {}
    path: list[str] = []
    tzid = ""
    for line in _unfolded(text):
        name = found[0].upper() if (found := _NAME.match(line)) else ""
        value = line.partition(":")[2].strip()
        if name == "BEGIN":
            path.append(value.upper()[:20])
            if path[-1] == "VEVENT":
                blocks.append(_Block())
            if len(blocks) > MOST_ENTRIES:
                raise NotACalendar(_("The file has more than %(most)d events.") % {"most": MOST_ENTRIES})
        elif name == "END":
            if path:
                path.pop()
        elif path[-1:] == ["VTIMEZONE"]:
            tzid = value if name == "TZID" else tzid
            if name == "X-LIC-LOCATION":
                zones[tzid] = value
        elif path[-1:] == ["VEVENT"] and name in _READ:
            if len(line) > LONGEST_LINE and name != "DESCRIPTION":
                blocks[-1].problem = _("One of its lines is longer than %(most)d characters.") % {"most": LONGEST_LINE}
            else:
                blocks[-1].lines.append(line[:LONGEST_LINE])
    if "VEVENT" in path:
        blocks[-1].problem = _("The file ends before the event does.")
    return blocks, zones


def _unfolded(text: str) -> Iterator[str]:
    """Yield the lines, those that were folded as one."""
    parts: list[str] = []
    # Not `splitlines`, which would also break titles at rarer separators.
    for line in re.split(r"\r\n|\n|\r", text):
        if line[:1] in (" ", "\t"):
            parts.append(line[1:])
            continue
        if parts:
            yield "".join(parts)
        parts = [line]
    yield "".join(parts)


def _title(block: _Block) -> str:
    for name in ("SUMMARY", "UID"):
        for line in block.lines:
            if line.upper().startswith(name):
                return _clean(line.partition(":")[2], TITLE_LENGTH)
    return ""


def _entry(block: _Block, zone: ZoneInfo, zones: dict[str, str]) -> tuple[CalendarEntry, bool]:
    """Return an event, and whether it is cancelled. Raises ValueError with a reason for the person."""
    if block.problem:
        raise ValueError(block.problem)
    try:
        event = Event.from_ical("\r\n".join(("BEGIN:VEVENT", *block.lines, "END:VEVENT")))
        return _read_event(event, block, zone, zones)
    except _NotReadable:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        # The library raises what its parsers raise; its words are for programmers.
        raise ValueError(_("The event cannot be read.")) from None


class _NotReadable(ValueError):
    """An event that cannot be taken; its text says why, in words for the person."""


def _read_event(event: Any, block: _Block, zone: ZoneInfo, zones: dict[str, str]) -> tuple[CalendarEntry, bool]:
    if event.get("DTSTART") is None:
        raise _NotReadable(_("The event has no start."))
    if any(event.get(name) is not None for name in ("RDATE", "EXRULE")):
        raise _NotReadable(_("Dates added to a rule one by one are not supported."))
    start = _moment(event.get("DTSTART"), zone, zones)
    is_all_day = not isinstance(start, datetime)
    begin = start if isinstance(start, datetime) else _midnight(start, zone)
    own_zone = ZoneInfo(str(begin.tzinfo))
    end = _end(event, start, zone, zones)
    if end < begin:
        raise _NotReadable(_("The event ends before it begins."))
    if end.astimezone(UTC) - begin.astimezone(UTC) > LONGEST_EVENT:
        raise _NotReadable(_("The event is longer than a year."))
    uid = _clean(_text(event, "UID"), UID_LENGTH + 1) or _hash("\n".join(block.lines))
    recurrence_id = event.get("RECURRENCE-ID")
    if recurrence_id is not None and recurrence_id.params.get("RANGE"):
        raise _NotReadable(_("A change of all later occurrences at once is not supported."))
    entry = CalendarEntry(
        uid=uid if len(uid) <= UID_LENGTH else _hash(uid),
        title=_clean(_text(event, "SUMMARY"), TITLE_LENGTH) or _("Untitled"),
        start=begin,
        end=end.astimezone(own_zone),
        zone=own_zone.key,
        is_all_day=is_all_day,
        place=_clean(_text(event, "LOCATION"), TITLE_LENGTH),
        notes=_clean(_text(event, "DESCRIPTION"), NOTES_LENGTH),
        rule=_rule(block, begin, is_all_day=is_all_day) if recurrence_id is None else "",
        excluded=_excluded(event, begin, zone, zones),
        moved_from=None if recurrence_id is None else _occurrence(recurrence_id, begin, zone, zones),
    )
    return entry, _text(event, "STATUS").upper() == "CANCELLED"


def _text(event: Any, name: str) -> str:
    value = event.get(name, "")
    return str(value[0] if isinstance(value, list) else value)


def _moment(value: Any, zone: ZoneInfo, zones: dict[str, str]) -> date:
    """Return a day, or an aware time in a zone with an IANA name."""
    if isinstance(value, list):
        raise _NotReadable(_("The event has a date twice."))
    found = value.dt
    if not isinstance(found, date) or not FIRST_YEAR <= found.year <= LAST_YEAR:
        raise _NotReadable(
            _("The event has no date between %(first)d and %(last)d.") % {"first": FIRST_YEAR, "last": LAST_YEAR}
        )
    if not isinstance(found, datetime):
        return found
    tzid = str(value.params.get("TZID", ""))
    if found.tzinfo is None:
        found = found.replace(tzinfo=_named_zone(tzid, zones) if tzid else zone)
    if not isinstance(found.tzinfo, ZoneInfo) or not found.tzinfo.key:
        raise _NotReadable(_("The time zone “%(zone)s” is unknown.") % {"zone": tzid[:80]})
    # In an hour that a clock change skips, the time after it.
    return found.astimezone(UTC).astimezone(found.tzinfo)


def _named_zone(tzid: str, zones: dict[str, str]) -> ZoneInfo:
    try:
        return ZoneInfo(zones[tzid])
    except (KeyError, ValueError, OSError):
        raise _NotReadable(_("The time zone “%(zone)s” is unknown.") % {"zone": tzid[:80]}) from None


def _end(event: Any, start: date, zone: ZoneInfo, zones: dict[str, str]) -> datetime:
    is_all_day = not isinstance(start, datetime)
    if (value := event.get("DTEND")) is not None:
        end = _moment(value, zone, zones)
        if isinstance(end, datetime) == is_all_day:
            raise _NotReadable(_("The event begins with a day and ends with a time, or the other way round."))
        # Some programs write the first day as the end of a whole day.
        if is_all_day and end == start:
            end += timedelta(days=1)
        return end if isinstance(end, datetime) else _midnight(end, zone)
    value = event.get("DURATION")
    length = value.dt if value is not None else timedelta(days=is_all_day)
    if not isinstance(length, timedelta) or abs(length) > LONGEST_EVENT * 2:
        raise _NotReadable(_("The length of the event cannot be read."))
    if isinstance(start, datetime):
        return (start.astimezone(UTC) + length).astimezone(start.tzinfo)
    return _midnight(start + timedelta(days=length.days + bool(length.seconds)), zone)


def _rule(block: _Block, start: datetime, *, is_all_day: bool) -> str:
    """Return the rule of an event, its end being a day."""
    texts = [line.partition(":")[2] for line in block.lines if line.upper().startswith("RRULE")]
    if not texts:
        return ""
    if len(texts) > 1:
        raise _NotReadable(_("The event has more than one rule of recurrence."))
    try:
        rule = read_rule(texts[0])
    except ValueError as error:
        raise _NotReadable(str(error)) from None
    if isinstance(rule.until, datetime):
        until = rule.until if is_all_day else rule.until.astimezone(start.tzinfo)
        # There is one occurrence a day at most, so that days say the same as times do.
        is_day_over = is_all_day or until.time() >= start.time()
        rule = replace(rule, until=until.date() - timedelta(days=not is_day_over))
    return write_rule(rule)


def _excluded(event: Any, start: datetime, zone: ZoneInfo, zones: dict[str, str]) -> tuple[datetime, ...]:
    lists = event.get("EXDATE") or []
    values = [value for each in (lists if isinstance(lists, list) else [lists]) for value in each.dts]
    if len(values) > MOST_EXCLUDED:
        raise _NotReadable(_("More than %(most)d occurrences are left out.") % {"most": MOST_EXCLUDED})
    for each in lists if isinstance(lists, list) else [lists]:
        for value in each.dts:
            value.params.setdefault("TZID", each.params.get("TZID", ""))
    return tuple(sorted({_occurrence(value, start, zone, zones) for value in values}))


def _occurrence(value: Any, start: datetime, zone: ZoneInfo, zones: dict[str, str]) -> datetime:
    """Return the start, in UTC, of the occurrence that is meant; a day alone means the one of that day."""
    found = _moment(value, zone, zones)
    if isinstance(found, datetime):
        return found.astimezone(UTC)
    assert isinstance(start.tzinfo, ZoneInfo)
    return at_wall_time(found, start, start.tzinfo).astimezone(UTC)


def _combined(read: list[tuple[CalendarEntry, bool]]) -> tuple[tuple[CalendarEntry, ...], list[SkippedEntry]]:
    """Return the entries with cancelled occurrences excluded, each UID once, and what was left out."""
    series: dict[str, CalendarEntry] = {}
    moved: dict[tuple[str, datetime], CalendarEntry] = {}
    skipped = []
    cancelled: dict[str, set[datetime]] = {}
    for entry, is_cancelled in read:
        key = (entry.uid, entry.moved_from) if entry.moved_from else None
        if is_cancelled and entry.moved_from:
            cancelled.setdefault(entry.uid, set()).add(entry.moved_from)
        elif is_cancelled:
            skipped.append(SkippedEntry(title=entry.title, reason=_("The event is cancelled.")))
        elif (key in moved) if key else (entry.uid in series):
            skipped.append(SkippedEntry(title=entry.title, reason=_("The file holds this event twice.")))
        elif key:
            moved[key] = entry
        else:
            series[entry.uid] = entry
    taken: list[CalendarEntry] = []
    for uid, entry in series.items():
        excluded = tuple(sorted({*entry.excluded, *cancelled.get(uid, ())}))
        taken.append(replace(entry, excluded=excluded if entry.rule else ()))
        taken += [moved.pop(key) for key in sorted(each for each in moved if each[0] == uid)] if entry.rule else []
    # What was moved out of a series that the file does not hold is an event of its own.
    for (uid, original), entry in moved.items():
        taken.append(replace(entry, uid=_hash(f"{uid} {original:%Y%m%dT%H%M%SZ}"), moved_from=None))
    return tuple(taken), skipped


def _midnight(day: date, zone: ZoneInfo) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=zone).astimezone(UTC).astimezone(zone)


def _clean(text: str, most: int) -> str:
    text = _CONTROL.sub("", text.replace("\r\n", "\n")).strip()
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40]
