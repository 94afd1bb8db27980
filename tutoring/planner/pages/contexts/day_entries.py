"""The entries of days: events, tasks, meals, reviews and assignments, each as what a template shows."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Literal

from django.db.models import Count, F
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.assignments.audiences import given_to
from tutoring.assignments.progress_records import progress_of
from tutoring.mastery.records.reviews import scheduled_reviews
from tutoring.models import Assignment, Meal, Task
from tutoring.models.planner import PERSONAL_WORKSPACE
from tutoring.planner.pages.place import Place
from tutoring.planner.records.events import EventTime, all_conflicts, events_between

SHOWN_A_DAY: Final = 12
"""Tasks of one day; the list of tasks has the others."""
MEAL_LENGTH: Final = timedelta(minutes=30)
TITLES_NAMED: Final = 3
type Kind = Literal["event", "task", "meal", "review", "assignment"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """An entry of a day."""

    kind: Kind
    look: str
    """How it is colored: the event's kind, `meal`, `task`, `review` or `assignment`."""
    title: str
    url: str
    id: str
    """The element's id, the same after a move."""
    start: datetime | None = None
    """In the person's zone; None for what belongs to the day as a whole."""
    end: datetime | None = None
    words: str = ""
    """The time, as it is read."""
    note: str = ""
    conflict: str = ""
    """What it is at the same time as; empty if nothing."""
    is_done: bool = False
    recurs: bool = False
    move_url: str = ""
    """Where it is moved to another time; empty for what cannot be moved."""
    occurrence: str = ""
    """The start that the move is from, as ISO 8601 in UTC."""
    row: Any = None


@dataclass(slots=True, kw_only=True)
class Day:
    """A day and its entries."""

    date: date
    anytime: list[Entry] = field(default_factory=list)
    timed: list[Entry] = field(default_factory=list)
    more: int = 0
    """Tasks that are not shown."""

    @property
    def is_empty(self) -> bool:
        return not (self.anytime or self.timed)


def days_from(place: Place, first: date, *, count: int) -> list[Day]:
    """Return so many days with their entries."""
    after, before = place.day_span(first, days=count)
    days = {first + timedelta(days=number): Day(date=first + timedelta(days=number)) for number in range(count)}
    _add_events(place, days, after=after, before=before)
    _add_reviews(place, days)
    _add_assignments(place, days, after=after, before=before)
    _add_tasks(place, days)
    _add_meals(place, days, after=after, before=before)
    for day in days.values():
        day.timed.sort(key=lambda each: (each.start, each.end, each.id))
    return list(days.values())


def time_words(start: datetime, end: datetime | None = None) -> str:
    """Return a time or a span of time, such as 16:00–17:00."""
    begins = date_format(start, "H:i")
    return f"{begins}–{date_format(end, 'H:i')}" if end and end != start else begins


# --- Events ---


def _add_events(place: Place, days: Mapping[date, Day], *, after: datetime, before: datetime) -> None:
    conflicts = _conflicts(place, after=after, before=before)
    # What has no length is also found where it only touches the span.
    for found in events_between(place.workspace, after, before):
        first, last = _first_and_last_day(place, found)
        for day in days:
            if first <= day <= last:
                entry = event_entry(place, found, day=day, others=conflicts[_key(found)])
                (days[day].anytime if found.event.is_all_day else days[day].timed).append(entry)


def _first_and_last_day(place: Place, found: EventTime) -> tuple[date, date]:
    """Return the days of an occurrence; one that ends at midnight is not on the day that begins then."""
    start, end = _span(place, found)
    return start.date(), max(start, end - timedelta(seconds=1)).date()


def _span(place: Place, found: EventTime) -> tuple[datetime, datetime]:
    """Return start and end in the person's zone; whole days are those of the event's own zone, wherever the person is."""
    if found.event.is_all_day:
        return found.start, found.end
    return found.start.astimezone(place.zone), found.end.astimezone(place.zone)


def event_entry(place: Place, found: EventTime, *, day: date, others: Sequence[str] = ()) -> Entry:
    """Return an occurrence as an entry of one of its days; `others` is what takes place at the same time."""
    start, end = _span(place, found)
    event = found.event
    occurrence = found.start.astimezone(UTC).isoformat()
    midnight, next_midnight = place.day_span(day)
    url = reverse("planner-event", args=[event.pk])
    return Entry(
        kind="event",
        look=event.kind,
        title=event.title,
        url=f"{url}?at={occurrence.replace('+', '%2B')}" if event.rule else url,
        id=f"event-{event.pk}-{day:%Y%m%d}",
        start=None if event.is_all_day else max(start, midnight),
        end=None if event.is_all_day else min(end, next_midnight),
        words=_("all day") if event.is_all_day else time_words(start, end),
        note=event.place,
        conflict=_("At the same time as %(titles)s") % {"titles": ", ".join(others)} if others else "",
        recurs=bool(event.rule),
        move_url=reverse("planner-event-move", args=[event.pk]) if day == start.date() else "",
        occurrence=occurrence,
        row=event,
    )


