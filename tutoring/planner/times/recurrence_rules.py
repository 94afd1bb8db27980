"""Rules of recurrence as values: reading, checking and writing the RRULE of RFC 5545.

What is not followed here is refused with a reason: recurrence within a day, by number of week or of day in the year,
and rules that can never match. `UNTIL` is a day in the event's zone, or a time in UTC; both are included.
"""

from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from django.utils.translation import gettext as _

FREQUENCIES: Final = ("DAILY", "WEEKLY", "MONTHLY", "YEARLY")
CODES: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
MOST_COUNT: Final = 2_000
MOST_INTERVAL: Final = 1_000
LONGEST_RULE: Final = 500
_LONGEST_MONTHS: Final = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_MOST_WEEKS: Final = {"MONTHLY": 5, "YEARLY": 53}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    frequency: str
    interval: int = 1
    weekdays: tuple[tuple[int, int], ...] = ()
    """(which one, 0 for all; weekday, 0 for Monday), sorted by weekday."""
    month_days: tuple[int, ...] = ()
    months: tuple[int, ...] = ()
    positions: tuple[int, ...] = ()
    count: int | None = None
    until: date | datetime | None = None
    """A day of the event's zone, or an aware time in UTC."""
    week_start: int = 0


def validate_rule(text: str) -> str:
    """Return the rule in its normal form; an empty one stays empty.

    Raises ValueError, in words for the person, if it is wrong or cannot be followed here.
    """
    return write_rule(read_rule(text)) if text.strip() else ""


def read_rule(text: str) -> Rule:
    """Return the rule as a value. Raises ValueError as `validate_rule` does."""
    if len(text) > LONGEST_RULE:
        raise ValueError(_("The rule of recurrence is too long."))
    parts: dict[str, str] = {}
    for part in text.strip().upper().removeprefix("RRULE:").split(";"):
        name, equals, value = part.strip().partition("=")
        if not part.strip():
            continue
        if not equals or not value or name in parts:
            raise ValueError(_("The rule of recurrence cannot be read."))
        parts[name] = value
    rule = _from_parts(parts)
    _check(rule)
    return rule


def write_rule(rule: Rule) -> str:
    """Return the RRULE with its parts in a fixed order, without its name."""
    parts = [f"FREQ={rule.frequency}"]
    if rule.interval > 1:
        parts.append(f"INTERVAL={rule.interval}")
    if rule.weekdays:
        parts.append("BYDAY=" + ",".join((str(which) if which else "") + CODES[day] for which, day in rule.weekdays))
    for name, numbers in (("BYMONTHDAY", rule.month_days), ("BYMONTH", rule.months), ("BYSETPOS", rule.positions)):
        if numbers:
            parts.append(f"{name}={','.join(map(str, numbers))}")
    # The start of the week changes nothing unless weeks are skipped.
    if rule.week_start and rule.frequency == "WEEKLY" and rule.interval > 1:
        parts.append(f"WKST={CODES[rule.week_start]}")
    if rule.count is not None:
        parts.append(f"COUNT={rule.count}")
    if rule.until is not None:
        is_time = isinstance(rule.until, datetime)
        parts.append(f"UNTIL={rule.until:%Y%m%dT%H%M%SZ}" if is_time else f"UNTIL={rule.until:%Y%m%d}")
    return ";".join(parts)


