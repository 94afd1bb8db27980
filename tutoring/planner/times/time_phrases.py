"""Finds the times that a message names, such as "next Tuesday at four" or "daily at 8pm for two weeks".

A text becomes tokens (`words`), tokens become items such as "on Tuesday" (`phrase_items`), items that belong together
become groups (`phrase_groups`), and a group becomes a time or a question (`phrase_times`). The conventions:

- A bare weekday is the next one to come, "next Tuesday" the one of the next ISO week, "this Friday" the one of this week.
- The hours 1 to 6 without am or pm are in the afternoon, 7 to 11 in the morning, unless a part of the day says otherwise.
- A time without a date is the next to come, and so is a date without a year, or a day without a month.
- Midnight is the end of the day.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from tutoring.planner.times.durations import read_duration
from tutoring.planner.times.phrase_descriptions import describe_time
from tutoring.planner.times.phrase_groups import Group, find_groups
from tutoring.planner.times.phrase_items import GLUE, Item, find_items, gap
from tutoring.planner.times.phrase_times import Place, resolve, which_of
from tutoring.planner.times.values import Span, TimePhrase, UnclearTime
from tutoring.planner.times.weekday_phrases import SATURDAY
from tutoring.planner.times.words import Words

__all__ = ["TimePhrase", "UnclearTime", "describe_time", "find_duration", "find_times", "without_times"]

MOST_TIMES: Final = 50
"""Times that are returned of one text."""


def find_times(text: str, now: datetime, *, is_past: bool = False) -> tuple[TimePhrase | UnclearTime, ...]:
    """Return the times that the text names, in its order. `now` is aware, in the person's zone.

    What names no date is the next to come, or the last that was if `is_past` ("I had pasta at noon").
    """
    words = Words(text)
    groups = find_groups(words, find_items(words, now, is_past=is_past))
    times: list[TimePhrase | UnclearTime] = []
    for alternatives in _alternatives(groups)[:MOST_TIMES]:
        found = [resolve(each, now, _place(words, each.items), is_past=is_past) for each in alternatives]
        items = [item for each in alternatives for item in each.items]
        times.append(found[0] if len(found) == 1 else which_of(found, _place(words, items)))
    return tuple(_with_weekends(text, times))


def _with_weekends(text: str, times: list[TimePhrase | UnclearTime]) -> Iterator[TimePhrase | UnclearTime]:
    """Yield "Saturday and Sunday" as one weekend."""
    index = 0
    while index < len(times):
        pair = times[index : index + 2]
        index += 1
        if len(pair) == 2 and _is_weekend(text, *pair):
            first, second = pair
            assert isinstance(first, TimePhrase)
            assert isinstance(second, TimePhrase)
            span = first.span[0], second.span[1]
            end = second.start + timedelta(days=1)
            yield replace(first, end=end, span=span, quote=text[slice(*span)], pieces=(*first.pieces, *second.pieces))
            index += 1
        else:
            yield pair[0]


def _is_weekend(text: str, first: TimePhrase | UnclearTime, second: TimePhrase | UnclearTime) -> bool:
    if isinstance(first, UnclearTime) or isinstance(second, UnclearTime) or first.end or second.end:
        return False
    return (
        first.is_all_day
        and second.is_all_day
        and not first.rule
        and not second.rule
        and first.start.weekday() == SATURDAY
        and second.start.date() - first.start.date() == timedelta(days=1)
        and text[first.span[1] : second.span[0]].strip().lower() in ("and", "&", "+")
    )


def find_duration(text: str) -> timedelta | None:
    """Return the first length of time that the text names ("for an hour and a half", "a 45-minute walk")."""
    words = Words(text)
    for index in range(len(words)):
        if found := read_duration(words, index):
            return found[0].as_timedelta()
    return None


def without_times(text: str, times: tuple[TimePhrase | UnclearTime, ...]) -> str:
    """Return the text without the pieces of these times, and without doubled spaces."""
    for start, end in sorted((piece for time in times for piece in time.pieces), reverse=True):
        text = f"{text[:start]} {text[end:]}"
    return re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split())).strip(" ,;")


def _alternatives(groups: list[Group]) -> list[list[Group]]:
    """Return the groups, those together that "or" joins."""
    joined: list[list[Group]] = []
    for group in groups:
        if group.list_word == "or" and joined:
            joined[-1].append(group)
        else:
            joined.append([group])
    return joined


def _place(words: Words, items: list[Item]) -> Place:
    pieces: list[Span] = []
    before: Item | None = None
    for item in items:
        start, end = words.tokens[item.first].start, words.tokens[item.after - 1].end
        if before and set(gap(words, before, item)) <= GLUE:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
        before = item
    span = pieces[0][0], pieces[-1][1]
    return Place(words.original[slice(*span)], span, tuple(pieces))
