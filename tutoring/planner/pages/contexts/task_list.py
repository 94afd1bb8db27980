"""The list of tasks: filtered, sorted, in groups by when they are due, a page at a time."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from itertools import groupby
from typing import Any, Final
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.db.models import Count, F, Prefetch, Q, QuerySet
from django.http import QueryDict
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from tutoring.models import Task
from tutoring.planner.pages.contexts.day_entries import time_words
from tutoring.planner.pages.place import Place

PAGE_SIZE: Final = 50
DONE_SHOWN: Final = 5
"""Done tasks below the open ones; the filter shows the others."""
LONGEST_WORDS: Final = 100
_DUE = (F("due_on").asc(nulls_last=True), F("due_at").asc(nulls_last=True))
SORTS: Final[dict[str, tuple[Any, ...]]] = {
    "due": (*_DUE, "-priority", "position", "pk"),
    "priority": ("-priority", *_DUE, "pk"),
    "title": ("title", "pk"),
    "newest": ("-pk",),
}
SORT_WORDS: Final = {
    "due": _("due date"),
    "priority": _("priority"),
    "title": _("title"),
    "newest": _("newest first"),
}
GROUPS: Final = {
    "overdue": _("Overdue"),
    "today": _("Today"),
    "week": _("This week"),
    "later": _("Later"),
    "none": _("No date"),
    "all": _("Tasks"),
    "done": _("Done"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFilter:
    """What the person wants to see of their tasks."""

    words: str = ""
    kind: str = ""
    sort: str = "due"
    done: bool = False
    page: int = 1

    @classmethod
    def from_query(cls, query: QueryDict) -> "TaskFilter":
        """Return the filter of an address; what it cannot mean is left out."""
        page = query.get("page", "")
        return cls(
            words=" ".join(query.get("q", "").split())[:LONGEST_WORDS],
            kind=query.get("kind", "") if query.get("kind") in Task.Kind.values else "",
            sort=query.get("sort", "") if query.get("sort") in SORTS else "due",
            done=query.get("show") == "done",
            page=int(page) if page.isdecimal() and len(page) < 7 else 1,
        )

    def query(self, **changed: Any) -> str:
        """Return the address's query for this filter with these changes, without what is usual."""
        values = {"q": self.words, "kind": self.kind, "sort": self.sort if self.sort != "due" else ""}
        values |= {"show": "done" if self.done else ""} | changed
        return urlencode({name: value for name, value in values.items() if value})


def task_list_context(place: Place, wanted: TaskFilter) -> dict[str, Any]:
    """Return one page of the tasks that the filter names, in groups, with how many there are in each."""
    every = Task.objects.inside(place.workspace).filter(parent=None)
    rows = _filtered(every, wanted)
    order = ("-done_at", "-pk") if wanted.done else SORTS[wanted.sort]
    page = Paginator(rows.order_by(*order).prefetch_related(_subtasks()), PAGE_SIZE).get_page(wanted.page)
    tasks = list(page.object_list)
    counts = _counts(place, rows) if wanted.sort == "due" and not wanted.done else {}
    latest = every.exclude(done_at=None).order_by("-done_at", "-pk").prefetch_related(_subtasks())[:DONE_SHOWN]
    return {
        "filter": wanted,
        "groups": _groups(place, tasks, wanted, counts),
        "total": page.paginator.count,
        "page": page,
        "newer_query": wanted.query(page=page.previous_page_number()) if page.has_previous() else "",
        "older_query": wanted.query(page=page.next_page_number()) if page.has_next() else "",
        "sorts": [(key, words, wanted.sort == key) for key, words in SORT_WORDS.items()],
        "kinds": Task.Kind.choices,
        "done_query": wanted.query(show="done"),
        "open_query": wanted.query(show=""),
        "latest_done": [] if wanted.done else [task_row(place, each) for each in latest],
        "has_any": bool(tasks) or every.exists(),
    }


