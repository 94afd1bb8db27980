"""The pieces of time phrases in a text, in order: days, times of day, recurrences, lengths."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal

from tutoring.planner.times.clock_phrases import Clock, read_clock, read_period
from tutoring.planner.times.day_phrases import read_day, read_day_of_something, read_instant
from tutoring.planner.times.day_values import AnyDay, Day, Today, UnclearDay
from tutoring.planner.times.durations import Duration, read_duration
from tutoring.planner.times.recurrence_phrases import Every, Without, read_every, read_without
from tutoring.planner.times.words import WEEKDAYS, Words

type Role = Literal["", "at", "on", "in", "of", "from", "until", "deadline", "after", "for"]
_ROLES: Final[dict[str, Role]] = {
    "at": "at",
    "around": "at",
    "about": "at",
    "approximately": "at",
    "roughly": "at",
    "circa": "at",
    "on": "on",
    "in": "in",
    "within": "in",
    "of": "of",
    "during": "in",
    "over": "in",
    "for": "for",
    "from": "from",
    "between": "from",
    "starting": "from",
    "beginning": "from",
    "since": "from",
    "until": "until",
    "through": "until",
    "ending": "until",
    "ends": "until",
    "by": "deadline",
    "before": "deadline",
    "due": "deadline",
    "after": "after",
}
_LINKS: Final = ("to", "-", "until", "through")
GLUE: Final = frozenset(
    {
        ",",
        "(",
        ")",
        "say",
        "maybe",
        "perhaps",
        "probably",
        "sharp",
        "always",
        "usually",
        "ideally",
        "let's",
        "preferably",
        "please",
    }
)
LIST_WORDS: Final = frozenset({"and", "&", "+", "or", "/"})
_TIMES: Final = frozenset({"times", "sessions", "lessons", "occurrences", "classes"})
_FIRST_ROLE_COUNTS: Final = ("deadline", "until", "from")


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the day, and whether it is that of today: "this evening", "tonight"."""

    name: str
    is_today: bool = False
    is_yesterday: bool = False


@dataclass(frozen=True, slots=True)
class Count:
    """How often: "for ten lessons"."""

    number: int


type Value = AnyDay | datetime | Clock | Part | Every | Without | Duration | Count


@dataclass(frozen=True, slots=True)
class Item:
    value: Value
    role: Role
    first: int
    """The index of its first token, a preposition perhaps."""
    after: int
    is_weak: bool = False
    """Whether it tells of a time only beside another item."""
    link: str = ""
    """The "to", "until" or dash that joins it to the item before."""


def find_items(words: Words, now: datetime, *, is_past: bool) -> list[Item]:
    """Return the items of a text in order, without the weak ones that stand alone."""
    today = Today(now.date(), is_past)
    items: list[Item] = []
    index = 0
    while index < len(words):
        previous = items[-1] if items and items[-1].after == index else None
        item = _read_without(words, index, items) or _read_item(words, index, today, now, previous)
        if item is None:
            index += 1
        else:
            items.append(item)
            index = item.after
    return _without_lone(words, items)


def gap(words: Words, before: Item, after: Item) -> list[str]:
    """Return the tokens between two items."""
    return [token.text for token in words.tokens[before.after : after.first]]


