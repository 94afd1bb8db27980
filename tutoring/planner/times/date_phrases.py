"""Dates of the calendar in words and figures: "1 December", "Dec 1st, 2026", "2026-12-01", "12/3", "the 5th"."""

import re
from datetime import date, timedelta
from typing import Final

from django.utils.translation import gettext as _

from tutoring.planner.times.day_values import AnyDay, Day, Today, UnclearDay, days_of_month
from tutoring.planner.times.words import MONTHS, WEEKDAYS, Words

type ReadDay = tuple[AnyDay, int, bool]
"""A day, the index after it, and whether it is one only beside something else that tells of a time."""

FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2199
_ISO = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?![0-9])")
_SLASHED = re.compile(r"([0-9]{1,2})(?:/([0-9]{1,2})(?:/([0-9]{4}|[0-9]{2}))?|-([0-9]{1,2})-([0-9]{4}))(?![0-9/])")
_DOTTED_SHORT = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})(?![0-9.])")
_DOTTED = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})\.(?: ?([0-9]{4})(?![0-9])|([0-9]{2})(?![0-9]))?")
_OPERATORS: Final = frozenset("+-*/=×÷^<>·%√") | {"of", "plus", "minus", "times", "equals", "over"}
_SUMS: Final = frozenset(
    [
        "simplify",
        "simplified",
        "fraction",
        "fractions",
        "reduce",
        "calculate",
        "compute",
        "convert",
        "evaluate",
        "multiply",
        "divide",
        "add",
        "subtract",
        "is",
        "equal",
        "equals",
        "equivalent",
        "write",
        "between",
        "compare",
        "than",
        "half",
        "number",
        "numbers",
        "and",
        "answer",
        "got",
        "get",
        "score",
        "scored",
        "much",
        "ate",
        "eat",
        "eats",
        "eaten",
        "drank",
        "used",
        "cut",
        "sum",
        "difference",
        "product",
    ]
)
_ANSWERS: Final = frozenset(
    [
        "think",
        "it",
        "its",
        "that",
        "maybe",
        "because",
        "say",
        "said",
        "my",
        "a",
        "be",
        "was",
        "the",
        "so",
        "or",
        "as",
        "no",
        "not",
        "yes",
        "guess",
        "i",
        "like",
        "makes",
        "gives",
        "means",
        "then",
        "has",
        "have",
        "you",
        "we",
        "they",
        "please",
        "of",
        "in",
        "by",
        "from",
        "into",
        "times",
        "over",
    ]
)
_DATED: Final = frozenset(
    [
        "test",
        "exam",
        "quiz",
        "due",
        "appointment",
        "meeting",
        "party",
        "homework",
        "dentist",
        "deadline",
        "birthday",
        "date",
        "exams",
        "essay",
        "presentation",
        "trip",
        "concert",
        "match",
        "game",
        "lesson",
        "recital",
        "competition",
        "interview",
        "starts",
        "begins",
    ]
)
_NUMBERED: Final = frozenset(
    [
        "floor",
        "page",
        "grade",
        "exercise",
        "question",
        "step",
        "line",
        "row",
        "try",
        "attempt",
        "place",
        "day",
        "time",
        "period",
        "hour",
        "lesson",
        "week",
        "month",
        "year",
        "chapter",
        "problem",
        "task",
        "term",
        "half",
        "anniversary",
        "century",
        "one",
        "of",
        "most",
        "best",
        "and/or",
        "part",
    ]
)
_COUNTED: Final = frozenset(
    [
        "did",
        "do",
        "done",
        "finished",
        "solved",
        "try",
        "tried",
        "attempt",
        "exercise",
        "question",
        "problem",
        "task",
        "page",
        "answer",
        "step",
        "line",
        "row",
        "first",
        "and",
    ]
)
_LINKS: Final = ("to", "-", "until", "through", "and", "till")
# What may follow "the 5th" if it is a day: "the 5th floor" is none.
_AFTER_MONTH_DAY: Final = frozenset(
    [
        "at",
        "from",
        "in",
        "on",
        "to",
        "until",
        "through",
        "by",
        "and",
        "or",
        "for",
        "i",
        "we",
        "my",
        "the",
        "please",
        ",",
        ".",
        "!",
        "?",
        ";",
        ")",
        "-",
        "every",
        "each",
        "remind",
        "is",
        "it",
        "noon",
        "midnight",
        "we",
        "he",
        "she",
        "they",
        "of",
        "as",
        "about",
        "around",
        "before",
        "after",
        "between",
        "this",
        "next",
        "morning",
        "afternoon",
        "evening",
        "with",
        "so",
    ]
)


