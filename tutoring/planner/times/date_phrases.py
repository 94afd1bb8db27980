"""Dates of the calendar in words and figures: "1 December", "Dec 1st, 2026", "2026-12-01", "12/3", "the 5th"."""

from typing import Final

from django.utils.translation import gettext as _

from tutoring.planner.times.date_figures import DATED, read_figures
from tutoring.planner.times.day_values import AnyDay, Day, ReadDay, Today, UnclearDay, coming_date, coming_month_day
from tutoring.planner.times.words import MONTHS, WEEKDAYS, Words

FIRST_YEAR: Final = 1900
LAST_YEAR: Final = 2199
LAST_HOUR: Final = 24
LAST_EXERCISE: Final = 12
"""Larger ordinals are rather days."""
_NUMBERED: Final = frozenset({
    "floor", "page", "grade", "exercise", "question", "step", "line", "row", "try", "attempt", "place", "day",
    "time", "period", "hour", "lesson", "week", "month", "year", "chapter", "problem", "task", "term", "half",
    "anniversary", "century", "one", "of", "most", "best", "and/or", "part",
})  # fmt: skip
_COUNTED: Final = frozenset({
    "did", "do", "done", "finished", "solved", "try", "tried", "attempt", "exercise", "question", "problem",
    "task", "page", "answer", "step", "line", "row", "first", "and",
})  # fmt: skip
_LINKS: Final = ("to", "-", "until", "through", "and", "&", "till")
# What may follow "the 5th" if it is a day: "the 5th floor" is none.
_AFTER_MONTH_DAY: Final = frozenset({
    "at", "from", "in", "on", "to", "until", "through", "by", "and", "or", "for", "i", "we", "my", "the",
    "please", ",", ".", "!", "?", ";", ")", "-", "every", "each", "remind", "is", "it", "noon", "midnight",
    "he", "she", "they", "of", "as", "about", "around", "before", "after", "between", "this", "next",
    "morning", "afternoon", "evening", "with", "so",
})  # fmt: skip


