"""Quick add: reads one line, such as "football every Tuesday at five", and stores what it says."""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final, Literal, get_args

from django.utils.translation import gettext as _

from tutoring.models import CalendarEvent, Meal, Task
from tutoring.planner.pages.place import Place
from tutoring.planner.records.changes import change_rows
from tutoring.planner.records.events import conflicts_of, create_event
from tutoring.planner.records.meals import create_meal
from tutoring.planner.records.notes import create_note, embedding_of
from tutoring.planner.records.tasks import create_task
from tutoring.planner.requests.slots import clean_title, priority_in, split_foods
from tutoring.planner.times.time_phrases import describe_time, find_duration, find_times, without_times
from tutoring.planner.times.values import TimePhrase, UnclearTime

type EntryKind = Literal["task", "event", "meal", "note"]
KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind.__value__)
LONGEST_LINE: Final = 500
USUAL_LENGTH: Final = timedelta(hours=1)
"""Of an event whose end is not named."""
CONFLICTS_NAMED: Final = 3

_NOTE: Final = re.compile(r"^\s*(?:note\s*:|(?:please\s+)?remember\s*(?::|that\b))\s*", re.IGNORECASE)
_MEAL: Final = re.compile(
    r"^\s*(?:(?:i(?:'ve| have)?\s+)?(?:just\s+)?(?:ate|eaten)\b|(?:breakfast|lunch|dinner|snack)\s*:)"
    r"|\bhad\b.*\bfor\s+(?:breakfast|lunch|dinner|a snack)\b",
    re.IGNORECASE,
)
_MEAL_WORDS: Final = re.compile(
    r"^\s*(?:(?:i(?:'ve| have)?\s+)?(?:just\s+)?(?:ate|eaten|had)\b|(?:breakfast|lunch|dinner|snack)\s*:)"
    r"|\b(?:for|as)\s+(?:breakfast|lunch|dinner|(?:a )?snack)\b",
    re.IGNORECASE,
)
_REMIND: Final = re.compile(r"^\s*(?:please\s+)?remind me(?:\s+(?:to|of|about|that))?\s+", re.IGNORECASE)
_TEST: Final = re.compile(r"\b(?:test|exam|midterm)\b", re.IGNORECASE)
_WORK: Final = re.compile(
    r"^\s*(?:study|revise|learn|prepare|practi[cs]e|buy|read|write|finish|do|hand in)\b", re.IGNORECASE
)
_DINNER: Final = re.compile(r"\b(?:dinner|supper)\b", re.IGNORECASE)
_MORNING: Final = re.compile(r"\b0\d:|\d\s*a\.?m\b|\bmorning\b", re.IGNORECASE)
_HOMEWORK: Final = re.compile(r"\b(?:homework|worksheet|sheet \d+|essay)\b", re.IGNORECASE)
_IDLE_START: Final = re.compile(
    r"^\s*(?:add|put|plan|i have|i've got|i need to|i have to)\s+(?:an?\s+|my\s+)?", re.IGNORECASE
)
# "urgent: call grandma", "math homework, important": said of the task, and no part of its title.
_PRIORITY: Final = re.compile(
    r"^\s*(?:very )?(?:important|urgent|(?:high|top|low) priority)\s*[:,!-]\s*"
    r"|[\s,;(!-]+(?:(?:it'?s|is) )?(?:very )?(?:important|urgent|(?:high|top|low) priority)\W*$",
    re.IGNORECASE,
)
# By the clock where the line names no meal. A late breakfast is one; so is a dinner at five.
_MEAL_HOURS: Final = ((4, Meal.Kind.SNACK), (11, Meal.Kind.BREAKFAST), (15, Meal.Kind.LUNCH), (17, Meal.Kind.SNACK))


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """What was stored."""

    change: str
    """The id of the PlannerChange."""
    kind: EntryKind


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUnderstood:
    """Why nothing was stored."""

    why: str
    choices: tuple[str, ...] = ()
    """What the line may mean, in words; the line can be sent again with the number of one."""