def _conflicts(place: Place, *, after: datetime, before: datetime) -> dict[tuple[int, datetime], list[str]]:
    """Return by occurrence the titles of what takes place at the same time."""
    titles: dict[tuple[int, datetime], list[str]] = defaultdict(list)
    for first, second in all_conflicts(place.workspace, after, before):
        titles[_key(first)].append(second.event.title)
        titles[_key(second)].append(first.event.title)
    return titles


def _key(found: EventTime) -> tuple[int, datetime]:
    return found.event.pk, found.start


# --- Tasks, meals, reviews ---


def task_entry(place: Place, task: Task) -> Entry:
    """Return a task as an entry of the day on which it is due."""
    due = task.due_at.astimezone(place.zone) if task.due_at else None
    return Entry(
        kind="task",
        look="task",
        title=task.title,
        url=reverse("planner-task", args=[task.pk]),
        id=f"task-{task.pk}",
        words=_("by %(time)s") % {"time": time_words(due)} if due else "",
        is_done=task.done_at is not None,
        move_url=reverse("planner-task-move", args=[task.pk]),
        row=task,
    )


def meal_entry(place: Place, meal: Meal) -> Entry:
    start = meal.eaten_at.astimezone(place.zone)
    return Entry(
        kind="meal",
        look="meal",
        title=str(meal),
        url=reverse("planner-meal", args=[meal.pk]),
        id=f"meal-{meal.pk}",
        start=start,
        end=min(start + MEAL_LENGTH, place.midnight(start.date() + timedelta(days=1))),
        words=time_words(start),
        note=_("planned") if meal.is_planned else "",
        row=meal,
    )


def _add_tasks(place: Place, days: Mapping[date, Day]) -> None:
    due = Task.objects.inside(place.workspace).filter(parent=None, due_on__in=list(days))
    counts = dict(due.order_by().values_list("due_on").annotate(Count("pk")))
    for on, count in counts.items():
        rows = due.filter(due_on=on).order_by(F("done_at").asc(nulls_first=True), "-priority", "due_at", "pk")
        days[on].anytime += [task_entry(place, each) for each in rows[:SHOWN_A_DAY]]
        days[on].more = max(0, count - SHOWN_A_DAY)


def _add_meals(place: Place, days: Mapping[date, Day], *, after: datetime, before: datetime) -> None:
    for meal in Meal.objects.inside(place.workspace).filter(eaten_at__gte=after, eaten_at__lt=before)[: 8 * len(days)]:
        entry = meal_entry(place, meal)
        if entry.start is not None:
            days[entry.start.date()].timed.append(entry)


def _add_reviews(place: Place, days: Mapping[date, Day]) -> None:
    """Add the reviews, which belong to the person: the personal workspace shows them. What is overdue is for today."""
    if place.workspace.key != PERSONAL_WORKSPACE:
        return
    titles: dict[date, list[str]] = defaultdict(list)
    for each in scheduled_reviews(place.person, at=place.now):
        titles[max(place.today, each.due_at.astimezone(place.zone).date())].append(each.concept.title)
    for on in titles.keys() & days.keys():
        days[on].anytime.append(_review_entry(on, titles[on]))


def _add_assignments(place: Place, days: Mapping[date, Day], *, after: datetime, before: datetime) -> None:
    """Add what the person's classes have to do, on the day when it is due: it belongs to the person, as reviews do."""
    if place.workspace.key != PERSONAL_WORKSPACE:
        return
    rows = list(given_to(place.person, at=place.now).filter(due_at__gte=after, due_at__lt=before))
    progress = progress_of({each: [place.person.pk] for each in rows}, now=place.now) if rows else {}
    for each in rows:
        is_done = progress[each][place.person.pk].is_over
        days[each.due_at.astimezone(place.zone).date()].anytime.append(_assignment_entry(each, is_done=is_done))


def _assignment_entry(assignment: Assignment, *, is_done: bool) -> Entry:
    return Entry(
        kind="assignment",
        look="assignment",
        title=assignment.title,
        url=assignment.get_absolute_url(),
        id=f"assignment-{assignment.pk}",
        note=assignment.classroom.name,
        is_done=is_done,
    )


def _review_entry(on: date, titles: Sequence[str]) -> Entry:
    count = len(titles)
    return Entry(
        kind="review",
        look="review",
        title=ngettext("%(count)d review", "%(count)d reviews", count) % {"count": count},
        url=reverse("review"),
        id=f"reviews-{on:%Y%m%d}",
        note=", ".join(titles[:TITLES_NAMED]) + (" …" if count > TITLES_NAMED else ""),
    )
