"""The planner's words for times, rows and lists. Pure; times are given in the person's zone."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any

from django.utils.dates import MONTHS, WEEKDAYS
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.models import CalendarEvent, Task
from tutoring.planner.times.time_phrases import describe_time
from tutoring.planner.times.values import TimePhrase

MOST_NAMED = 15
"""Rows of a list in a reply; the page shows the rest."""


def day_words(day: date, now: datetime) -> str:
    """Return a day: "today", "tomorrow", "Friday 4 December", with its year if that is another one."""
    if day == now.date():
        return _("today")
    if day == now.date() + timedelta(days=1):
        return _("tomorrow")
    words = _("%(weekday)s %(day)d %(month)s") % {
        "weekday": WEEKDAYS[day.weekday()],
        "day": day.day,
        "month": MONTHS[day.month],
    }
    return words if day.year == now.year else f"{words} {day.year}"


def on_day(day: date, now: datetime) -> str:
    """Return a day as it stands in a sentence: "today", "on Friday 4 December"."""
    words = day_words(day, now)
    return words if (day - now.date()).days in (0, 1) else _("on %(day)s") % {"day": words}


def days_span(first: date, last: date, now: datetime) -> str:
    """Return several days as they stand in a sentence: "this week", "from today to Friday 4 December"."""
    monday = now.date() - timedelta(days=now.weekday())
    if (last - first).days == 6 and first == monday:
        return _("this week")
    if (last - first).days == 6 and first == monday + timedelta(days=7):
        return _("next week")
    return _("from %(first)s to %(last)s") % {"first": day_words(first, now), "last": day_words(last, now)}


def at_time(at: datetime, now: datetime) -> str:
    """Return a moment as it stands in a sentence: "tomorrow at 16:00"."""
    return _("%(day)s at %(time)s") % {"day": on_day(at.date(), now), "time": f"{at:%H:%M}"}


def span_words(start: datetime, end: datetime, now: datetime, *, is_all_day: bool = False) -> str:
    """Return when something takes place: "tomorrow, 16:00–17:00"; whole days by their names."""
    if is_all_day:
        last = (end - timedelta(microseconds=1)).date()
        if last <= start.date():
            return day_words(start.date(), now)
        return _("%(first)s to %(last)s") % {"first": day_words(start.date(), now), "last": day_words(last, now)}
    if end <= start:
        return _("%(day)s, %(time)s") % {"day": day_words(start.date(), now), "time": f"{start:%H:%M}"}
    until = f"{end:%H:%M}" if end.date() == start.date() else f"{day_words(end.date(), now)} {end:%H:%M}"
    return f"{day_words(start.date(), now)}, {start:%H:%M}–{until}"


def rule_words(rule: str, start: datetime, now: datetime, *, is_all_day: bool = False) -> str:
    """Return a recurrence with its time of day: "every Tuesday and Thursday at 17:00"."""
    phrase = TimePhrase(start=start, is_all_day=is_all_day, has_date=True, rule=rule, quote="", span=(0, 0), pieces=())
    return describe_time(phrase, now)


def event_words(event: CalendarEvent, start: datetime, end: datetime, now: datetime) -> str:
    """Return an event for a list: "Football, tomorrow, 17:00–18:00"."""
    return f"{event.title}: {span_words(start, end, now, is_all_day=event.is_all_day)}"


def due_words(task: Task, now: datetime) -> str:
    """Return when a task is due, or when its reminder comes; empty if neither is known."""
    if task.due_at is not None:
        return _("due %(when)s") % {"when": at_time(task.due_at.astimezone(now.tzinfo), now)}
    if task.due_on is not None:
        overdue = task.due_on < now.date() and task.done_at is None
        words = _("was due %(when)s") if overdue else _("due %(when)s")
        return words % {"when": on_day(task.due_on, now)}
    if task.remind_at is not None:
        return _("reminder %(when)s") % {"when": at_time(task.remind_at.astimezone(now.tzinfo), now)}
    return ""


def priority_words(priority: int) -> str:
    return {1: _("low priority"), 2: _("medium priority"), 3: _("high priority")}.get(priority, "")


def task_words(task: Task, now: datetime) -> str:
    """Return a task for a list: "Math homework, due tomorrow, high priority"."""
    return ", ".join(filter(None, (task.title, due_words(task, now), priority_words(task.priority))))


def joined(words: Sequence[str]) -> str:
    """Return words as in a sentence: "tent, food and torch"."""
    if len(words) < 2:
        return "".join(words)
    return _("%(some)s and %(last)s") % {"some": ", ".join(words[:-1]), "last": words[-1]}


def listed(lines: Sequence[str], *, total: int = 0, most: int = MOST_NAMED) -> str:
    """Return lines as a list, at most `most`, and how many more there are."""
    shown = [f"- {each}" for each in lines[:most]]
    more = max(total, len(lines)) - len(shown)
    if more > 0:
        shown.append("- " + ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more})
    return "\n".join(shown)


def said_back(words: str) -> str:
    """Return the person's words as the agent says them: "bring my ruler" becomes "bring your ruler"."""
    swaps: dict[str, Any] = {
        "my": "your",
        "me": "you",
        "i": "you",
        "i'm": "you’re",
        "mine": "yours",
        "myself": "yourself",
    }
    parts = [swaps.get(each.casefold(), each) for each in words.split(" ")]
    return " ".join(parts)


def lowered(title: str) -> str:
    """Return a title in the middle of a sentence; one that begins with a name or an abbreviation stays."""
    first, _space, rest = title.partition(" ")
    if first[:1].isupper() and first[1:].islower() and first.casefold() not in _NAMES:
        return f"{first.casefold()} {rest}".strip()
    return title


_NAMES = frozenset(
    [
        "english",
        "french",
        "german",
        "spanish",
        "latin",
        "i",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "christmas",
        "easter",
    ]
)