def read_date(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read a date of the calendar; `role` is empty if no preposition stands before it."""
    return (
        _figures(words, index, today, role)
        or _day_and_month(words, index, today)
        or _month_and_day(words, index, today)
        or _month(words, index, today, role)
        or _month_day(words, index, today, role)
    )


def coming_date(today: Today, month: int, day: int, year: int | None = None) -> AnyDay:
    """Return the next such date to come (the last one that was, if the text looks back), or why there is none."""
    if not 1 <= month <= 12:
        return UnclearDay("date", _("There is no month %(month)d.") % {"month": month})
    # 2028 is a leap year: without a year, 29 February is possible.
    if not 1 <= day <= days_of_month(year or 2028, month):
        name = _month_name(month)
        words = {"day": day, "month": name, "year": year or ""}
        if year and day == 29 and month == 2:
            return UnclearDay("date", _("There is no 29 February in %(year)d.") % words)
        return UnclearDay("date", _("There is no %(day)d %(month)s.") % words)
    if year is not None:
        return Day(*(date(year, month, day),) * 2)
    step = -1 if today.is_past else 1
    year = today.day.year
    while True:
        if day <= days_of_month(year, month):
            found = date(year, month, day)
            if (found <= today.day) if today.is_past else (found >= today.day):
                return Day(found, found, has_year=False)
        year += step


def _month_name(month: int) -> str:
    from django.utils.dates import MONTHS as NAMES

    return str(NAMES[month])


def _figures(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    if read := words.match(_ISO, index):
        found, after = read
        after = after + 1 if words.at(after) == "t" and words.is_glued(after) else after
        return coming_date(today, int(found[3]), int(found[4]), _year(found[1])), after, False
    if read := words.match(_DOTTED, index):
        found, after = read
        year = found[3] or found[4]
        # Without a year it may be a decimal at the end of a sentence.
        is_certain = bool(year) or role in ("on", "deadline", "until", "from")
        is_certain = is_certain or (index == 0 and words.at(after) == "")
        if is_certain or words.at(after) in ("at", "from", "-", "um", "in", ","):
            return coming_date(today, int(found[2]), int(found[1]), _year(year)), after, not is_certain
    if role in ("on", "until", "from") and (read := words.match(_DOTTED_SHORT, index)):
        found, after = read
        if int(found[2]) <= 12:
            return coming_date(today, int(found[2]), int(found[1])), after, False
    if (read := words.match(_SLASHED, index)) and not _is_sum(words, index, read[1]):
        found, after = read
        first, second = int(found[1]), int(found[2] or found[4])
        year_text = found[3] or found[5]
        is_certain = bool(role in ("on", "deadline", "until", "from") or year_text) or _is_dated(words, index, after)
        return _either_way(today, first, second, _year(year_text)), after, not is_certain
    return None


def _is_sum(words: Words, index: int, after: int) -> bool:
    """Whether figures with a slash are a fraction: "3/8 of a pizza", "1/2 + 1/3"."""
    before = words.at(index - 1)
    if (
        before in _OPERATORS
        or words.at(after) in _OPERATORS - {"-"}
        or words.at(after) in ("cup", "cups", "hour", "as")
    ):
        return True
    if words.at(after) == "-" and words.at(after + 1).isdigit():
        return True
    near = {words.at(index - each) for each in range(1, 4)}
    return bool(near & _SUMS) and not near & {"on", "due"} | (near & _DATED)


def _is_dated(words: Words, index: int, after: int) -> bool:
    """Whether figures with a slash are a date without a preposition. In a lesson, "I think 12/15" is an answer."""
    near = {words.at(index - each) for each in range(1, 4)}
    is_whole_text = index == 0 and words.at(words.skip(after, ".", "!", "?")) == ""
    if near & _DATED or words.at(index).startswith("0") or is_whole_text:
        return True
    # "24/12 skating", "7/12: cinema" and "cinema 7/12": no talk of an answer stands beside it.
    is_beyond = any(words.at(at).isdigit() and 12 < int(words.at(at)) <= 31 for at in (index, index + 2))
    is_last = words.at(words.skip(after, ".", "!", "?", ")")) == ""
    following = words.skip(after, ":", ",", "-")
    if index == 0 and (is_beyond or following > after):
        beside = words.at(following)
    else:
        beside = words.at(_before(words, index)) if is_last else ""
    return beside.isalpha() and beside not in _SUMS | _ANSWERS


def _before(words: Words, index: int) -> int:
    """Return the index of the token before, beyond a comma, a colon or a bracket."""
    return index - 2 if words.at(index - 1) in (",", ":", "(", "-") else index - 1


def _either_way(today: Today, first: int, second: int, year: int | None) -> AnyDay:
    """Return the reading of "12/3", day first or month first; both if both are possible."""
    readings = [coming_date(today, second, first, year), coming_date(today, first, second, year)]
    possible = [each for each in readings if isinstance(each, Day)]
    days = tuple(dict.fromkeys(each.first for each in possible))
    if not days:
        return UnclearDay("date", _("There is no such date as %(date)s.") % {"date": f"{first}/{second}"})
    return Day(days[0], days[0], has_year=year is not None, choices=days if len(days) > 1 else ())


def _year(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) if len(text) == 4 else 2000 + int(text)


def _read_year(words: Words, index: int) -> tuple[int | None, int]:
    if (
        words.at(index) == "'"
        and words.is_glued(index + 1)
        and words.at(index + 1).isdigit()
        and len(words.at(index + 1)) == 2
    ):
        return 2000 + int(words.at(index + 1)), index + 2
    comma = words.skip(index, ",", "of", "-", "/")
    word = words.at(comma)
    if word.isdigit() and len(word) == 4 and FIRST_YEAR <= int(word) <= LAST_YEAR and words.at(comma + 1) != ":":
        return int(word), comma + 1
    return None, index


def _day_number(words: Words, index: int) -> tuple[int, int] | None:
    if ordinal := words.ordinal(index):
        return ordinal
    word = words.at(index)
    if word.isdigit():
        return (int(word), index + 1) if len(word) <= 2 else None
    # "Five December", but not "may one".
    number = words.number(index)
    is_beside_month = number and (
        words.at(number[1]) in MONTHS or words.at(index - 1) in MONTHS.keys() - {"may", "march"}
    )
    return number if is_beside_month else None


def _day_and_month(words: Words, index: int, today: Today) -> ReadDay | None:
    """Read "1 December", "the 1st of December 2026", "1-5 December", "the 1st to the 5th of May"."""
    index = words.skip(index, "the")
    number = _day_number(words, index)
    if number is None:
        return None
    first, after = number
    last = first
    if words.at(after) in _LINKS and (second := _day_number(words, words.skip(after + 1, "the"))):
        last, after = second
    after = words.skip(words.skip(after, "of"), "-", ".", "/")
    month = MONTHS.get(words.at(after))
    if month is None:
        return None
    year, after = _read_year(words, words.skip(after + 1, ".") if len(words.at(after)) <= 4 else after + 1)
    if last < first:
        return UnclearDay("date", _("It would end before it begins.")), after, False
    return _days(today, month, first, last, year), after, False


def _month_and_day(words: Words, index: int, today: Today) -> ReadDay | None:
    """Read "December 1", "Dec. 1st, 2026", "December 1-5"."""
    month = MONTHS.get(words.at(index))
    if month is None:
        return None
    number = _day_number(words, words.skip(words.skip(index + 1, ".", "-"), "the"))
    if number is None:
        return None
    first, after = number
    if words.at(after) == ":" or words.at(after) in ("am", "pm", "times", "km", "%") or (words.at(after) == "/"):
        return None
    last = first
    second = _day_number(words, words.skip(after + 1, "the")) if words.at(after) in ("-", "to", "through") else None
    if second and first < second[0] and words.at(second[1]) not in (":", "am", "pm"):
        last, after = second
    year, after = _read_year(words, after)
    return _days(today, month, first, last, year), after, False


def _days(today: Today, month: int, first: int, last: int, year: int | None) -> AnyDay:
    start = coming_date(today, month, first, year)
    if first == last or isinstance(start, UnclearDay):
        return start
    end = coming_date(today, month, last, start.first.year)
    return end if isinstance(end, UnclearDay) else Day(start.first, end.last, kind="dates")


def _month(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "December" after a preposition, "next May", "December 2027"."""
    which = words.at(index) if words.at(index) in ("next", "this", "last") else ""
    month = MONTHS.get(words.at(index + bool(which)))
    if month is None or len(words.at(index + bool(which))) < 3:
        return None
    year, after = _read_year(words, index + bool(which) + 1)
    if not (which or year or role in ("in", "until", "deadline", "from") or words.at(index - 2) in WEEKDAYS):
        return None
    this_year = today.day.year
    if year is None:
        is_over = month < today.day.month
        year = this_year + (is_over if which != "last" else -(month >= today.day.month))
        if which == "next" and month == today.day.month:
            year += 1
        if today.is_past and which != "next" and month > today.day.month:
            year -= 1
    return today.month(year, month), after, False


def _month_day(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "the 5th" and, after "on", "the fifth": the day of the month to come."""
    start = words.skip(index, "the")
    ordinal = words.ordinal(start)
    if ordinal is None:
        return None
    number, after = ordinal
    is_word = not words.at(start).isdigit()
    # "The third" may be of anything, "the twelfth" is rather a day.
    is_day = number > 3 and words.at(words.skip(after, ".", "!", "?")) in ("", "at")
    if (
        is_word
        and not (is_day and start > index)
        and not (role in ("on", "deadline", "until", "from") and start > index)
    ):
        return None
    follows = words.at(after)
    is_certain = role in ("on", "deadline", "until", "from")
    if (
        follows
        and follows not in _AFTER_MONTH_DAY
        and (is_word or not is_certain or start == index or follows in _NUMBERED)
    ):
        return None
    if follows == "of" and words.at(after + 1) not in ("next", "this", "every", "each", "the", "last"):
        return None
    # "The dentist is the 24th", but not "I did the 2nd".
    near = {words.at(start - each) for each in range(2, 6)}
    is_end = words.at(words.skip(after, ".", "!", "?")) == "" or follows in ("at", "from", "in")
    is_alone = is_end and (start > index or index == 0) and not near & _COUNTED
    return coming_month_day(today, number), after, not (is_certain or is_alone)


def coming_month_day(today: Today, number: int) -> AnyDay:
    """Return the next day to come with this number in its month."""
    if not 1 <= number <= 31:
        return UnclearDay("date", _("There is no day %(day)d of a month.") % {"day": number})
    year, month = today.day.year, today.day.month
    while True:
        whole = today.month(year, month)
        if number <= whole.last.day:
            found = whole.first + timedelta(days=number - 1)
            if (found <= today.day) if today.is_past else (found >= today.day):
                return Day(found, found, kind="month day", number=number, has_year=False)
        month += -1 if today.is_past else 1


def weekday_of(words: Words, index: int) -> int | None:
    return WEEKDAYS.get(words.at(index))