def task_row(place: Place, task: Task) -> dict[str, Any]:
    """Return a task as a row of the list, with its subtasks as a checklist."""
    parts = [each for each in task.subtasks.all() if each.removed_at is None]
    due = task.due_at.astimezone(place.zone) if task.due_at else None
    return {
        "task": task,
        "is_done": task.done_at is not None,
        "due": due_words(place, task),
        "time": time_words(due) if due else "",
        "is_overdue": is_overdue(place, task),
        "parts": parts,
        "parts_done": sum(each.done_at is not None for each in parts),
        "marks": "!" * task.priority,
    }


def is_overdue(place: Place, task: Task) -> bool:
    if task.done_at is not None or task.due_on is None:
        return False
    return task.due_on < place.today or (task.due_at is not None and task.due_at < place.now)


def due_words(place: Place, task: Task) -> str:
    """Return the day on which a task is due; empty without one."""
    if task.due_on is None:
        return ""
    days = (task.due_on - place.today).days
    near = {-1: _("yesterday"), 0: _("today"), 1: _("tomorrow")}.get(days)
    if near is not None:
        return str(near)
    if 1 < days < 7:
        return date_format(task.due_on, "l")
    return date_format(task.due_on, "MONTH_DAY_FORMAT" if task.due_on.year == place.today.year else "DATE_FORMAT")


def _filtered(rows: QuerySet[Task], wanted: TaskFilter) -> QuerySet[Task]:
    rows = rows.exclude(done_at=None) if wanted.done else rows.filter(done_at=None)
    if wanted.kind:
        rows = rows.filter(kind=wanted.kind)
    for word in wanted.words.split():
        named = Q(title__icontains=word) | Q(notes__icontains=word)
        rows = rows.filter(named | Q(subtasks__title__icontains=word, subtasks__removed_at=None))
    return rows.distinct() if wanted.words else rows


def _subtasks() -> Prefetch[Any]:
    return Prefetch("subtasks", queryset=Task.objects.kept().order_by("position", "pk"))


def _conditions(place: Place) -> dict[str, Q]:
    """Return what the groups of open tasks have in common. This week ends on Sunday."""
    today, sunday = place.today, place.today + timedelta(days=6 - place.today.weekday())
    is_late = Q(due_on__lt=today) | Q(due_on=today, due_at__lt=place.now)
    return {
        "overdue": is_late,
        "today": Q(due_on=today) & ~Q(due_on=today, due_at__lt=place.now, due_at__isnull=False),
        "week": Q(due_on__gt=today, due_on__lte=sunday),
        "later": Q(due_on__gt=sunday),
        "none": Q(due_on=None),
    }


def _counts(place: Place, rows: QuerySet[Task]) -> dict[str, int]:
    counted = {name: Count("pk", filter=condition, distinct=True) for name, condition in _conditions(place).items()}
    return dict(rows.order_by().aggregate(**counted))


def _group_of(place: Place, task: Task) -> str:
    if task.due_on is None:
        return "none"
    if is_overdue(place, task):
        return "overdue"
    sunday = place.today + timedelta(days=6 - place.today.weekday())
    return "today" if task.due_on == place.today else "week" if task.due_on <= sunday else "later"


def _groups(place: Place, tasks: Iterable[Task], wanted: TaskFilter, counts: dict[str, int]) -> list[dict[str, Any]]:
    """Return the page's tasks in groups, in order."""

    def group_of(task: Task) -> str:
        return "done" if wanted.done else _group_of(place, task) if wanted.sort == "due" else "all"

    # Overdue at a time of today sorts between today's: the groups are put together again.
    order = list(GROUPS)
    ordered = sorted(tasks, key=lambda task: order.index(group_of(task)))
    return [
        {"key": key, "title": GROUPS[key], "count": counts.get(key), "rows": [task_row(place, each) for each in rows]}
        for key, rows in groupby(ordered, key=group_of)
    ]
