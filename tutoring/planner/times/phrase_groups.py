"""Items of one time phrase put together: "on Tuesday" with "at five", wherever in the sentence they stand."""

import itertools
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Final

from django.utils.translation import gettext as _

from tutoring.planner.times.clock_phrases import Clock
from tutoring.planner.times.day_values import AnyDay, Day, Today, UnclearDay, coming_date
from tutoring.planner.times.durations import Duration
from tutoring.planner.times.phrase_items import GLUE, LIST_WORDS, Count, Item, Part, gap
from tutoring.planner.times.recurrence_phrases import Every, Without
from tutoring.planner.times.words import Words

SHORTEST_YEAR: Final = 364
MOST_WORDS_BETWEEN: Final = 10
"""Between a date and its time of day in one sentence."""
_CORRECTING: Final = frozenset({"no", "sorry", "wait", "mean", "meant", "oops", "actually", "rather"})
_BESIDE_CORRECTIONS: Final = frozenset(
    {",", ".", "?", "!", "-", "i", "oh", "or", "but", "let's", "say", "make", "it", "that"}
)
_REFUSALS: Final = frozenset(
    {
        ("doesn't", "work"),
        ("won't", "work"),
        ("not", "possible"),
        ("isn't", "possible"),
        ("is", "bad"),
        ("is", "impossible"),
    }
)
_ENDS: Final = frozenset({".", "!", "?", "but", "then", "or"})


@dataclass(slots=True)
class Group:
    """The items of one phrase, by what they say."""

    items: list[Item] = field(default_factory=list)
    day: AnyDay | None = None
    until_day: AnyDay | None = None
    until_link: str = ""
    """The word before `until_day`, if it joins the two: "to", "until"."""
    day_starts: bool = False
    """Whether the day is where a recurrence starts: "from Monday"."""
    clock: Clock | None = None
    until_clock: Clock | None = None
    is_each_day: bool = False
    """Whether the times are those of each day of a range: "Mon-Fri 9-5"."""
    until_clock_is_shared: bool = False
    """Whether the only time of day stands after a range of days."""
    part: Part | None = None
    until_part: Part | None = None
    every: Every | None = None
    instant: datetime | None = None
    length: Duration | None = None
    """Of an event, on the clock."""
    lasting: Duration | Count | None = None
    """Of a recurrence, or of whole days."""
    is_deadline: bool = False
    list_word: str = ""
    """What joins it to the group before: "and", "or"."""

    @property
    def has_day(self) -> bool:
        is_dated_part = self.part is not None and (self.part.is_today or self.part.is_yesterday)
        return bool(self.day or self.every or self.instant or is_dated_part)

    @property
    def has_time(self) -> bool:
        return bool(self.clock or self.part or self.instant)

    @property
    def _starts_with_part(self) -> bool:
        """Whether a part of the day is where it starts: "from lunchtime to two"."""
        return any(isinstance(each.value, Part) and each.role == "from" for each in self.items)

    def add(self, item: Item) -> bool:
        """Take the item in, if the phrase has room for it."""
        if not self._set(item):
            return False
        self.items.append(item)
        self.is_deadline = self.is_deadline or item.role == "deadline"
        return True

    def _set(self, item: Item) -> bool:
        value = item.value
        if self.instant and not isinstance(value, Duration) and item.role != "until":
            return False
        match value:
            case Day() | UnclearDay():
                return self._set_day(value, item)
            case Clock():
                return self._set_clock(value, item)
            case Part() if self.part and self.part.name == value.name:
                # "first thing in the morning"
                pass
            case Part() if self.until_day and not self.until_part and not self.until_clock and not self.every:
                self.until_part = value
            case Part() if self.part is None:
                self.part = value
            case Part() if item.role == "until" and self.part and self.until_part is None:
                self.until_part = value
            case Every() if self.every is None:
                self.every = value
                if self.day and any(each.value is self.day and each.role == "until" for each in self.items):
                    # "until Easter every evening"
                    self.day, self.until_day, self.is_deadline = None, self.day, False
            case Every() if merged := _merged_rules(self.every, value):
                self.every = merged
            case Without() if self.every and (left := self.every.without(value)):
                self.every = left
            case datetime() if self.every:
                # "every Friday from now until Christmas"
                pass
            case datetime() if not self.items:
                self.instant = value
            case Duration() if not value.is_of_days and self.length is None:
                self.length = value
            case Duration() | Count() if self.lasting is None and not (isinstance(value, Duration) and value.minutes):
                self.lasting = value
            case _:
                return False
        return True

    def _set_clock(self, clock: Clock, item: Item) -> bool:
        if item.role == "until" and self.until_clock_is_shared and self.until_clock and not self.is_each_day:
            self.clock, self.until_clock = self.until_clock, clock
            self.is_each_day, self.until_clock_is_shared = True, False
        elif (
            item.role == "until"
            and (self.clock or self.until_day or self.instant or self._starts_with_part)
            and self.until_clock is None
        ):
            self.until_clock = clock
        elif self.until_day and self.clock is None and self.until_clock is None and not self.every:
            # "Monday to Friday at seven" is about each day, "from Friday to Sunday at five" about the whole.
            self.until_clock, self.until_clock_is_shared = clock, True
        elif self.clock is None:
            self.clock = clock
            self.is_deadline = self.is_deadline or item.role == "until"
        elif self.until_day and self.until_clock is None:
            self.until_clock = clock
        else:
            return False
        return True

    def _set_day(self, day: AnyDay, item: Item) -> bool:
        if (item.role == "until" and (self.day or self.every or self.instant) and self.until_day is None) or (
            item.role == "until" and self.clock and self.day is None and self.until_day is None
        ):
            self.until_day, self.until_link = day, item.link
        elif (
            (self.day and self.until_clock and self.until_day is None)
            and item.role == "on"
            and self.items[-1].role == "until"
            and self.items[-1].after == item.first
        ):
            # "from 3pm on Friday to 5pm on Saturday"
            self.until_day = day
        elif self.until_day is not None and (merged := merged_days(self.until_day, day)):
            self.until_day = merged
            if isinstance(day, Day) and day.is_range and self.day and (first := merged_days(self.day, day)):
                # "from Monday to Wednesday next week"
                self.day = first
        elif self.day is None:
            self.day = day
            self.day_starts = item.role == "from"
            self.is_deadline = self.is_deadline or (item.role == "until" and self.every is None)
            if item.role in ("until", "deadline") and self.every:
                self.day, self.until_day = None, day
        elif merged := merged_days(self.day, day):
            self.day = merged
        else:
            return False
        return True


