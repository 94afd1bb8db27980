"""Tasks: list, create, change, complete, remove. Each function works within one workspace."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db.models import F, Q
from django.utils import timezone

from tutoring.models import Task, Workspace
from tutoring.models.planner import NO_PRIORITY
from tutoring.planner.records.changes import ChangeRecorder
from tutoring.planner.records.limits import LONGEST_TITLE, MOST_CHANGED, MOST_SUBTASKS, PAGE_SIZE


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskPage:
    rows: list[Task]
    total: int


def open_tasks(workspace: Workspace) -> Any:
    """Return the tasks that are still to be done, without subtasks, as a queryset."""
    return Task.objects.inside(workspace).filter(done_at=None, parent=None)


def list_tasks(
    workspace: Workspace,
    *,
    due_from: date | None = None,
    due_to: date | None = None,
    done: bool = False,
    kind: str = "",
    page: int = 1,
    size: int = PAGE_SIZE,
) -> TaskPage:
    """Return a page of tasks: by due day (`due_to` included), those without one last, then by priority."""
    rows = Task.objects.inside(workspace).filter(parent=None, done_at__isnull=not done)
    if kind:
        rows = rows.filter(kind=kind)
    if due_from is not None:
        rows = rows.filter(due_on__gte=due_from)
    if due_to is not None:
        rows = rows.filter(due_on__lte=due_to)
    order = (F("due_on").asc(nulls_last=True), F("due_at").asc(nulls_last=True), "-priority", "position", "pk")
    start = (max(page, 1) - 1) * size
    return TaskPage(rows=list(rows.order_by(*order)[start : start + size]), total=rows.count())


def create_task(
    recorder: ChangeRecorder,
    *,
    title: str,
    kind: str = Task.Kind.TODO,
    due_on: date | None = None,
    due_at: datetime | None = None,
    remind_at: datetime | None = None,
    priority: int = NO_PRIORITY,
    parts: Sequence[str] = (),
    notes: str = "",
) -> Task:
    """Store a task with its subtasks. Raises TooManyRows."""
    row = recorder.make(
        Task,
        title=title[:LONGEST_TITLE],
        kind=kind,
        due_on=due_on,
        due_at=due_at,
        remind_at=remind_at,
        priority=priority,
        notes=notes,
    )
    add_subtasks(recorder, row, parts)
    return row


def add_subtasks(recorder: ChangeRecorder, task: Task, parts: Sequence[str]) -> list[Task]:
    """Add subtasks after those that the task has; at most `MOST_SUBTASKS` in all."""
    there = task.subtasks.filter(removed_at=None).count() if parts else 0
    return [
        recorder.make(Task, title=each[:LONGEST_TITLE], kind=task.kind, parent=task, position=number)
        for number, each in enumerate(parts[: max(0, MOST_SUBTASKS - there)], there)
    ]


def locked_tasks(workspace: Workspace, ids: Sequence[int]) -> list[Task]:
    """Return tasks to be changed; the caller has the transaction. Those of others, or removed, are left out."""
    return list(
        Task.objects.select_for_update().inside(workspace).filter(pk__in=list(ids)[:MOST_CHANGED]).order_by("pk")
    )


def complete_task(recorder: ChangeRecorder, task: Task) -> None:
    """Mark a task and its open subtasks as done."""
    now = timezone.now()
    for each in [task, *task.subtasks.filter(removed_at=None, done_at=None)]:
        if each.done_at is None:
            recorder.update(each, done_at=now)


def reopen_task(recorder: ChangeRecorder, task: Task) -> None:
    recorder.update(task, done_at=None)


def remove_task(recorder: ChangeRecorder, task: Task) -> None:
    """Remove a task with its subtasks."""
    for each in [*task.subtasks.filter(removed_at=None), task]:
        recorder.remove(each)


def tasks_named(workspace: Workspace, *, done: bool | None = False) -> Any:
    """Return the tasks among which a name is looked for: open ones, done ones, or all (None), subtasks too."""
    rows = Task.objects.inside(workspace)
    return rows if done is None else rows.filter(Q(done_at__isnull=not done))
