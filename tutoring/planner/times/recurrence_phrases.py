"""Recurrence in words: "every Tuesday and Thursday", "every other week", "the last Friday of each month", "weekly"."""

from dataclasses import dataclass, replace
from typing import Final, Literal, Self

from django.utils.translation import gettext as _

from tutoring.planner.times.date_phrases import read_date
from tutoring.planner.times.day_phrases import read_day
from tutoring.planner.times.day_values import DAYS_A_WEEK, Day, Today
from tutoring.planner.times.recurrence_rules import CODES
from tutoring.planner.times.weekday_phrases import read_short_timetable, read_weekdays
from tutoring.planner.times.words import DURATION_UNITS, PERIODS, PLURAL_WEEKDAYS, WEEKDAYS, Words

type Unit = Literal["day", "week", "month", "year"]
WORKDAYS: Final = (0, 1, 2, 3, 4)
WEEKEND: Final = (5, 6)
_FREQUENCIES: Final = {"day": "DAILY", "week": "WEEKLY", "month": "MONTHLY", "year": "YEARLY"}
_ADVERBS: Final[dict[str, tuple[Unit, int]]] = {
    "daily": ("day", 1),
    "everyday": ("day", 1),
    "nightly": ("day", 1),
    "weekly": ("week", 1),
    "fortnightly": ("week", 2),
    "biweekly": ("week", 2),
    "monthly": ("month", 1),
    "yearly": ("year", 1),
    "annually": ("year", 1),
    "quarterly": ("month", 3),
}
_AFTER_EVERYDAY: Final = frozenset({
    "at", "from", "until", "for", "in", "on", "by", "except", "but", "after", "before", "starting",
    "beginning", "this",
})  # fmt: skip
"""Words before which "everyday" is "every day", and not that of "everyday life"."""
_TIMES_A: Final = {"once": 1, "twice": 2, "thrice": 3}
_BEFORE_CLOCKS: Final = frozenset(
    {"at", "by", "until", "to", "-", "around", "about", "before", "after", "past", "and", ":", "in"}
)
MOST_INTERVAL: Final = 999
MANY: Final = 99
"""Stands for "several"."""


@dataclass(frozen=True, slots=True)
class Without:
    """The days on which something that recurs does not take place: "but not on Sundays"."""

    weekdays: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Every:
    unit: Unit
    interval: int = 1
    weekdays: tuple[int, ...] = ()
    ordinals: tuple[int, ...] = ()
    """Which of the weekdays in a month, -1 for the last; empty for all."""
    month_days: tuple[int, ...] = ()
    """Days of the month, -1 for the last."""
    period: str = ""
    """The part of the day of "every morning"."""
    day: Day | None = None
    """The date of "every 3 May"."""
    problem: str = ""
    """Why it cannot be followed, in words for the person."""
    asks_day: bool = False
    count: int = 0
    """How often, if the words say so themselves: "the next three Tuesdays"."""
    is_after_today: bool = False

    def without(self, days: Without) -> Self | None:
        """Return the recurrence on the other days; `None` if it is not one of days, or none is left."""
        if self.unit not in ("day", "week") or self.interval > 1 or not (self.weekdays or self.unit == "day"):
            return None
        left = tuple(each for each in self.weekdays or range(7) if each not in days.weekdays)
        return replace(self, unit="week", weekdays=left) if left else None

    def rule(self) -> str:
        """Return the RRULE without an end."""
        parts = [f"FREQ={_FREQUENCIES[self.unit]}"]
        if self.interval > 1:
            parts.append(f"INTERVAL={self.interval}")
        if self.weekdays:
            which = [str(each) for each in self.ordinals] or [""]
            parts.append("BYDAY=" + ",".join(number + CODES[each] for each in self.weekdays for number in which))
        if self.month_days:
            parts.append("BYMONTHDAY=" + ",".join(map(str, self.month_days)))
        return ";".join(parts)


