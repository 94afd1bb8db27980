"""Days of the week in words: "Tuesday and Thursday", "Mon-Fri", "the last Friday of next month"."""

import re
from datetime import date, timedelta
from typing import Final

from django.utils.translation import gettext as _

from tutoring.planner.times.date_phrases import read_date
from tutoring.planner.times.day_values import Day, ReadDay, Today, UnclearDay
from tutoring.planner.times.words import MONTHS, PLURAL_WEEKDAYS, WEEKDAYS, Words

SATURDAY: Final = 5
WHICH: Final = {"this": 0, "next": 1, "last": -1, "previous": -1, "following": 1, "past": -1, "current": 0}

_SHORT_WEEKDAYS: Final = {"mo": 0, "m": 0, "tu": 1, "th": 3, "t": 1, "we": 2, "w": 2, "fr": 4, "f": 4, "sa": 5, "su": 6}
_SHORT_NAME: Final = re.compile("|".join(_SHORT_WEEKDAYS))
_SHORT_TIMETABLE: Final = re.compile(rf"mwf|tu?th|(?:{_SHORT_NAME.pattern})(?:/(?:{_SHORT_NAME.pattern}))+(?![\w/])")


def read_ordinal_weekday(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "the first Monday in December", "the last Friday of next month", "the last day of November"."""
    start = words.skip(index, "the")
    if words.at(start) == "last":
        number, at = -1, start + 1
    elif ordinal := words.ordinal(start):
        number, at = ordinal
    else:
        return None
    weekday = WEEKDAYS.get(words.at(at))
    is_weekend = words.at(at) == "weekend"
    if (weekday is None and words.at(at) not in ("day", "weekend")) or words.at(at + 1) not in ("of", "in"):
        return None
    found = _month_named(words, at + 2, today)
    if found is None:
        return None
    month, after, may_move = found
    for _try in range(2):
        day = nth_weekday(month, number, SATURDAY if is_weekend else weekday)
        if day and is_weekend and (not may_move or day >= today.day):
            return Day(day, day + timedelta(days=1), kind="range"), after, False
        if day and (not may_move or day >= today.day):
            return today.one(day), after, False
        if may_move:
            month = today.month(month.first.year + may_move // 12, month.first.month + may_move % 12)
    return UnclearDay("date", _("That month has no such day.")), after, False


def nth_weekday(month: Day, number: int, weekday: int | None) -> date | None:
    """Return the nth such weekday of a month, the last for -1; `None` if it has no such day. Without weekday: any day."""
    days = [
        month.first + timedelta(days=each)
        for each in range((month.last - month.first).days + 1)
        if weekday is None or (month.first + timedelta(days=each)).weekday() == weekday
    ]
    index = number - 1 if number > 0 else number
    return days[index] if -len(days) <= index < len(days) else None


def _month_named(words: Words, index: int, today: Today) -> tuple[Day, int, int] | None:
    """Read "December", "next month", "the month"; also, by how many months it may move on to be in the future."""
    start = words.skip(index, "the")
    if words.at(start) == "month":
        return today.month(today.day.year, today.day.month), start + 1, 1
    if words.at(start) in WHICH and words.at(start + 1) == "month":
        ahead = WHICH[words.at(start)]
        return today.month(today.day.year, today.day.month + ahead), start + 2, 0
    if words.at(start) in MONTHS:
        found = read_date(words, start, today, "in")
        if found and isinstance(found[0], Day):
            return found[0], found[1], 12 if not words.at(found[1] - 1).isdigit() else 0
    return None


def read_weekdays(words: Words, index: int, *, are_plural: bool = False) -> tuple[tuple[int, ...], int] | None:
    """Read "Tuesday and Thursday", "Monday to Friday", "Mon Wed Fri", as sorted numbers. `are_plural`: "Tuesdays"."""
    names = PLURAL_WEEKDAYS if are_plural else WEEKDAYS | PLURAL_WEEKDAYS
    if words.at(index) not in names:
        return None
    numbers, after = [names[words.at(index)]], index + 1
    while True:
        at = after
        is_range = words.at(at) in ("to", "through", "-")
        if words.at(at) in (",", "and", "&", "/", "+") or is_range:
            at += 1
            at = words.skip(words.skip(words.skip(at, "and"), "on"), "every", "each")
        if words.at(at) not in WEEKDAYS | PLURAL_WEEKDAYS:
            return tuple(sorted(set(numbers))), after
        number = (WEEKDAYS | PLURAL_WEEKDAYS)[words.at(at)]
        if is_range:
            numbers += [(numbers[-1] + each) % 7 for each in range((number - numbers[-1]) % 7 + 1)]
        else:
            numbers.append(number)
        after = at + 1


def read_counted_weekday(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "two Fridays from now", "in two Fridays"."""
    number = words.number(index)
    if number is None or words.at(number[1]) not in PLURAL_WEEKDAYS:
        return None
    after = number[1] + 1
    end = after + 2 * words.are(after, "from", "now") + (words.at(after) == "away")
    if end == after and words.at(index - 1) != "in":
        return None
    first = today.weekday(PLURAL_WEEKDAYS[words.at(number[1])])
    return moved(first, 7 * (number[0] - 1)), end, False


def read_next_one(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "the next one" after a weekday: "not this Friday but the next one"."""
    start = words.skip(index, "the")
    after = words.skip(start + 1, "one")
    if words.at(start) != "next" or not words.ends(after):
        return None
    named = [WEEKDAYS[token.text] for token in words.tokens[max(0, index - 4) : index] if token.text in WEEKDAYS]
    return (in_week(today.week(1), named[-1]), after, False) if named else None


def in_week(week: Day, number: int) -> Day:
    return Day(*(week.first + timedelta(days=number),) * 2)


def moved(day: Day, days: int) -> Day:
    return Day(*(day.first + timedelta(days=days),) * 2)


def read_short_timetable(words: Words, index: int) -> tuple[tuple[int, ...], int] | None:
    """Read "Tu/Th" and "MWF" as sorted numbers. "T/F" is true or false."""
    read = words.match(_SHORT_TIMETABLE, index)
    names = _SHORT_NAME.findall(read[0][0]) if read else []
    if read is None or (len(names) < 3 and not all(len(each) > 1 for each in names)):
        return None
    return tuple(sorted(_SHORT_WEEKDAYS[each] for each in names)), read[1]