def _read_item(words: Words, index: int, today: Today, now: datetime, previous: Item | None) -> Item | None:
    role, at, is_link = _prepositions(words, index, previous)

    follows_clock = previous is not None and isinstance(previous.value, Clock)

    def item(value: Value, after: int, *, is_weak: bool = False) -> Item:
        return Item(value, role, index, after, is_weak, words.at(index) if is_link else "")

    if every := read_every(words, at, today, role):
        return item(*every)
    if role == "for" and (rest := _rest(words, at, today)):
        return Item(rest[0], "until", index, rest[1])
    if role in ("for", "in") and not follows_clock and (instant := read_instant(words, at, now)):
        return item(*instant)
    is_over = words.at(at - 1) in ("over", "during") and words.are(at, "the", "next")
    if role == "for" or words.at(at) == "lasting" or is_over:
        start = words.skip(at, "lasting")
        if length := _length(words, start):
            return Item(length[0], "for", index, length[1])
    elif (count := words.number(at)) and words.at(count[1]) in _TIMES:
        return Item(Count(count[0]), "for", index, count[1] + 1, is_weak=True)
    if words.at(at) == "x" and (count := words.number(at + 1)):
        # "every Tuesday x 6"
        return Item(Count(count[0]), "for", index, count[1], is_weak=True)
    if hyphened := _hyphened(words, at):
        return Item(hyphened[0], "for", index, hyphened[1])
    if (
        (length := read_duration(words, at))
        and not length[0].is_of_days
        and words.at(length[1]) in ("from", "starting")
    ) and words.at(length[1] + 1) not in ("now", "right"):
        return Item(length[0], "for", index, length[1])
    if instant := read_instant(words, at, now):
        return item(*instant)
    same = words.skip(at, "the")
    if words.at(same) in ("same", "this") and words.at(same + 1) == "time":
        return item(Clock(now.hour, now.minute, "24"), same + 2, is_weak=True)
    if day := read_day(words, at, today, role):
        # "from Tuesday on"
        after = words.skip(day[1], "on", "onwards", "onward") if role == "from" else day[1]
        if previous and isinstance(previous.value, Part) and words.at(index) in ("before", "after"):
            # "the evening before Easter"
            beside = _beside(day[0], 1 if words.at(index) == "after" else -1)
            return Item(beside, "", index, after, day[2])
        return item(day[0], after, is_weak=day[2])
    follows_now = previous is not None and isinstance(previous.value, datetime)
    length = read_duration(words, words.skip(at, ",", "(")) if not role else None
    if length and not length[0].is_of_days and (follows_clock or follows_now or not read_clock(words, at, role)):
        return Item(length[0], "for", index, length[1], is_weak=not (follows_clock or follows_now))
    if part := _part(words, at, role):
        return item(part[0], part[1], is_weak=part[2])
    if role == "until" and (later := read_day_of_something(words, at, today)):
        return Item(later[0], "until", index, later[1])
    if role in ("in", "for") and not (previous and role == "for"):
        return None
    if is_link and words.at(index) == "-" and previous and not isinstance(previous.value, Clock):
        # The dash of "Tuesday - 4pm" is no "to".
        role, is_link = "", False
    if clock := read_clock(words, at, "until" if is_link else role):
        is_weak = clock.is_bare or (is_link and previous is not None and previous.is_weak and _is_number(clock.clock))
        return item(clock.clock, clock.after, is_weak=is_weak)
    return None


def _beside(day: AnyDay, days: int) -> AnyDay:
    if isinstance(day, UnclearDay) or day.is_range:
        return day
    return Day(*(day.first + timedelta(days=days),) * 2)


def _read_without(words: Words, index: int, items: list[Item]) -> Item | None:
    """Read "except Sundays" after a recurrence and perhaps its time of day."""
    if not any(isinstance(each.value, Every) for each in items[-3:]):
        return None
    is_beside = items[-1].after == index and isinstance(items[-1].value, Every)
    if words.at(index) == "but" and words.at(index + 1) != "not" and not is_beside:
        return None
    found = read_without(words, index)
    return Item(found[0], "", index, found[1]) if found else None


def _hyphened(words: Words, index: int) -> tuple[Duration, int] | None:
    """Read the length in "a 90-minute lesson"."""
    number = words.number(index)
    if number is None or words.at(number[1]) != "-" or not words.is_glued(number[1]):
        return None
    found = read_duration(words, index)
    return found if found and not found[0].is_of_days and words.at(found[1] - 1) in ("minute", "hour", "min") else None


def _is_number(clock: Clock) -> bool:
    return not clock.half and not clock.minute


def _prepositions(words: Words, index: int, previous: Item | None) -> tuple[Role, int, bool]:
    """Read the prepositions; a "to" or a dash counts right after an item. Return also whether it was such a link."""
    if previous and previous.role != "until" and not isinstance(previous.value, Duration | Every | Count):
        link = words.at(index)
        is_between = previous.role == "from" and link == "and" and words.at(previous.first) == "between"
        if link in _LINKS or is_between:
            return "until", words.skip(index + 1, "at", "about", "around", "on"), True
    role: Role = ""
    at = index
    while at < index + 4:
        word = words.at(at)
        found: Role = ""
        if word == "beginning" and words.at(at + 1) == "of":
            break
        if word in _ROLES:
            found, step = _ROLES[word], 1
        elif words.are(at, "up", "to", "and", "including"):
            found, step = "until", 4
        elif words.are(at, "up", "to") or words.are(at, "up", "until"):
            found, step = "until", 2
        elif words.at(at) in ("last", "first") and words.at(at + 1) in ("one", "time") and words.at(at + 2) == "on":
            found, step = ("until" if word == "last" else "from"), 3
        elif words.are(at, "as", "of"):
            found, step = "from", 2
        elif words.at(at) in ("no", "not") and words.are(at + 1, "later", "than"):
            found, step = "deadline", 3
        elif words.at(at) in ("no", "not") and words.at(at + 1) in ("sooner", "earlier") and words.at(at + 2) == "than":
            found, step = "from", 3
        elif words.are(at, "not", "before"):
            found, step = "from", 2
        else:
            break
        # "due on Friday" is a deadline, "on Friday at five" another matter.
        step += 2 * (found == "until" and words.are(at + step, "and", "including"))
        role = role if role in _FIRST_ROLE_COUNTS and found in ("on", "at", "in", "from") else found
        at += step
    return role, at, False