def read_every(words: Words, index: int, today: Today, role: str) -> tuple[Every, int] | None:
    """Read a recurrence that starts at this token, after its prepositions."""
    for read in (_adverb, _times_a, _of_every_month, _after_every, _next_few):
        if found := read(words, index, today):
            return found
    return _plural(words, index, role)


def _adverb(words: Words, index: int, today: Today) -> tuple[Every, int] | None:
    index_after = index + 1
    word = words.at(index)
    if word == "bi" and words.are(index + 1, "-", "weekly"):
        word, index_after = "biweekly", index + 3
    if word == "every" and words.at(index + 1) == "day" and words.at(index + 2) == "life":
        return None
    if word == "everyday" and words.at(index + 1).isalpha() and words.at(index + 1) not in _AFTER_EVERYDAY:
        return None
    if word not in _ADVERBS:
        return None
    unit, interval = _ADVERBS[word]
    every = Every(unit=unit, interval=interval, period="night" if word == "nightly" else "")
    return _days_after(words, index_after, every)


def _times_a(words: Words, index: int, today: Today) -> tuple[Every, int] | None:
    """Read "once a week", "three times a month"; of more than once, the days have to be asked."""
    is_days = False
    if words.at(index) in _TIMES_A:
        times, after = _TIMES_A[words.at(index)], index + 1
    elif (number := words.number(index)) and words.at(number[1]) in ("times", "x", "days"):
        times, after, is_days = number[0], number[1] + 1, words.at(number[1]) == "days"
    elif words.at(index) in ("several", "few", "many") and words.at(index + 1) == "times":
        times, after = MANY, index + 2
    else:
        return None
    unit: str = _ADVERBS[words.at(after)][0] if words.at(after) in _ADVERBS else ""
    end = after + 1
    if not unit and words.at(after) in ("a", "per", "every", "each"):
        unit, end = words.at(after + 1), after + 2
    if unit == "fortnight" and times == 1:
        return _days_after(words, end, Every(unit="week", interval=2))
    if unit not in _FREQUENCIES or (is_days and unit != "week"):
        return None
    every, end = _days_after(words, end, Every(unit=unit))  # type: ignore[arg-type]
    if is_days and times == DAYS_A_WEEK:
        return replace(every, unit="day"), end
    if times > 1 and times not in (len(every.weekdays), len(every.month_days)):
        problem = _("Which times of day?") if unit == "day" else _("Which days?")
        return replace(every, asks_day=unit != "day", problem=problem), end
    return every, end


def _after_every(words: Words, index: int, today: Today) -> tuple[Every, int] | None:
    if words.at(index) not in ("every", "each"):
        return None
    at = words.skip(index + 1, "single")
    if words.are(at, "and", "every"):
        at = words.skip(at + 2, "single")
    interval, ordinal, after = 1, 0, at
    if (several := _in_month(words, at)) and len(several[0].ordinals) > 1:
        return several[0], _of_the_month(words, several[1])
    if words.at(at) in ("other", "second", "alternate"):
        interval, ordinal, after = 2, 2 * (words.at(at) == "second"), at + 1
    elif words.at(at) == "last":
        ordinal, after = -1, at + 1
    elif read := words.ordinal(at):
        (ordinal, after), interval = read, read[0]
    elif number := words.number(at):
        # "every 3 May" is a date.
        if (dated := read_date(words, at, today, "on")) and isinstance(dated[0], Day):
            return Every(unit="year", day=dated[0]), dated[1]
        interval, after = number
    if words.at(after) in ("few", "couple", "so"):
        unit_at = words.skip(words.skip(after + 1, "of"), "often")
        every = Every(unit="day", problem=_("How often?"), asks_day=True)
        return every, unit_at + (words.at(unit_at) in DURATION_UNITS)
    if not 1 <= interval <= MOST_INTERVAL:
        return None
    return _unit_or_days(words, at, after, interval, ordinal, today)