def read_date(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read a date of the calendar; `role` is empty if no preposition stands before it."""
    return (
        read_figures(words, index, today, role)
        or _day_and_month(words, index, today, role)
        or _month_and_day(words, index, today)
        or _month(words, index, today, role)
        or _month_day(words, index, today, role)
    )


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
    # In "16 Mar 26" the number is too large for an hour.
    is_short = word.isdigit() and len(word) == 2 and int(word) > LAST_HOUR and comma == index
    if is_short and words.at(comma + 1) in ("", ",", ".", "!", "?", "at", "from"):
        return 2000 + int(word), comma + 1
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


def _day_and_month(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "1 December", "the 1st of December 2026", "1-5 December", "the 1st to the 5th of May"."""
    index = words.skip(index, "the")
    number = _day_number(words, index)
    if number is None:
        return None
    first, after = number
    last = first
    is_open = words.at(after) in ("or", "/")
    if (is_open or words.at(after) in _LINKS) and (second := _day_number(words, words.skip(after + 1, "the"))):
        last, after = second
    is_ordinal = words.at(after - 1) in ("st", "nd", "rd", "th")
    after = words.skip(after, ".", *([","] if is_ordinal else []))
    after = words.skip(words.skip(after, "of"), "-", "/")
    month = MONTHS.get(words.at(after))
    if month is None:
        return None
    year, after = _read_year(words, words.skip(after + 1, ".") if len(words.at(after)) <= 4 else after + 1)
    if is_open:
        return _one_of(today, month, first, last, year), after, False
    if last < first and role == "at":
        # "at 6 until 2 April"
        return None
    if last < first:
        return UnclearDay("date", _("It would end before it begins.")), after, False
    return _days(today, month, first, last, year), after, False


def _month_and_day(words: Words, index: int, today: Today) -> ReadDay | None:
    """Read "December 1", "Dec. 1st, 2026", "December 1-5"."""
    month = MONTHS.get(words.at(index))
    if month is None:
        return None
    number = _day_number(words, words.skip(words.skip(index + 1, ".", "-", ","), "the"))
    if number is None or (words.at(index + 1) == "," and not words.ends(number[1])):
        return None
    first, after = number
    if words.at(after) in (":", "am", "pm", "times", "km", "%"):
        return None
    last = first
    is_open = words.at(after) in ("or", "/")
    is_linked = is_open or words.at(after) in ("-", "to", "through")
    second = _day_number(words, words.skip(after + 1, "the")) if is_linked else None
    if words.at(after) == "/" and (second is None or words.at(second[1]) == "/" or second[0] <= first):
        return None
    if second and first < second[0] and words.at(second[1]) not in (":", "am", "pm"):
        last, after = second
    year, after = _read_year(words, after)
    if is_open and last > first:
        return _one_of(today, month, first, last, year), after, False
    return _days(today, month, first, last, year), after, False


def _one_of(today: Today, month: int, first: int, last: int, year: int | None) -> AnyDay:
    """Return the question which of two days is meant: "14 or 15 March"."""
    days = [coming_date(today, month, each, year) for each in (first, last)]
    unclear = next((each for each in days if isinstance(each, UnclearDay)), None)
    choices = tuple(each.first for each in days if isinstance(each, Day))
    return unclear or UnclearDay("which", _("More than one day is possible."), choices)


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
    if which in ("next", "this") and (dated := _month_and_day(words, index + 1, today)):
        return dated
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
    whole = today.month(year, month)
    last = MONTHS.get(words.at(after + 1), 0)
    if role == "in" and words.at(after) in ("and", "&") and last == month % 12 + 1:
        # "in May and June"
        return Day(whole.first, today.month(year, month + 1).last, kind="range"), after + 2, False
    return whole, after, False


def _month_day(words: Words, index: int, today: Today, role: str) -> ReadDay | None:
    """Read "the 5th" and, after "on", "the fifth": the day of the month to come."""
    start = words.skip(index, "the")
    ordinal = words.ordinal(start)
    if ordinal is None and start > index and role in ("on", "deadline", "until", "from") and words.at(start).isdigit():
        # "on the 24. at 3"
        is_dotted = words.at(start + 1) == "." and words.is_glued(start + 1) and len(words.at(start)) <= 2
        ordinal = (int(words.at(start)), start + 2) if is_dotted else None
    if ordinal is None:
        return None
    number, after = ordinal
    if words.at(after) == "of" and words.at(after + 2) == "month" and words.at(after + 1) in ("the", "this", "next"):
        if words.at(after + 1) == "the":
            return coming_month_day(today, number), after + 3, False
        month = today.month(today.day.year, today.day.month + (words.at(after + 1) == "next"))
        return coming_date(today, month.first.month, number, month.first.year), after + 3, False
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
        and follows not in _AFTER_MONTH_DAY | {"works", "would", "suits", "ok"}
        and not (follows.isdigit() and words.at(after + 1) in ("am", "pm", ":"))
        and (is_word or not is_certain or start == index or follows in _NUMBERED)
    ):
        return None
    if follows == "of" and words.at(after + 1) not in ("next", "this", "every", "each", "the", "last"):
        return None
    # "The dentist is the 24th", but not "I did the 2nd".
    near = {words.at(start - each) for each in range(2, 6)}
    is_before_clock = follows.isdigit() and words.at(after + 1) in ("am", "pm", ":")
    is_end = words.at(words.skip(after, ".", "!", "?")) == "" or follows in ("at", "from", "in") or is_before_clock
    is_dated = bool(words.before(index, 3) & DATED)
    # "The 21st is the fair", while "the 5th is wrong" may be about an exercise.
    is_end = is_end or (number > LAST_EXERCISE and start > index and follows in ("is", "works", "would", "suits", "ok"))
    is_alone = is_end and (start > index or index == 0 or is_dated) and not near & _COUNTED
    is_listed = start > index and not is_word and not near & _COUNTED and _lists_another_day(words, after)
    return coming_month_day(today, number), after, not (is_certain or is_alone or is_listed)


def _lists_another_day(words: Words, index: int) -> bool:
    """Whether "and the 5th" follows, and then nothing that is counted."""
    second = words.ordinal(index + 2) if words.at(index) in ("and", "or") and words.at(index + 1) == "the" else None
    return second is not None and words.at(index + 2).isdigit() and words.at(second[1]) in _AFTER_MONTH_DAY | {""}