def _rest(words: Words, index: int, today: Today) -> tuple[AnyDay, int] | None:
    """Read "the rest of the month", whose last day it is."""
    if not words.are(index, "the", "rest", "of"):
        return None
    at = words.skip(index + 3, "the", "this")
    day = read_day(words, at, today, "in")
    whole = {
        "week": today.week(),
        "month": today.month(today.day.year, today.day.month),
        "year": today.month(today.day.year, 12),
    }.get(words.at(at))
    found = (whole, at + 1) if whole else (day and day[:2])
    return found if found and isinstance(found[0], Day) else None


def _length(words: Words, index: int) -> tuple[Duration | Count, int] | None:
    index = (
        words.skip(words.skip(index, "the", "a"), "next", "whole")
        if words.at(index + 1) in ("next", "whole")
        else index
    )
    index = words.skip(index, "about", "around", "exactly")
    if (count := words.number(index)) and words.at(count[1]) in _TIMES:
        return Count(count[0]), count[1] + 1
    if found := read_duration(words, index):
        return found
    units = {"week": Duration(days=7), "month": Duration(months=1), "year": Duration(months=12)}
    if words.at(index - 1) in ("next", "whole") and words.at(index) in units and words.at(index - 2) in ("the", "a"):
        return units[words.at(index)], index + 1
    return None


def _part(words: Words, index: int, role: Role) -> tuple[Part, int, bool] | None:
    """Read a part of the day. "Good morning" and "for lunch" name no time."""
    is_after_day = words.at(index - 1) in WEEKDAYS.keys() | {"tomorrow", "today"}
    if words.at(index) in ("am", "pm") and is_after_day:
        # "Friday pm" is an afternoon.
        return Part("morning" if words.at(index) == "am" else "afternoon"), index + 1, False
    if words.at(index) == "eve" and is_after_day:
        return Part("evening"), index + 1, False
    which = words.at(index) if words.at(index) in ("this", "last") else ""
    found = read_period(words, index + bool(which))
    if found is None:
        return None
    name, after = found
    if words.at(index - 1) == "good" or words.at(after) == "star":
        return None
    if which:
        return (
            (Part(name, is_today=which == "this", is_yesterday=which == "last"), after, False)
            if which == "this" or name in ("night", "evening")
            else None
        )
    if name == "tonight":
        return Part(name, is_today=True), after, False
    if name == "lunch" and not is_after_day:
        is_time = words.at(after - 1) == "time" or role in ("at", "in", "deadline", "until")
        return (Part("lunchtime"), after, False) if is_time else None
    name = "lunchtime" if name == "lunch" else name
    if not role and is_after_day:
        return Part(name), after, True
    is_whole = index == 0 and words.at(words.skip(after, ".", "!", "?")) == ""
    is_certain = is_whole or (role == "in" and words.at(index) == "the") or (role in ("at", "deadline", "until"))
    return Part(name), after, not (is_certain or (name == "lunchtime" and role))


def _without_lone(words: Words, items: list[Item]) -> list[Item]:
    """Return the items without the weak ones beside which nothing certain stands."""
    kept = list(items)
    for order in (range(len(items)), range(len(items) - 1, -1, -1)):
        # Certainty spreads from item to item: in "Saturday 2-4", to both numbers.
        for index in order:
            neighbours = [each for each in (index - 1, index + 1) if 0 <= each < len(kept)]
            if kept[index].is_weak and any(
                not kept[each].is_weak and _supports(words, kept[each], kept[index]) for each in neighbours
            ):
                kept[index] = replace(kept[index], is_weak=False)
    return [each for each in kept if not each.is_weak]


def _supports(words: Words, strong: Item, weak: Item) -> bool:
    between = gap(words, strong, weak) if strong.first < weak.first else gap(words, weak, strong)
    is_same = isinstance(strong.value, Clock) and isinstance(weak.value, Clock)
    is_alike = is_same or any(isinstance(strong.value, kind) and isinstance(weak.value, kind) for kind in (Day, Part))
    if is_alike and between == ["or"]:
        return True
    if not set(between) <= GLUE | {"and", "the"} or len(between) > 3:
        return False
    if isinstance(weak.value, Count):
        return isinstance(strong.value, Every | Clock)
    # "Essay 2 by Wednesday" names no time, "Wednesday 2" does.
    is_number = isinstance(weak.value, Clock) and _is_number(weak.value) and weak.role != "until"
    is_before_date = weak.first < strong.first and isinstance(strong.value, Day | UnclearDay) and strong.role
    if is_number and is_before_date and not (weak.first == 0 and strong.role == "on"):
        return False
    return not is_same or "until" in (strong.role, weak.role)