def _unit_or_days(
    words: Words, at: int, after: int, interval: int, ordinal: int, today: Today
) -> tuple[Every, int] | None:
    word = words.at(after)
    unit = DURATION_UNITS.get(word)
    if word in ("hour", "hours", "minute", "minutes"):
        return Every(unit="day", problem=_("Something can recur once a day, or less often.")), after + 1
    if unit in ("day", "night") and ordinal == -1:
        return Every(unit="month", month_days=(-1,)), _of_the_month(words, after + 1)
    if unit in ("day", "week", "month", "year"):
        return _days_after(words, after + 1, Every(unit=unit, interval=interval))  # type: ignore[arg-type]
    if word == "quarter":
        return _days_after(words, after + 1, Every(unit="month", interval=3 * interval))
    if unit == "fortnight":
        return _days_after(words, after + 1, Every(unit="week", interval=2 * interval))
    if word == "night" or (word in PERIODS and word not in ("lunch", "tonight")):
        return Every(unit="day", interval=interval, period=word), after + 1
    if unit == "weekend":
        return Every(unit="week", interval=interval, weekdays=WEEKEND), after + 1
    if (
        word in ("weekday", "workday", "schoolday")
        or (word == "school" and words.at(after + 1) == "day")
        or (word == "work" and words.at(after + 1) == "day")
    ):
        after += 2 if word in ("school", "work") else 1
        return _with_more_days(words, after, Every(unit="week", interval=interval, weekdays=WORKDAYS))
    if days := read_weekdays(words, after):
        end = _of_the_month(words, days[1])
        if ordinal and (end > days[1] or ordinal in (-1, 1)):
            return Every(unit="month", weekdays=days[0], ordinals=(ordinal,)), end
        return Every(unit="week", interval=interval, weekdays=days[0]), days[1]
    if ordinal > 0 and words.at(at) != "second":
        dated = read_date(words, at, today, "in")
        if dated and isinstance(dated[0], Day) and dated[0].kind == "date":
            return Every(unit="year", day=dated[0]), dated[1]
        if ordinal <= 31:
            return _month_days(words, at)
        return None
    # "every December 1st", "every Christmas"
    dated = read_day(words, after, today, "on")
    if dated and isinstance(dated[0], Day) and dated[0].kind in ("date", "holiday") and not dated[0].has_year:
        return Every(unit="year", day=dated[0]), dated[1]
    return None


def _of_the_month(words: Words, index: int) -> int:
    if (
        words.at(index) in ("of", "in")
        and words.at(index + 1) in ("the", "every", "each")
        and words.at(index + 2) == "month"
    ):
        return index + 3
    return index + 2 if words.are(index, "of", "month") else index


def _of_every_month(words: Words, index: int, today: Today) -> tuple[Every, int] | None:
    """Read "the first Monday of every month", "the 1st and 15th of each month", "the last day of every month"."""
    start = words.skip(index, "the")
    found = _in_month(words, start)
    if found is None:
        return None
    every, after = found
    is_list = len(every.ordinals) > 1 or len(every.month_days) > 1
    if words.at(after - 1) == "month" and (is_list or words.at(after - 2) in ("every", "each")):
        return every, after
    if is_list and (end := _of_the_month(words, after)) > after:
        return every, end
    after = words.skip(after, ",")
    if words.at(after) in ("of", "in") and words.at(after + 1) in ("every", "each"):
        # "the first Saturday of every other month"
        number = words.ordinal(after + 2) or words.number(after + 2)
        interval, end = (2, after + 3) if words.at(after + 2) == "other" else number or (1, after + 2)
        if words.at(end) in ("month", "months") and 1 <= interval <= MOST_INTERVAL:
            return replace(every, interval=interval), end + 1
    if words.at(after) in ("every", "each") and words.at(after + 1) == "month":
        return every, after + 2
    return (every, after + 1) if words.at(after) == "monthly" else None