def _from_parts(parts: dict[str, str]) -> Rule:
    frequency = parts.pop("FREQ", "")
    if frequency in ("SECONDLY", "MINUTELY", "HOURLY"):
        raise ValueError(_("Something can recur once a day, or less often."))
    if frequency not in FREQUENCIES:
        raise ValueError(_("The rule does not say how often it recurs."))
    week_start = parts.pop("WKST", "MO")
    if week_start not in CODES:
        raise ValueError(_("The rule of recurrence cannot be read."))
    rule = Rule(
        frequency=frequency,
        interval=_number(parts.pop("INTERVAL", "1"), 1, MOST_INTERVAL),
        weekdays=_weekdays(parts.pop("BYDAY", ""), frequency),
        month_days=_numbers(parts.pop("BYMONTHDAY", ""), 31, may_be_negative=True),
        months=_numbers(parts.pop("BYMONTH", ""), 12),
        positions=_numbers(parts.pop("BYSETPOS", ""), 366, may_be_negative=True),
        count=_number(parts.pop("COUNT"), 1, MOST_COUNT) if "COUNT" in parts else None,
        until=_until(parts.pop("UNTIL")) if "UNTIL" in parts else None,
        week_start=CODES.index(week_start),
    )
    if parts:
        raise ValueError(_("%(part)s in a rule of recurrence is not supported.") % {"part": next(iter(parts))[:20]})
    return rule


def _check(rule: Rule) -> None:
    """Raise ValueError for a rule that contradicts itself, or never matches whatever its start is."""
    if rule.count is not None and rule.until is not None:
        raise ValueError(_("A rule ends after a number of times or on a day, not both."))
    if rule.month_days and rule.frequency == "WEEKLY":
        raise ValueError(_("A weekly rule has no days of the month."))
    is_numbered = any(which for which, _day in rule.weekdays)
    if is_numbered and rule.month_days:
        raise ValueError(_("A rule cannot name both a day of the month and the number of a weekday."))
    if (
        rule.months
        and rule.month_days
        and not any(abs(day) <= _LONGEST_MONTHS[month - 1] for month in rule.months for day in rule.month_days)
    ):
        raise ValueError(_("There is no such day in these months, so that the rule never matches."))
    if (
        is_numbered
        and (rule.months or rule.frequency == "MONTHLY")
        and all(abs(which) > 5 for which, _day in rule.weekdays)
    ):
        raise ValueError(_("No month has that many weeks, so that the rule never matches."))
    if rule.positions:
        # Each weekday comes at least four times a month, so that such a position always exists.
        most = 4 * len(rule.weekdays) if not is_numbered else len(rule.weekdays)
        if rule.frequency != "MONTHLY" or not rule.weekdays or max(map(abs, rule.positions)) > most:
            raise ValueError(_("BYSETPOS is supported in monthly rules with weekdays only."))


def _weekdays(text: str, frequency: str) -> tuple[tuple[int, int], ...]:
    found = set()
    for part in text.split(",") if text else ():
        number, code = part.strip()[:-2], part.strip()[-2:]
        if code not in CODES:
            raise ValueError(_("The rule of recurrence cannot be read."))
        which = _number(number, -53, 53) if number else 0
        if number and (not which or abs(which) > _MOST_WEEKS.get(frequency, 0)):
            raise ValueError(_("The number of a weekday does not fit in the rule of recurrence."))
        found.add((which, CODES.index(code)))
    return tuple(sorted(found, key=lambda each: (each[1], each[0])))


def _numbers(text: str, most: int, *, may_be_negative: bool = False) -> tuple[int, ...]:
    numbers = {_number(part, -most if may_be_negative else 1, most) for part in text.split(",")} if text else set()
    if 0 in numbers:
        raise ValueError(_("The rule of recurrence cannot be read."))
    return tuple(sorted(numbers))


def _number(text: str, least: int, most: int) -> int:
    digits = text.strip().lstrip("+-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 9):
        raise ValueError(_("The rule of recurrence cannot be read."))
    number = int(text)
    if not least <= number <= most:
        raise ValueError(
            _("A number in the rule of recurrence has to be from %(least)d to %(most)d.")
            % {"least": least, "most": most}
        )
    return number


def _until(text: str) -> date | datetime:
    try:
        if len(text) == 8:
            return datetime.strptime(text, "%Y%m%d").date()
        # Without a Z it is a time of the event's zone, and its day is all that matters.
        if text.endswith("Z"):
            return datetime.strptime(text, "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
        return datetime.strptime(text, "%Y%m%dT%H%M%S").date()
    except ValueError:
        raise ValueError(_("The end of the rule of recurrence cannot be read.")) from None