def kind_of(line: str, times: tuple[TimePhrase | UnclearTime, ...]) -> EntryKind:
    """Return what a line is about if the person did not say; a task if nothing else."""
    if _NOTE.search(line):
        return "note"
    if _MEAL.search(line):
        return "meal"
    phrase = next((each for each in times if isinstance(each, TimePhrase)), None)
    if phrase is None or _REMIND.search(line) or phrase.is_deadline:
        return "task"
    if _TEST.search(line) and not _WORK.search(line):
        return "event"
    return "event" if phrase.has_time or phrase.rule or phrase.end else "task"


def add_entry(
    place: Place, line: str, *, kind: EntryKind | None = None, choice: int | None = None
) -> Added | NotUnderstood:
    """Store what a line says, as this kind if one is given; `choice` is the number of what an unclear time means."""
    line = " ".join(line.split())
    if not line:
        return NotUnderstood(why=_("Write what you want to add, for example “football on Tuesday at five”."))
    times = () if kind == "note" or _NOTE.search(line) else find_times(line, place.now)
    kind = kind or kind_of(line, times)
    if kind == "note":
        return _add_note(place, _NOTE.sub("", line))
    if kind == "meal":
        times = find_times(line, place.now, is_past=True)
    phrase, unclear = _chosen(times, choice)
    if phrase is not None:
        phrase = _in_the_evening(line, phrase)
    if unclear is not None:
        return NotUnderstood(why=unclear.why, choices=tuple(describe_time(each, place.now) for each in unclear.choices))
    add: Callable[[Place, str, str, TimePhrase | None], Added | NotUnderstood]
    add = {"task": _add_task, "event": _add_event, "meal": _add_meal}[kind]
    return add(place, line, without_times(line, times), phrase)


def _chosen(
    times: tuple[TimePhrase | UnclearTime, ...], choice: int | None
) -> tuple[TimePhrase | None, UnclearTime | None]:
    """Return the time that the line names first, or what is unclear about it."""
    first = times[0] if times else None
    if not isinstance(first, UnclearTime):
        return first, None
    if choice is not None and 0 <= choice < len(first.choices):
        return first.choices[choice], None
    return None, first


def _in_the_evening(line: str, phrase: TimePhrase) -> TimePhrase:
    """Return the phrase with a dinner at half past seven in the evening, unless the line says otherwise."""
    hour = phrase.start.hour
    if not _DINNER.search(line) or not phrase.has_time or not 1 <= hour < 12 or _MORNING.search(phrase.quote):
        return phrase
    half_a_day = timedelta(hours=12)
    return replace(phrase, start=phrase.start + half_a_day, end=phrase.end + half_a_day if phrase.end else None)


def _title(text: str) -> str:
    """Return what is left of a line without its time, as a title."""
    return clean_title(_PRIORITY.sub("", _IDLE_START.sub("", text)))


def _add_note(place: Place, text: str) -> Added | NotUnderstood:
    text = text.strip()
    if not text:
        return NotUnderstood(why=_("Write what should be remembered."))
    vector = embedding_of(text)
    with change_rows(place.person, place.workspace) as recorder:
        create_note(recorder, text, embedding=vector)
        recorder.words = _("Noted: %(text)s") % {"text": text}
    return Added(change=recorder.change_id, kind="note")