def _in_month(words: Words, index: int) -> tuple[Every, int] | None:
    """Read what of a month: "first Monday", "last day", "1st and 15th"."""
    if words.at(index) == "last":
        ordinal, after = -1, index + 1
    elif read := words.ordinal(index):
        ordinal, after = read
    else:
        return None
    ordinals, end = [ordinal], after
    while (at := words.skip(words.skip(end, ",", "and", "&"), "the")) > end and (
        more := ((-1, at + 1) if words.at(at) == "last" else words.ordinal(at))
    ):
        ordinals.append(more[0])
        end = more[1]
    if days := read_weekdays(words, end):
        return Every(unit="month", weekdays=days[0], ordinals=tuple(ordinals)), days[1]
    if words.at(after) == "day":
        return Every(unit="month", month_days=(ordinal,)), after + 1
    return None if ordinal == -1 else _month_days(words, index)


def _month_days(words: Words, index: int) -> tuple[Every, int] | None:
    numbers, after = [], index
    while read := words.ordinal(after):
        numbers.append(read[0])
        after = read[1]
        at = words.skip(words.skip(words.skip(after, ",", "and", "&"), "and"), "the")
        if at == after or not words.ordinal(at):
            break
        after = at
    if not numbers or max(numbers) > 31:
        return None
    return Every(unit="month", month_days=tuple(sorted(set(numbers)))), _of_the_month(words, after)


def _days_after(words: Words, after: int, every: Every) -> tuple[Every, int]:
    """Read the days that follow the unit: "every week on Tuesday", "monthly on the 1st"."""
    at = words.skip(words.skip(words.skip(after, ",", "-"), "on"), "a")
    if every.unit == "week" and (days := read_weekdays(words, at)):
        return replace(every, weekdays=days[0]), days[1]
    if every.unit == "month" and at > after and (found := _in_month(words, words.skip(at, "the"))):
        return replace(found[0], interval=every.interval), found[1]
    if every.unit == "day" and words.at(after) in ("from", ",", "on"):
        days = read_weekdays(words, words.skip(after, "from", ",", "on"))
        if days and len(days[0]) > 1:
            return Every(unit="week", weekdays=days[0]), days[1]
    return every, after


def _next_few(words: Words, index: int, today: Today) -> tuple[Every, int] | None:
    """Read "the next three Tuesdays", "five Mondays", "the next five days" if a time of day follows."""
    start = words.skip(index, "the")
    bare = words.number(index) if words.at(index - 1) not in _BEFORE_CLOCKS else None
    at = words.skip(bare[1], "consecutive", "straight", "more") if bare else index
    if bare and 1 < bare[0] <= MOST_INTERVAL and words.at(at) in PLURAL_WEEKDAYS:
        after = at + 1
        after += 3 * words.are(after, "in", "a", "row")
        is_far = words.are(after, "from", "now") or words.at(after) in ("ago", "away")
        return None if is_far else (Every(unit="week", weekdays=(PLURAL_WEEKDAYS[words.at(at)],), count=bare[0]), after)
    number = words.number(start + 1) if words.at(start) in ("next", "following") else None
    if number is None or not 1 < number[0] <= MOST_INTERVAL:
        return None
    count, after = number
    if words.at(after) in PLURAL_WEEKDAYS and (days := read_weekdays(words, after)):
        return Every(unit="week", weekdays=days[0], count=count), days[1]
    if words.at(after) in ("days", "nights", "mornings", "evenings", "afternoons", "weekdays"):
        name = words.at(after)[:-1]
        weekdays = WORKDAYS if name == "weekday" else ()
        unit: Unit = "week" if weekdays else "day"
        period = name if name in PERIODS else ""
        return Every(unit=unit, weekdays=weekdays, period=period, count=count, is_after_today=True), after + 1
    return None


def _every_week(words: Words, index: int) -> int:
    """Return the index after "every week" or "weekly", or the index itself."""
    at = words.skip(words.skip(index, ","), "of")
    if words.at(at) in ("every", "each") and words.at(at + 1) == "week":
        return at + 2
    return at + 1 if words.at(at) == "weekly" else index