def _merged_rules(first: Every | None, second: Every) -> Every | None:
    """Return "Tuesdays, every other week" as one rule."""
    if first is None or first.unit != "week" or second.unit != "week":
        return None
    named, plain = (first, second) if first.weekdays else (second, first)
    if plain.weekdays or named.interval > 1:
        return None
    return replace(named, interval=plain.interval)


def merged_days(first: AnyDay, second: AnyDay) -> AnyDay | None:
    """Return the day that two names of it mean: "Tuesday, 1 December", "Friday next week", "the 5th of next month"."""
    if isinstance(first, UnclearDay):
        return None if isinstance(second, UnclearDay) else _unclear_beside(first, second)
    if isinstance(second, UnclearDay):
        return _unclear_beside(second, first)
    if second.kind == "weekday" or (second.kind == "month day" and first.is_range):
        first, second = second, first
    if first.kind == "weekday" and second.is_range:
        ahead = (first.number - second.first.weekday()) % 7
        day = second.first + timedelta(days=ahead)
        return Day(day, day) if day <= second.last else None
    if first.kind == "weekday" and not second.is_range and second.kind != "weekday":
        return _checked(first, second)
    if first.kind == "month day" and second.is_range:
        if second.kind != "range":
            return None
        day = second.first + timedelta(days=first.number - 1)
        is_in = second.first.day == 1 and day <= second.last
        return Day(day, day) if is_in else UnclearDay("date", _("That month has no such day."))
    if first.first == second.first and first.last == second.last:
        return second
    date, year = (second, first) if first.is_range else (first, second)
    is_year = not date.is_range and (year.last - year.first).days >= SHORTEST_YEAR
    if is_year and not date.has_year and not date.choices and date.kind == "date":
        # "8 July next year"; what has no such day is no leap year.
        return coming_date(Today(year.first), date.first.month, date.first.day, year.first.year)
    return None


def _unclear_beside(unclear: UnclearDay, day: Day) -> UnclearDay | None:
    """Return what has to be asked if a day stands beside a word such as "sometime", or beside an impossible date."""
    if unclear.asks == "which":
        return None
    if unclear.is_vague and not day.is_range:
        # "Tomorrow sometime": the day is known, the time is not.
        return UnclearDay("time", _("At what time?"), (day.first,))
    return unclear if day.kind == "weekday" or unclear.is_vague else None


def _checked(weekday: Day, day: Day) -> AnyDay:
    """Return the date if it falls on the weekday."""
    fitting = tuple(each for each in (day.choices or (day.first,)) if each.weekday() == weekday.number)
    if fitting:
        return Day(fitting[0], fitting[0], has_year=day.has_year)
    return UnclearDay("which", _("That date is another day of the week."), (day.first, weekday.first))