def _add_task(place: Place, line: str, rest: str, phrase: TimePhrase | None) -> Added | NotUnderstood:
    if phrase is not None and phrase.rule:  # What recurs stands in the calendar.
        return _add_event(place, line, rest, phrase)
    is_reminder = bool(_REMIND.search(line))
    title = _title(_REMIND.sub("", rest))
    if not title:
        return NotUnderstood(why=_("Write what is to be done, too, for example “read chapter 4 by Friday”."))
    kind = Task.Kind.REMINDER if is_reminder else Task.Kind.HOMEWORK if _HOMEWORK.search(line) else Task.Kind.TODO
    due_at = phrase.start if phrase is not None and phrase.has_time else None
    # A reminder for a day comes when the person's day begins.
    remind_at = (due_at or _morning(place, phrase)) if is_reminder and phrase is not None else None
    with change_rows(place.person, place.workspace) as recorder:
        due_on = phrase.start.date() if phrase is not None else None
        create_task(
            recorder,
            title=title,
            kind=kind,
            priority=(priority_in(said[0]) or 0) if (said := _PRIORITY.search(rest)) else 0,
            due_on=due_on,
            due_at=due_at,
            remind_at=remind_at,
        )
        words = _("Reminder: %(title)s") if is_reminder else _("Added to your tasks: %(title)s")
        recorder.words = _with_time(words % {"title": title}, phrase, place.now)
    return Added(change=recorder.change_id, kind="task")


def _morning(place: Place, phrase: TimePhrase) -> datetime:
    return phrase.start.replace(hour=place.chosen.day_starts, minute=0)


def _add_event(place: Place, line: str, rest: str, phrase: TimePhrase | None) -> Added | NotUnderstood:
    if phrase is None:
        return NotUnderstood(
            why=_("Write when it is, too, for example “on Tuesday at five” or “tomorrow 14:00 to 15:30”.")
        )
    title = _title(rest)
    if not title:
        return NotUnderstood(why=_("Write what it is, too, for example “football on Tuesday at five”."))
    length = find_duration(line) or USUAL_LENGTH
    end = phrase.end or phrase.start + (timedelta(days=1) if phrase.is_all_day else length)
    kind = CalendarEvent.Kind.TEST if _TEST.search(line) and not _WORK.search(line) else CalendarEvent.Kind.APPOINTMENT
    with change_rows(place.person, place.workspace) as recorder:
        event = create_event(
            recorder,
            title=title,
            start=phrase.start,
            end=end,
            zone=place.zone.key,
            kind=kind,
            rule=phrase.rule,
            is_all_day=phrase.is_all_day,
        )
        words = _with_time(_("Added to your calendar: %(title)s") % {"title": title}, phrase, place.now)
        recorder.words = f"{words} {conflict_words(place, event)}".strip()
    return Added(change=recorder.change_id, kind="event")


def conflict_words(place: Place, event: CalendarEvent) -> str:
    """Return a sentence on what an event is at the same time as; empty if nothing."""
    others = [each.event.title for each in conflicts_of(place.workspace, event, now=place.now)]
    if not others:
        return ""
    return _("It is at the same time as %(titles)s.") % {"titles": ", ".join(others[:CONFLICTS_NAMED])}


def _add_meal(place: Place, line: str, rest: str, phrase: TimePhrase | None) -> Added | NotUnderstood:
    foods = list(split_foods(_MEAL_WORDS.sub("", rest)))
    if not foods:
        return NotUnderstood(why=_("Write what you ate, for example “lunch: pasta, salad”."))
    at = phrase.start if phrase is not None and phrase.has_time else place.now
    kind = _meal_kind(line, at)
    with change_rows(place.person, place.workspace) as recorder:
        create_meal(recorder, foods=foods, kind=kind, eaten_at=at)
        said = _("%(kind)s: %(foods)s") % {"kind": str(kind.label).capitalize(), "foods": ", ".join(foods)}
        recorder.words = _with_time(said, phrase, place.now)
    return Added(change=recorder.change_id, kind="meal")


def _meal_kind(line: str, at: datetime) -> Meal.Kind:
    named = next((kind for kind in Meal.Kind if re.search(rf"\b{kind.value}\b", line, re.IGNORECASE)), None)
    return named or next((kind for hour, kind in _MEAL_HOURS if at.hour < hour), Meal.Kind.DINNER)


def _with_time(words: str, phrase: TimePhrase | None, now: datetime) -> str:
    return f"{words}, {describe_time(phrase, now)}." if phrase is not None else f"{words}."