def _is_timetable(words: Words, index: int, after: int) -> bool:
    """Whether days are written as in a timetable: "Mon/Wed/Fri", "Mon, Wed, Fri"."""
    tokens = [words.at(each) for each in range(index, after)]
    names = [each for each in tokens if each in WEEKDAYS]
    is_short = all(len(each) <= 5 for each in names)
    return is_short and len(names) > 1 and ("/" in tokens or (len(names) > 2 and "-" not in tokens))


def _with_more_days(words: Words, after: int, every: Every) -> tuple[Every, int]:
    """Read the rest of "weekdays and Saturdays"."""
    at = words.skip(after, "and", "&", "+")
    days = read_weekdays(words, at) if at > after else None
    return (replace(every, weekdays=tuple(sorted({*every.weekdays, *days[0]}))), days[1]) if days else (every, after)


def read_without(words: Words, index: int) -> tuple[Without, int] | None:
    """Read "except Sunday", "but not on weekends", "but Sunday"."""
    if words.at(index) not in ("except", "but", "apart", "excluding", "besides", "not", "no", "never"):
        return None
    at = words.skip(words.skip(words.skip(words.skip(index + 1, "not"), "from", "for"), "on", "at"), "the")
    if words.at(at) in ("weekends", "weekend"):
        return Without(WEEKEND), at + 1
    return (Without(days[0]), days[1]) if (days := read_weekdays(words, at)) else None


def _plural(words: Words, index: int, role: str) -> tuple[Every, int] | None:
    """Read "Tuesdays and Thursdays", "on weekdays", "Saturday mornings", "in the evenings"."""
    if words.at(index) == "hourly":
        return Every(unit="day", problem=_("Something can recur once a day, or less often.")), index + 1
    if words.at(index) == "alternate" and words.at(index + 1) in ("days", "weeks"):
        return Every(unit="day" if words.at(index + 1) == "days" else "week", interval=2), index + 2
    if short := read_short_timetable(words, index):
        return Every(unit="week", weekdays=short[0]), short[1]
    if words.at(index) == "alternate" and (days := read_weekdays(words, index + 1)):
        return Every(unit="week", interval=2, weekdays=days[0]), days[1]
    if days := read_weekdays(words, index, are_plural=True):
        return Every(unit="week", weekdays=days[0]), days[1]
    word = words.at(index)
    if word in ("weekday", "weekend") and (period := words.at(index + 1)).endswith("s") and period[:-1] in PERIODS:
        days_of = WORKDAYS if word == "weekday" else WEEKEND
        return Every(unit="week", weekdays=days_of, period=period[:-1]), index + 2
    if word in ("mornings", "afternoons", "evenings") and words.at(index - 1) in ("", "in", "the", "on", ",", "."):
        return Every(unit="day", period=word[:-1]), index + 1
    if word in ("weekdays", "workdays", "schooldays") or (word == "school" and words.at(index + 1) == "days"):
        return _with_more_days(words, index + (2 if word == "school" else 1), Every(unit="week", weekdays=WORKDAYS))
    if word == "weekends" or (word == "the" and words.at(index + 1) == "weekends"):
        return Every(unit="week", weekdays=WEEKEND), index + (1 if word == "weekends" else 2)
    if word in WEEKDAYS and (days := read_weekdays(words, index)):
        if (end := _every_week(words, days[1])) > days[1] or _is_timetable(words, index, days[1]):
            return Every(unit="week", weekdays=days[0]), end
        if (period := words.at(days[1])).endswith("s") and period[:-1] in PERIODS:
            return Every(unit="week", weekdays=days[0], period=period[:-1]), days[1] + 1
        # "Monday and Tuesdays": what the last one says holds for all.
        if words.at(days[1] - 1) not in WEEKDAYS:
            return Every(unit="week", weekdays=days[0]), days[1]
    if role == "in" and word == "the" and words.at(index + 1) in ("mornings", "afternoons", "evenings"):
        return Every(unit="day", period=words.at(index + 1)[:-1]), index + 2
    return None
