"""Reads the parts of a request: titles, foods, subtasks, priorities, ratings, events that something is wanted before."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from tutoring.planner.requests.patterns import compiled
from tutoring.planner.times.time_phrases import find_duration
from tutoring.planner.times.values import TimePhrase, UnclearTime

MOST_PARTS: Final = 30
PRIORITIES: Final = {
    "low": 1, "lowest": 1, "less": 1, "medium": 2, "normal": 2, "important": 3, "high": 3, "top": 3, "highest": 3, "urgent": 3,
}  # fmt: skip
RATINGS: Final = {
    "disgusting": 1, "awful": 1, "terrible": 1, "horrible": 1, "gross": 1, "bad": 2, "bland": 2, "meh": 2, "ok": 3,
    "okay": 3, "fine": 3, "so-so": 3, "good": 4, "nice": 4, "tasty": 4, "yummy": 4, "lovely": 4, "great": 5,
    "delicious": 5, "amazing": 5, "awesome": 5, "excellent": 5, "fantastic": 5, "perfect": 5, "one": 1, "two": 2,
    "three": 3, "four": 4, "five": 5, "loved": 5, "enjoyed": 4, "liked": 4, "disliked": 2, "hated": 1, "didn't like": 2,
    "did not like": 2,
}  # fmt: skip
MEALS: Final = {"brunch": "breakfast", "supper": "dinner", "dessert": "snack", "snacks": "snack"}
_PAIRS: Final = ("mac and cheese", "fish and chips", "macaroni and cheese", "rice and beans", "bread and butter")
"""Foods that "and" does not part."""
_EDGES: Final = re.compile(
    r"^(?:(?:to|that|about|of|for|my|the|a|an|some|i (?:have|need|must|should|ought)(?: to)?|i've got to|called|named|and|is|on|at)\s+)+|"
    r"(?:[\s,.!?:;-]+|\b(?:please|pls|thanks|thank you|too|as well|also|again|for me|on|at|by|and|to|from|due|is|then)\b\s*)+$",
    re.IGNORECASE,
)
# "a test about fractions, and i dont get it": how one feels about it is no part of its name.
_REMARK: Final = re.compile(
    r"[\s,]+(?:and|but|because|so) (?:i(?:'m| am|m)?|it'?s) (?:do ?n[o']?t|can ?n?[o']?t|have no|need|want|hate|so|really|still|scared|nervous|worried|hard|lost|bad)\b.*$",
    re.IGNORECASE,
)
_BEFORE: Final = re.compile(
    r"\b(?P<order>before|after|ahead of)\b\s*(?P<event>(?:(?!\b(?:i|we|you|it is|it's)\b)[\w' -])*)$", re.IGNORECASE
)
_ITSELF: Final = re.compile(r"(?:it|that|this|then|them|each|every time|each time|hand|those)?\W*$", re.IGNORECASE)
_OPINION: Final = re.compile(
    r"[\s,;-]*\b(?:(?:and|but|which|it|that|they)\s+)*(?:was|were|tasted)\s+(?:really |so |very |pretty |quite |super )*(?P<word>[a-z-]+)\b.*$|"
    r"[\s,;(-]*(?P<stars>[1-5])\s*(?:stars?|/\s*5|out of (?:5|five))\W*$",
    re.IGNORECASE,
)
_TAGS: Final = re.compile(r"#(\w{2,30})")
_WEEKDAYS: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_NAMES_DAY: Final = re.compile(r"\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\b", re.IGNORECASE)
_ONCE: Final = compiled(
    r".*\b(?:appointment|dentist|doctor(?:'s)?|orthodontist|haircut|check-?up|party|birthday|concert|trip|excursion|visit|"
    r"interview|wedding|match|game|meeting|call|<<test>>)\b"
)
_WHOLE_DAYS: Final = compiled(
    r".*\b(?:birthday|trip|excursion|camp|festival|holidays?|wedding|field ?day|open day|tournament|<<test>>)\b"
)
_EATING: Final = re.compile(r"(?:eat|have|grab|get|pack|prepare|make)\b.*|snack\b.*", re.IGNORECASE)
_EDIBLE: Final = compiled(r".*\b(?:eat|food|snack|something|<<meal>>|<<food>>)\b")


def clean_title(words: str) -> str:
    """Return words as a title: without what only leads to it, the first letter as a capital."""
    previous = None
    words = _REMARK.sub("", words.strip(" \t\n\"'“”"))
    while words != previous:
        previous, words = words, _EDGES.sub("", words).strip(" \t\n\"'")
    return words[:1].upper() + words[1:]


def split_list(words: str) -> tuple[str, ...]:
    """Return the parts of "tent, food and a torch", cleaned."""
    parts = re.split(r"\s*(?:,|;|\n|\band\b|&|\bplus\b)\s*", words, flags=re.IGNORECASE)
    return tuple(part for each in parts[:MOST_PARTS] if (part := clean_title(each)))


def split_foods(words: str) -> tuple[str, ...]:
    """Return what a meal consists of, in small letters as it was said, without "some"."""
    kept = _TAGS.sub("", words)
    for number, pair in enumerate(_PAIRS):
        kept = re.sub(re.escape(pair), f"\x00{number}\x00", kept, flags=re.IGNORECASE)
    parts = re.split(r"\s*(?:,|;|\band\b|&|\bplus\b|\bwith\b)\s*", kept, flags=re.IGNORECASE)
    foods = [re.sub(r"\x00(\d)\x00", lambda found: _PAIRS[int(found[1])], each) for each in parts]
    cleaned = [clean_title(each) for each in foods[:MOST_PARTS]]
    return tuple(dict.fromkeys(each[:1].lower() + each[1:] for each in cleaned if each))


def split_opinion(words: str) -> tuple[str, int | None]:
    """Return a meal without what is said about its taste, and that as a rating, 1–5."""
    found = _OPINION.search(words)
    if found is None:
        return words, None
    rating = int(found["stars"]) if found["stars"] else RATINGS.get(found["word"].casefold())
    return (words[: found.start()], rating) if rating is not None else (words, None)


def tags_in(words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(each.casefold() for each in _TAGS.findall(words)))


def priority_in(words: str) -> int | None:
    """Return 1–3 for the words of a priority."""
    for each in re.split(r"[\s-]+", words.casefold()):
        if each in PRIORITIES:
            return PRIORITIES[each]
    return None


def rating_in(words: str) -> int | None:
    """Return 1–5 for "4", "four" or "delicious"."""
    words = words.strip().casefold()
    return int(words) if words in {"1", "2", "3", "4", "5"} else RATINGS.get(words)


def split_before(title: str) -> tuple[str, str, bool, int | None]:
    """Return a reminder's title without its event, the event (`it` if none is named), whether it is after, minutes ahead."""
    found = _BEFORE.search(title)
    if found is None:
        return title, "", False, None
    ahead = find_duration(title[: found.start()])
    kept = title[: found.start()]
    if ahead is not None:
        kept = re.sub(
            r"\b(?:an?|\d+|one|two|three|half an?)\s*-?\s*(?:hours?|minutes?|mins?|hrs?|days?)\b\s*$", "", kept.rstrip()
        )
    event = found["event"].strip()
    event = "it" if _ITSELF.match(event) else clean_title(event)
    minutes = round(ahead.total_seconds() / 60) if ahead is not None else None
    return clean_title(kept), event, found["order"].casefold() == "after", minutes


