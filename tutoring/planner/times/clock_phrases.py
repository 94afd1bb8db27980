"""Times of day in words: "4pm", "half past three", "16:30", "at five", "noon", "in the evening"."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from tutoring.planner.times.durations import read_duration
from tutoring.planner.times.words import NUMBERS, PERIODS, WEEKDAYS, Words

type Half = Literal["", "am", "pm", "24"]

_WITH_MINUTES = re.compile(r"([0-9]{1,2})[:.h]([0-9]{2})(?::[0-9]{2})?(?![0-9:])")
_MILITARY = re.compile(r"([0-9]{2})([0-9]{2})(?![0-9])")
_COMPACT = re.compile(r"([0-9]{1,2})([0-9]{2})(?![0-9])")
_HALF_OF_DAY = re.compile(r"([ap])\.? ?m(?:-?ish)?\b\.?")
LAST_AFTERNOON_HOUR: Final = 6
"""Without am or pm, the hours 1 to 6 are in the afternoon."""
# What may stand after a bare number that is a time: "at 5 and", but not "at 5 euros".
_MAY_FOLLOW: Final = frozenset({
    "and", "or", "onwards", "onward", "on", "to", "with", "for", "in", "the", "i", "my", "we", "our", "please",
    "tomorrow", "today", "this", "next", "every", "each", "until", "till", "but", "so", "then", "because", "at",
    "sharp", "ok", "okay", "works", "if", "is", "that", "when", "from", "by", "not", "o'clock", "before", "after",
    "as", "also", "too", "it", "he", "she", "they", "you", "me", "remind", "add", "daily", "starting", "beginning",
    "ending", "during", "except", "once", "twice", "tuesdays", "tonight", "do", "can", "could", "will", "would",
    "let", "a", "an", "of", "-", ",", ".", "!", "?", ";", ":", "(", ")",
}) | frozenset(WEEKDAYS)  # fmt: skip
_SUM_WORDS: Final = frozenset({"divide", "divided", "multiply", "multiplied", "times", "increase", "increased"}) | {
    "decrease", "decreased", "reduce", "reduced", "grow", "grows", "grew", "rose", "fell", "divisible", "plus", "minus",
    "look", "looking", "looked", "laugh", "stare",
}  # fmt: skip
_NUMBERED: Final = frozenset({"won", "lost"}) | {
    "ratio", "scale", "rate", "essay", "worksheet", "worksheets", "quiz", "page", "pages", "p", "pp", "exercise",
    "exercises", "ex", "number", "numbers", "chapter", "chapters", "ch", "section", "sections", "part", "parts",
    "problem", "problems", "question", "questions", "task", "tasks", "unit", "units", "lesson", "lessons", "grade",
    "version", "versions", "room", "level", "score", "look", "looking", "range", "value", "values", "count",
    "counted",
}  # fmt: skip
_COUNTED: Final = frozenset({
    "people", "children", "men", "women", "more", "different", "percent", "per", "euro", "dollar", "pound",
    "degree", "cent", "km", "m", "cm", "kg", "g", "l", "hundred", "thousand", "million", "times", "other",
    "new", "small", "big", "large", "of", "out",
})  # fmt: skip
_MINUTE_WORDS: Final = {"quarter": 15, "half": 30}


@dataclass(frozen=True, slots=True)
class Clock:
    """An hour and a minute as they were said; `resolved` says which half of the day is meant."""

    hour: int
    """0 to 24; 24 is the midnight at the end of the day."""
    minute: int = 0
    half: Half = ""
    """`24` if the hour is by the 24-hour clock."""

    @property
    def is_possible(self) -> bool:
        if self.minute > 59:
            return False
        if self.half in ("am", "pm"):
            return 1 <= self.hour <= 12
        return self.hour < 24 or (self.hour == 24 and not self.minute)

    def resolved(self, period: str = "") -> tuple[int, int]:
        """Return hours and minutes after the midnight that begins the day; from 24 hours on, it is the next day."""
        return self._hours(period), self.minute

    def _hours(self, period: str) -> int:
        hour = self.hour
        if self.half == "24" or hour > 12:
            return hour
        if self.half == "am":
            return hour % 12
        if self.half == "pm":
            return hour % 12 + 12
        match period:
            case "morning":
                return hour % 12
            case "tonight" | "night" if hour == 12 or hour <= 3:
                # After midnight: the night belongs to the day on which it began.
                return 24 + hour % 12
            case "evening" if hour == 12:
                return 24
            case "evening" | "tonight" | "night" | "afternoon":
                return hour % 12 + 12
            case "lunchtime" | "lunch" if hour < 11:
                return hour + 12
        return hour + 12 if 1 <= hour <= LAST_AFTERNOON_HOUR else hour


@dataclass(frozen=True, slots=True)
class ReadClock:
    clock: Clock
    after: int
    is_bare: bool = False
    """A number that is a time only beside a date or a preposition."""


def read_clock(words: Words, index: int, role: str) -> ReadClock | None:
    """Read a time of day. `role` is what its preposition makes of it: `at`, `from`, `until`, `deadline` or nothing."""
    # "the lesson at 3" is a time, "lesson 3" and "pages from 12 to 30" are not.
    never = _SUM_WORDS if role in ("at", "deadline") else _SUM_WORDS | _NUMBERED
    before = words.before(index, 3)
    if words.number(index) and (words.before(index, 4) if "." in before else before) & never:
        return None
    if (away := read_duration(words, index)) and not away[0].is_of_days and words.at(away[1]) in ("before", "after"):
        return _counted_from(words, away[0].minutes, away[1])
    word = words.at(index)
    if word in ("noon", "midday"):
        return ReadClock(Clock(12, half="24"), index + 1)
    if word == "midnight":
        return ReadClock(Clock(24, half="24"), index + 1)
    if word in ("12", "twelve") and words.at(index + 1) in ("noon", "midnight", "midday"):
        return ReadClock(Clock(24 if words.at(index + 1) == "midnight" else 12, half="24"), index + 2)
    return _past_or_to(words, index, role) or _with_minutes(words, index, role) or _hour(words, index, role)


def _counted_from(words: Words, minutes: int, link: int) -> ReadClock | None:
    """Read "an hour before midnight"."""
    found = read_clock(words, words.skip(link + 1, "at"), "at")
    if (
        found is None
        and (period := read_period(words, words.skip(link + 1, "the")))
        and period[0] in ("lunch", "lunchtime")
    ):
        found = ReadClock(Clock(PERIODS[period[0]], half="24"), period[1])
    if found is None or not found.clock.is_possible:
        return None
    hours, rest = found.clock.resolved()
    total = hours * 60 + rest + (minutes if words.at(link) == "after" else -minutes)
    return ReadClock(Clock(total // 60, total % 60, "24"), found.after) if 0 <= total < 24 * 60 else None


def read_period(words: Words, index: int) -> tuple[str, int] | None:
    """Read a part of the day: "in the evening" without its preposition, "morning", "lunchtime", "tonight"."""
    index = words.skip(index, "early", "late", "mid", "first", "all")
    index = words.skip(index, "-")
    index = words.skip(index, "the")
    index = words.skip(index, "early", "late", "mid")
    word = words.at(index)
    if word in PERIODS and word not in ("noon", "midday"):
        return word, words.skip(index + 1, "time") if word == "lunch" else index + 1
    return ("morning", index + 1) if word == "thing" and words.at(index - 1) == "first" else None


def _past_or_to(words: Words, index: int, role: str) -> ReadClock | None:
    """Read "half past four", "quarter to five", "ten to six", "half four" (as the British say it)."""
    start = words.skip(index, "a")
    if words.at(start) in _MINUTE_WORDS:
        minutes, after, is_named = _MINUTE_WORDS[words.at(start)], words.skip(start + 1, "-"), True
    elif (number := words.number(start)) and number[0] < 60:
        minutes, after = number
        is_named = words.at(after) in ("minutes", "minute")
        after += is_named
    else:
        return None
    link = words.at(after)
    is_after = link == "after" and not words.at(start).isdigit() and not minutes % 5
    if link in ("past", "to") or is_after or (link in ("after", "before", "til") and is_named):
        hour = words.number(after + 1)
        is_range = link == "to" and not is_named and (role in ("from", "until") or words.at(start).isdigit())
        if minutes and not is_range and (named := {"noon": 12, "midday": 12, "midnight": 24}.get(words.at(after + 1))):
            total = (named * 60 + (-minutes if link in ("to", "before") else minutes)) % (24 * 60)
            return ReadClock(Clock(total // 60, total % 60, "24"), after + 2)
        if hour is None or not 1 <= hour[0] <= 12 or not minutes:
            return None
        # "from 10 to 5" is a range, "at ten to five" is not.
        if link == "to" and not is_named and (role in ("from", "until") or minutes % 5 or minutes > 25):
            return None
        half, end = _half_of_day(words, hour[1])
        # "3 to 5pm" and "10 to 5pm": without "at" a range.
        is_spelled = not words.at(start).isdigit() or (words.at(start) in ("20", "25") and not half)
        if link == "to" and not is_named and role not in ("at", "deadline") and not is_spelled:
            return None
        back = link in ("to", "before")
        if back and not half and hour[0] == LAST_AFTERNOON_HOUR + 1:
            # Quarter to seven is 6:45, and the hours up to six are in the afternoon.
            return ReadClock(Clock(6, 60 - minutes), end)
        clock = Clock((hour[0] - 2) % 12 + 1, 60 - minutes, half) if back else Clock(hour[0], minutes, half)
        if back and half and hour[0] == 12:
            clock = Clock(11, 60 - minutes, "am" if half == "pm" else "pm")
        return ReadClock(clock, end)
    hour = words.number(start + 1) if words.at(start) == "half" else None
    if hour and 1 <= hour[0] <= 12 and words.at(hour[1]) in _MAY_FOLLOW | PERIODS.keys() | {"", "am", "pm"}:
        half, end = _half_of_day(words, hour[1])
        return ReadClock(Clock(hour[0], 30, half), end)
    return None


def _with_minutes(words: Words, index: int, role: str) -> ReadClock | None:
    """Read "16:30", "4.30 pm", "at 16.30", "16h30", "four thirty"."""
    if read := words.match(_WITH_MINUTES, index):
        found, after = read
        half, end = _half_of_day(words, after)
        mark = found[0][len(found[1])]
        # "Friday 16.30" is a time, "16.30 euros" is none.
        is_decimal = mark == "." and not half and words.at(end) not in ("h", "hours", "o'clock")
        if is_decimal and (words.at(end) not in _MAY_FOLLOW | {""} or int(found[2]) > 59):
            return None
        if not half and words.at(end) in ("a", "p") and words.is_glued(end):
            # "9:20p"
            half, end = ("am" if words.at(end) == "a" else "pm"), end + 1
        if mark == "." and words.at(end) == "." and words.is_glued(end) and words.at(end + 1).isdigit():
            return None
        if mark == ":" and _is_ratio(words, index, end):
            return None
        end = words.skip(end, "hours", "h", "o'clock")
        is_bare = is_decimal and not role and not (index == 0 and words.at(end) == "")
        return ReadClock(_by_24_hours(found[1], int(found[2]), half), end, is_bare=is_bare)
    if read := words.match(_MILITARY, index):
        found, after = read
        # 1630, but not 2026: a year is no time, unless it follows "at".
        is_after_at = role == "at" and words.at(after) in _MAY_FOLLOW | {""}
        if (
            int(found[1]) < 24
            and int(found[2]) < 60
            and (words.at(after) == "hours" or is_after_at or not 1900 <= int(found[0]) < 2100)
        ):
            is_bare = role not in ("at", "until", "deadline", "from") and words.at(after) != "hours"
            end = words.skip(after, "hours")
            if is_bare and words.at(end) not in _MAY_FOLLOW | {""}:
                return None
            return ReadClock(Clock(int(found[1]), int(found[2]), "24"), end, is_bare=is_bare)
    if read := words.match(_COMPACT, index):
        # "430pm", "at 430"
        found, after = read
        half, end = _half_of_day(words, after)
        is_time = half or (role == "at" and len(found[0]) == 3 and words.at(end) in _MAY_FOLLOW | {""})
        if is_time and 1 <= int(found[1]) <= 12 and int(found[2]) < 60:
            return ReadClock(Clock(int(found[1]), int(found[2]), half), end)
    spoken_hour = words.number(index)
    hour = spoken_hour[0] if spoken_hour and spoken_hour[1] == index + 1 else 0
    if not 1 <= hour <= 12:
        return None
    if words.at(index + 1) in ("oh", "o") and 0 < NUMBERS.get(words.at(index + 2), 0) < 10:
        minute = NUMBERS[words.at(index + 2)], index + 3
    else:
        spoken = words.number(words.skip(index + 1, "-"))
        if spoken is None or words.at(words.skip(index + 1, "-")).isdigit() or not 10 <= spoken[0] < 60:
            return None
        minute = spoken
    half, end = _half_of_day(words, minute[1])
    if not half and (words.at(end) not in _MAY_FOLLOW | PERIODS.keys() | {""}):
        return None
    is_certain = bool(half or role) or (index == 0 and words.at(end) in ("", ".", "!", "?"))
    return ReadClock(Clock(hour, minute[0], half), end, is_bare=not is_certain)


def _is_ratio(words: Words, index: int, end: int) -> bool:
    before = {words.at(index - each) for each in range(1, 5)}
    return bool(before & {"ratio", "scale", "rate", "essay", "worksheet", "quiz", "score", "proportion", "odds"}) or (
        words.at(end) in ("=", ":", "/", "*", "+") or words.at(index - 1) in ("=", ":", "/", "*", "+")
    )


def _by_24_hours(hour: str, minute: int, half: Half) -> Clock:
    # A leading zero is written by the 24-hour clock only.
    is_24 = not half and (hour.startswith("0") or int(hour) > 12)
    if half == "pm" and 12 < int(hour) < 24:
        return (
            Clock(int(hour), minute, "24")
            if minute or (len(hour) == 2 and minute == 0)
            else Clock(int(hour), minute, half)
        )
    return Clock(int(hour), minute, "24" if is_24 else half)


def _hour(words: Words, index: int, role: str) -> ReadClock | None:
    """Read "4pm", "five o'clock", and a bare hour: after a preposition, or `is_bare`."""
    number = words.number(index)
    if number is None or (number[0] > 24 and not words.at(index).isdigit()):
        return None
    hour, after = number
    half, end = _half_of_day(words, after)
    if half and (hour < 100):
        return ReadClock(Clock(hour, 0, half), end)
    if (
        words.at(after) in ("o'clock", "oclock")
        or words.are(after, "o", "clock")
        or words.are(after, "o", "'", "clock")
    ):
        steps = {"o'clock": 1, "oclock": 1}.get(words.at(after), 2 + (words.at(after + 1) == "'"))
        half, end = _half_of_day(words, after + steps)
        return ReadClock(_by_24_hours(str(hour), 0, half), end)
    if words.at(after) == "h" and words.at(index).isdigit() and hour <= 24:
        is_whole = index == 0 and words.at(after + 1) == ""
        is_bare = role not in ("at", "from", "until", "deadline") and not is_whole
        return ReadClock(Clock(hour, 0, "24"), after + 1, is_bare=is_bare)
    if hour == 0 and (words.at(index) == "0" or not words.at(index).isdigit()):
        return None  # "whole numbers start at 0".
    in_the = words.skip(after, "in", "at")
    if in_the > after and read_period(words, in_the) and hour <= 12:
        return ReadClock(Clock(hour), after)
    ish = words.skip(after, "-")
    if words.at(ish) == "ish" and words.is_glued(ish) and hour <= 24:
        return ReadClock(_bare(words.at(index), hour), ish + 1)
    if (follows := words.at(after)) == "sharp" and hour <= 24:
        return ReadClock(_bare(words.at(index), hour), after + 1)
    is_open = not follows or follows in _MAY_FOLLOW or follows in PERIODS or _starts_range(words, after)
    if (
        follows in (".", ",", ":")
        and words.is_glued(after)
        and words.at(after + 1).isdigit()
        and words.is_glued(after + 1)
    ) or (follows == "of" or hour > 31):
        return None
    if role in ("", "from", "for") and _starts_range(words, after) and not _is_range_of_hours(words, after):
        second = words.number(after + 1)
        if second and _is_counted(words.at(second[1])):
            # "5 to 10 problems"
            return None
        return ReadClock(_bare(words.at(index), hour), after, is_bare=True)
    if role == "until" and 24 < hour <= 60 and is_open and words.at(index).isdigit():
        # Beside a date, "from 10 to 25" is a slip that has to be asked about.
        return ReadClock(Clock(hour), after, is_bare=True)
    is_hour = hour <= 24 and (hour >= 1 or words.at(index) in ("0", "00"))
    if not is_open and role == "at" and is_hour and not _is_counted(follows):
        return ReadClock(_bare(words.at(index), hour), after)
    if not is_open:
        # "by 5 euros" and "at 5 percent" are no times: a date beside it has to tell.
        return (
            ReadClock(_bare(words.at(index), hour), after, is_bare=True)
            if role in ("at", "until") and is_hour
            else None
        )
    if role in ("at", "until", "deadline", "from", "after") and is_hour:
        return ReadClock(_bare(words.at(index), hour), after)
    return ReadClock(_bare(words.at(index), hour), after, is_bare=True)


def _is_counted(follows: str) -> bool:
    """Whether this word after a number is what is counted: "at 5 tables", but not "at 5 dentist"."""
    return follows.endswith("s") or not follows.isalpha() or follows in _COUNTED


def _bare(word: str, hour: int) -> Clock:
    return _by_24_hours(word if word.isdigit() else str(hour), 0, "")


def _starts_range(words: Words, after: int) -> bool:
    return words.at(after) in ("-", "to", "until", "through", "and")


def _is_range_of_hours(words: Words, after: int) -> bool:
    """Whether "to 5" may end a range of hours: in "from 3 to 5 apples" it does not."""
    second = words.number(after + 1)
    if second is None or words.at(after) in ("and", "until"):
        return True
    follows = words.at(second[1])
    return (
        follows in _MAY_FOLLOW | PERIODS.keys() | {"", "am", "pm", "a", "p", "o'clock", "past", "for", "h"}
        or follows in NUMBERS
    )


def _half_of_day(words: Words, index: int) -> tuple[Half, int]:
    read = words.match(_HALF_OF_DAY, index)
    if read is None:
        # The full stop of "8 p.m." may be missing, and the last one may end the sentence.
        return "", index
    found, after = read
    # "I am" and "5 am I" are told apart by the number before; "a.m" needs both letters.
    return ("am" if found[1] == "a" else "pm"), after
