"""Dates in figures: "2026-12-01", "01.12.2026", "12/3"; and fractions, which are none."""

import itertools
import re
from typing import Final

from django.utils.translation import gettext as _

from tutoring.planner.times.day_values import AnyDay, Day, ReadDay, Today, UnclearDay, coming_date
from tutoring.planner.times.words import WEEKDAYS, Words

HOURS_A_DAY: Final = 24
MONTHS_A_YEAR: Final = 12
_ISO = re.compile(r"([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?![0-9])")
_SLASHED = re.compile(r"([0-9]{1,2})(?:/([0-9]{1,2})(?:/([0-9]{4}|[0-9]{2}))?|-([0-9]{1,2})-([0-9]{4}))(?![0-9/])")
_DOTTED_SHORT = re.compile(r"([0-9]{1,2})\.([0-9]{1,2})(?![0-9.])")
_DOTTED = re.compile(r"([0-9]{1,2})\. ?([0-9]{1,2})\.(?: ?([0-9]{4})(?![0-9])|([0-9]{2})(?![0-9]))?")
_OPERATORS: Final = frozenset("+-*/=×÷^<>·%√") | {"of", "plus", "minus", "times", "equals", "over"}
_SUMS: Final = frozenset({
    "simplify", "simplified", "fraction", "fractions", "reduce", "calculate", "compute", "convert", "evaluate",
    "multiply", "divide", "add", "subtract", "is", "equal", "equals", "equivalent", "write", "between",
    "compare", "than", "half", "number", "numbers", "and", "answer", "got", "get", "score", "scored", "much",
    "ate", "eat", "eats", "eaten", "drank", "used", "cut", "sum", "difference", "product",
})  # fmt: skip
_ANSWERS: Final = frozenset({
    "think", "it", "its", "that", "maybe", "because", "say", "said", "my", "a", "be", "was", "the", "so", "or",
    "as", "no", "not", "yes", "guess", "i", "like", "makes", "gives", "means", "then", "has", "have", "you",
    "we", "they", "please", "of", "in", "by", "from", "into", "times", "over",
})  # fmt: skip
DATED: Final = frozenset({
    "test", "exam", "quiz", "due", "appointment", "meeting", "party", "homework", "dentist", "deadline",
    "birthday", "date", "exams", "essay", "presentation", "trip", "concert", "match", "game", "lesson",
    "recital", "competition", "interview", "starts", "begins",
})  # fmt: skip

_BEFORE_DATES: Final = DATED | WEEKDAYS.keys()


def read_figures(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    index = words.skip(index, "the") if role == "on" else index
    if read := words.match(_ISO, index):
        found, after = read
        after = after + 1 if words.at(after) == "t" and words.is_glued(after) else after
        return coming_date(today, int(found[3]), int(found[4]), _year(found[1])), after, False
    if span := _slashed_range(words, index, today):
        return span
    if read := words.match(_DOTTED, index):
        found, after = read
        year = found[3] or found[4]
        # Without a year it may be a decimal at the end of a sentence.
        is_certain = bool(year) or role in ("on", "deadline", "until", "from")
        is_certain = (
            is_certain or (index == 0 and words.at(after) == "") or bool(words.before(index, 3) & _BEFORE_DATES)
        )
        is_before_clock = words.at(after).isdigit() and words.at(after + 1) in (":", "h", "am", "pm", "-")
        if is_certain or is_before_clock or words.at(after) in ("at", "from", "-", "um", "in", ","):
            return coming_date(today, int(found[2]), int(found[1]), _year(year)), after, False
    if read := words.match(_DOTTED_SHORT, index):
        found, after = read
        # No hour is as large as the 24 of "24.12".
        is_day = HOURS_A_DAY <= int(found[1]) <= 31
        is_certain = role in ("on", "until", "from") or (is_day and role == "deadline")
        is_before_time = words.at(after) == "at" and (index == 0 or words.at(index - 1) in _BEFORE_DATES)
        if int(found[2]) <= MONTHS_A_YEAR and (is_certain or is_day or is_before_time):
            return coming_date(today, int(found[2]), int(found[1])), after, not is_certain
    if (read := words.match(_SLASHED, index)) and not _is_sum(words, index, read[1]):
        found, after = read
        first, second = int(found[1]), int(found[2] or found[4])
        year_text = found[3] or found[5]
        is_certain = bool(role in ("on", "deadline", "until", "from") or year_text) or _is_dated(words, index, after)
        return _either_way(today, first, second, _year(year_text)), after, not is_certain
    return None


def _slashed_range(words: Words, index: int, today: Today) -> ReadDay | None:
    """Read "28/12 - 3/1". One of the four numbers is too large for a month, so that it is no sum and has one order."""
    begin = words.match(_SLASHED, index)
    if begin is None or words.at(begin[1]) not in ("-", "to", "until", "through"):
        return None
    end = words.match(_SLASHED, begin[1] + 1)
    if end is None or not (begin[0][2] and end[0][2]) or begin[0][3] or end[0][3]:
        return None
    pairs = [(int(found[1]), int(found[2])) for found in (begin[0], end[0])]
    for orderly in (pairs, [(month, day) for day, month in pairs]):
        is_only = any(day > MONTHS_A_YEAR for day, _month in orderly)
        if is_only and all(day <= 31 and month <= MONTHS_A_YEAR for day, month in orderly):
            first = coming_date(today, orderly[0][1], orderly[0][0])
            if isinstance(first, UnclearDay):
                return first, end[1], False
            last = coming_date(Today(first.first), orderly[1][1], orderly[1][0])
            days = last if isinstance(last, UnclearDay) else Day(first.first, last.last, kind="dates")
            return days, end[1], False
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
    return bool(near & _SUMS) and not near & {"on", "due"} | (near & DATED)


def _is_dated(words: Words, index: int, after: int) -> bool:
    """Whether figures with a slash are a date without a preposition. In a lesson, "I think 12/15" is an answer."""
    near = {words.at(index - each) for each in range(1, 4)}
    is_whole_text = index == 0 and words.at(words.skip(after, ".", "!", "?")) == ""
    follows = [words.at(each) for each in range(after, after + 5)]
    is_named = follows[0] == "is" and any(
        each in DATED and following in ("", ".", "!", "?", ",") for each, following in itertools.pairwise(follows)
    )
    if is_named or near & DATED or words.at(index).startswith("0") or is_whole_text:
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
