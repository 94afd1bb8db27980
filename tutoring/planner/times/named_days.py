"""Days, weeks, months and holidays by their names, clear or vague: "tomorrow", "next weekend", "Easter Monday"."""

from datetime import date, timedelta
from typing import Final

from django.utils.translation import gettext as _

from tutoring.planner.times.date_phrases import read_date
from tutoring.planner.times.day_values import AnyDay, Day, ReadDay, Today, UnclearDay
from tutoring.planner.times.durations import Duration, read_duration
from tutoring.planner.times.weekday_phrases import WHICH
from tutoring.planner.times.words import DURATION_UNITS, MONTHS, Words, holiday, holiday_date

NAMED: Final = {"today": 0, "tomorrow": 1, "yesterday": -1}
_UNITS_AWAY: Final = {"week": Duration(days=7), "fortnight": Duration(days=14)}
_NAMED_AFTER_HOLIDAYS: Final = frozenset({
    "holiday", "holidays", "break", "vacation", "vacations", "party", "concert", "play", "market", "shopping",
    "present", "presents", "card", "cards",
})  # fmt: skip
"""Words that make something else of the name of a holiday before them."""


def read_named_day(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    start = words.skip(index, "the")
    for link, days in (("after", 2), ("before", -2)):
        other = "tomorrow" if days > 0 else "yesterday"
        if words.are(start, "day", link, other):
            return today.one(today.day + timedelta(days=days)), start + 3, False
    if words.are(start, "day", "after") and "tomorrow" in words.before(start, 5) and words.ends(start + 2):
        return today.one(today.day + timedelta(days=2)), start + 2, False
    if words.at(index) in NAMED:
        day, after = today.day + timedelta(days=NAMED[words.at(index)]), index + 1
        # "today in a week", "tomorrow week"
        at = words.skip(after, "in")
        away = (
            read_duration(words, at)
            if at > after
            else _UNITS_AWAY.get(words.at(at)) and (_UNITS_AWAY[words.at(at)], at + 1)
        )
        if away and away[0].is_of_days:
            return today.one(away[0].after(day)), away[1], False
        return today.one(day), after, False
    return None


def read_week_or_month(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "this week", "next weekend", "the month after next", "the weekend"."""
    if (vague := _part_of_month(words, index)) is not None:
        return UnclearDay("date", _("Which day is that?")), vague, False
    start = words.skip(index, "the", "all")
    start = words.skip(start, "whole", "entire")
    ahead: int | None
    if (which := words.at(start)) in WHICH:
        ahead, unit, after = WHICH[which], words.at(start + 1), start + 2
        if unit in ("coming", "upcoming") and words.at(start + 2) == "weekend":
            ahead, unit, after = 0, "weekend", start + 3
    elif which in ("coming", "upcoming"):
        ahead, unit, after = None, words.at(start + 1), start + 2
    else:
        ahead, unit, after = None, which, start + 1
    if words.are(after, "after", "next"):
        ahead, after = 2, after + 2
    elif words.are(after, "after", "that") or words.at(after) in ("'", "plan"):
        return None
    elif (
        ahead is None
        and unit == "weekend"
        and (start > index or role in ("on", "at", "deadline", "until", "from", "in"))
    ):
        ahead = -1 if today.is_past and today.day.weekday() < 5 else 0
    if unit == "weekend" and (beside := _weekend_beside(words, after, today)):
        return beside
    if ahead is None and unit == "week" and words.at(after - 2) in ("all", "whole", "entire"):
        ahead = 0
    if ahead is None:
        return None
    match unit.removesuffix("'s"):
        case "week":
            return today.week(ahead), after, False
        case "weekend":
            return today.weekend(ahead), after, False
        case "month":
            return today.month(today.day.year, today.day.month + ahead), after, False
        case "year":
            year = today.day.year + ahead
            return Day(date(year, 1, 1), date(year, 12, 31), kind="range"), after, False
    return None


def read_holiday(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    which = words.at(index) if words.at(index) in ("next", "this", "last") else ""
    found = holiday(words, index + bool(which))
    if found is None:
        return None
    name, after = found
    if not role and words.at(after) in _NAMED_AFTER_HOLIDAYS:
        return None
    # "The new year is hard" names no day.
    if name in ("new year", "new years") and not role:
        return None
    year = today.day.year
    if words.at(after).isdigit() and len(words.at(after)) == 4:
        year, after = int(words.at(after)), after + 1
        day: AnyDay = (
            today.one(holiday_date(name, year)) if 1900 <= year < 2200 else UnclearDay("date", _("Which year?"))
        )
        return day, after, False
    if which == "last" or today.is_past:
        year -= holiday_date(name, year) > today.day
    else:
        year += holiday_date(name, year) < today.day
    return Day(*(holiday_date(name, year),) * 2, kind="holiday", has_year=False), after, False


def _part_of_month(words: Words, index: int) -> int | None:
    """Return the index after "the first week of April", "the second half of June": the day has to be asked."""
    start = words.skip(index, "the")
    ordinal = (-1, start + 1) if words.at(start) == "last" else words.ordinal(start)
    if ordinal is None or words.at(ordinal[1]) not in ("week", "half") or words.at(ordinal[1] + 1) not in ("of", "in"):
        return None
    at = words.skip(words.skip(ordinal[1] + 2, "the"), *WHICH)
    return at + 1 if words.at(at) in MONTHS or words.at(at) == "month" else None


def _weekend_beside(words: Words, index: int, today: Today) -> ReadDay | None:
    """Read what follows in "the weekend after Easter", "the weekend of 13 June"."""
    link = words.at(index)
    if link not in ("of", "after", "before"):
        return None
    found = read_holiday(words, index + 1, today, "on") or read_date(words, index + 1, today, "on")
    if found is None or isinstance(found[0], UnclearDay) or found[0].is_range or found[0].choices:
        return None
    day = found[0].first
    saturday = Today(day).weekend().first
    if link == "after" and saturday <= day:
        saturday += timedelta(weeks=1)
    if link == "before" and saturday + timedelta(days=1) >= day:
        saturday -= timedelta(weeks=1)
    return Day(saturday, saturday + timedelta(days=1), kind="range"), found[1], False


def read_few(words: Words, index: int) -> ReadDay | None:
    """Read "in a few days", "a few hours from now", "in two or three days"."""
    is_in = words.at(index - 1) in ("in", "within", "over", "during")
    index = words.skip(words.skip(index, "the"), "next") if words.are(index, "the", "next") else index
    first = words.number(index)
    if words.are(index, "a", "few"):
        after = index + 2
    elif words.at(index) in ("several", "some", "few"):
        after = index + 1
    elif is_in and first and words.at(first[1]) in ("or", "to", "-") and (second := words.number(first[1] + 1)):
        after = second[1]
    else:
        return None
    unit = DURATION_UNITS.get(words.at(after))
    end = after + 1
    if words.are(end, "from", "now"):
        is_in, end = True, end + 2
    if unit is None or not is_in:
        return None
    if unit in ("minute", "hour"):
        return UnclearDay("time", _("At what time?")), end, False
    return UnclearDay("date", _("Which day is that?")), words.skip(words.skip(end, "'"), "time"), False