def find_groups(words: Words, items: list[Item]) -> list[Group]:
    """Return the phrases that the items form, in order."""
    groups: list[Group] = []
    for item in items:
        between = gap(words, groups[-1].items[-1], item) if groups else ["."]
        if set(between) <= GLUE and groups[-1].add(item):
            continue
        group = Group()
        if not group.add(item):
            continue
        joining = [each for each in between if each in LIST_WORDS or each == ","]
        if set(between) <= GLUE | LIST_WORDS and (joining or not between):
            is_open = "or" in joining or joining == ["/"] or {"maybe", "perhaps"} & set(between)
            group.list_word = "or" if is_open else "and"
        groups.append(group)
    _share(groups)
    groups = _corrected(words, _joined(words, groups))
    found = [each for each in groups if each.has_day or each.has_time]
    meant = [each for each in found if not _is_rejected(words, each.items[0].first, each.items[-1].after)]
    return meant or found


def _corrected(words: Words, groups: list[Group]) -> list[Group]:
    """Return the groups without what is taken back: "Friday, sorry, Saturday at three", "at 3, no wait, at 4"."""
    kept: list[Group] = []
    for group in groups:
        between = set(gap(words, kept[-1].items[-1], group.items[0])) if kept else set()
        if between & _CORRECTING and between <= _CORRECTING | _BESIDE_CORRECTIONS:
            before = kept.pop()
            while before.list_word == "or" and kept:
                before = kept.pop()
            if group.has_time and not group.has_day:
                group.day, group.every = before.day, before.every
            elif group.day and not group.has_time:
                group.clock, group.until_clock, group.part = before.clock, before.until_clock, before.part
        kept.append(group)
    return kept


def _is_rejected(words: Words, index: int, after: int) -> bool:
    """Whether a time is named to say that it is not meant: "not this Friday", "I can't do Friday", "Friday is bad"."""
    if (words.at(after), words.at(after + 1)) in _REFUSALS:
        return True
    before, word = words.at(index - 2), words.at(index - 1)
    is_instead = words.are(index - 1, "instead", "of") or (before, word) == ("rather", "than")
    is_refused = before in ("can't", "cannot", "cant") and word in ("do", "make")
    return word == "not" or is_instead or is_refused


def _share(groups: list[Group]) -> None:
    """Let "Tuesday and Thursday at five" have one time, and "tomorrow at eight and at nine" one date."""
    for group, following in zip(reversed(groups[:-1]), reversed(groups), strict=False):
        if following.list_word and following.has_day and group.has_day and not group.has_time and not group.instant:
            group.clock, group.until_clock, group.part = following.clock, following.until_clock, following.part
            group.length = group.length or following.length
            group.is_deadline = group.is_deadline or following.is_deadline
    for group, following in itertools.pairwise(groups):
        if following.list_word and group.clock and following.clock and not group.has_day and following.has_day:
            group.day, group.every, group.part = following.day, following.every, group.part or following.part
            continue
        if following.list_word and following.has_time and not following.has_day and group.has_day and group.has_time:
            following.day, following.every, following.part = group.day, group.every, following.part or group.part
            following.until_day, following.lasting = group.until_day, following.lasting or group.lasting
            following.day_starts = group.day_starts
        if following.list_word and following.day and not following.is_deadline and group.is_deadline:
            following.is_deadline = True


def _joined(words: Words, groups: list[Group]) -> list[Group]:
    """Join what stands apart in one sentence: "tomorrow I have football at five"."""
    joined: list[Group] = []
    for group in groups:
        if joined and not group.list_word and _belong_together(words, joined[-1], group):
            trial = replace(joined[-1], items=list(joined[-1].items))
            if all(trial.add(item) for item in group.items):
                joined[-1] = trial
                continue
        joined.append(group)
    return joined


def _belong_together(words: Words, before: Group, after: Group) -> bool:
    between = gap(words, before.items[-1], after.items[0])
    if len(between) > MOST_WORDS_BETWEEN:
        return False
    # In "homework tomorrow and football at five" each has its own time, in "tomorrow mum and I eat at five" not.
    ends = set(between) & _ENDS
    if between[-1:] == ["but"] or between[-2:] == ["but", "only"]:
        # "Thursday is good, but only after six"
        ends -= {"but"}
    if (ends and between != ["."]) or [each for each in between if each not in GLUE][:1] == ["and"]:
        return False
    if before.instant or after.instant:
        return after.length is not None and not after.has_day and not after.has_time
    if before.length and not before.has_day and not before.has_time:
        return True
    is_end = after.until_day is None and after.items[0].role == "until" and before.every and not after.has_time
    is_bound = before.every and after.day and after.day_starts and not before.day and not after.has_time
    if not after.has_day and not after.has_time:
        return True
    return bool(
        is_end
        or is_bound
        or (before.has_day and not before.has_time and after.has_time and not after.has_day)
        or (before.has_time and not before.has_day and after.has_day and not after.has_time)
    )