def is_about_eating(title: str) -> bool:
    return bool(_EATING.match(title) and _EDIBLE.match(title))


def needs_no_clock(title: str) -> bool:
    """Tell whether an event may well have no time of day: a test, a birthday, a trip."""
    return bool(_WHOLE_DAYS.match(title))


def meal_kind(words: str, at: datetime) -> str:
    """Return a meal's kind by its name, else by the time of day."""
    words = words.casefold()
    if words and words not in ("meal", "meals", "food"):
        return MEALS.get(words, words.removesuffix("s") if words.endswith("s") else words)
    hour = at.hour + at.minute / 60
    return (
        "breakfast"
        if 4 <= hour < 10.5
        else "lunch"
        if 10.5 <= hour < 15
        else "snack"
        if 15 <= hour < 17.5
        else "dinner"
    )


def event_times(times: Sequence[TimePhrase | UnclearTime], title: str) -> tuple[TimePhrase | UnclearTime, ...]:
    """Return the times of an event: several weekdays of a habit are one recurrence, other times are events each.

    "Football on Tuesday and Thursday at five" recurs; a dentist's appointment on two days does not.
    """
    phrases = [each for each in times if isinstance(each, TimePhrase)]
    if len(phrases) < len(times) or len(phrases) < 2:
        return tuple(times[:1]) if len(phrases) < len(times) else tuple(times)
    timed = next((each for each in phrases if not each.is_all_day), None)
    if timed is not None:
        # "on Tuesday and Thursday at five": the time of day is that of both.
        phrases = [
            each if not each.is_all_day or each.rule else _at_clock(each, timed)
            for each in phrases
            if each.has_date or each.rule
        ] or phrases
    clocks = {each.start.timetz() for each in phrases}
    weekly = all(_NAMES_DAY.search(each.quote) and not each.rule for each in phrases)
    if len(clocks) > 1 or not weekly or _ONCE.match(title) or len(phrases) < 2:
        return tuple(phrases)
    first = min(phrases, key=lambda each: each.start)
    days = sorted({each.start.weekday() for each in phrases})
    rule = f"FREQ=WEEKLY;BYDAY={','.join(_WEEKDAYS[each] for each in days)}"
    return (replace(first, rule=rule),)


def _at_clock(day: TimePhrase, clock: TimePhrase) -> TimePhrase:
    """Return the day of one phrase at the time of day of another."""
    start = day.start.replace(hour=clock.start.hour, minute=clock.start.minute)
    end = start + (clock.end - clock.start) if clock.end is not None else None
    return replace(day, start=start, end=end, is_all_day=False)


def combined(day: TimePhrase, clock: TimePhrase) -> TimePhrase:
    """Return a date that was known with a time of day that was asked back."""
    return _at_clock(day, clock) if not clock.has_date and not clock.is_all_day else clock
