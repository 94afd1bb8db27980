"""Tasks: the list, one task, and what is done with it."""

from datetime import datetime
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tutoring.models import Task
from tutoring.models.planner import TITLE_MAX_LENGTH
from tutoring.pages.views.requests import LearnerRequest
from tutoring.planner.pages.contexts.day_entries import time_words
from tutoring.planner.pages.contexts.task_list import TaskFilter, due_words, task_list_context, task_row
from tutoring.planner.pages.forms.entries import MoveForm, TaskForm
from tutoring.planner.pages.forms.fields import moment
from tutoring.planner.pages.place import Place, back, entry_for, frame_context, place_of
from tutoring.planner.records.changes import TooManyRows, change_rows
from tutoring.planner.records.limits import MOST_SUBTASKS
from tutoring.planner.records.tasks import add_subtasks, complete_task, remove_task, reopen_task


@login_required
@require_safe
def tasks(request: LearnerRequest) -> HttpResponse:
    place = place_of(request)
    listed = task_list_context(place, TaskFilter.from_query(request.GET))
    return render(request, "planner/tasks.html", frame_context(request, place, page="tasks") | listed)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def task(request: LearnerRequest, pk: int) -> HttpResponse:
    """Show and save a task; a subtask is shown on the page of its task."""
    place = place_of(request)
    found = entry_for(place, Task, pk)
    form = TaskForm(request.POST if request.method == "POST" else None, initial=TaskForm.initial_of(found))
    if not form.is_valid():
        return _page(request, place, found, form, status=422 if form.is_bound else 200)
    with change_rows(place.person, place.workspace) as recorder:
        recorder.update(found, **_reminding(found, form.fields_of_row()))
        recorder.words = _("Changed: %(title)s.") % {"title": found.title}
    return back(request, change=recorder.change_id, fallback="planner-tasks")


def _reminding(found: Task, fields: dict[str, Any]) -> dict[str, Any]:
    """Return the fields, with the reminder to be given again if it was set to another time."""
    return fields | ({} if fields["remind_at"] == found.remind_at else {"reminded_at": None})


def _page(request: LearnerRequest, place: Place, found: Task, form: TaskForm, *, status: int) -> HttpResponse:
    shown = {"row": task_row(place, found), "form": form, "parent": found.parent}
    return render(request, "planner/task.html", frame_context(request, place, page="tasks") | shown, status=status)


@login_required
@require_POST
def done(request: LearnerRequest, pk: int) -> HttpResponse:
    """Mark a task as done, or as open again if it was."""
    place = place_of(request)
    found = entry_for(place, Task, pk)
    with change_rows(place.person, place.workspace) as recorder:
        if found.done_at is None:
            complete_task(recorder, found)
            recorder.words = _("Done: %(title)s.") % {"title": found.title}
        else:
            reopen_task(recorder, found)
            recorder.words = _("Open again: %(title)s.") % {"title": found.title}
    return back(request, change=recorder.change_id, fallback="planner-tasks")


@login_required
@require_POST
def remove(request: LearnerRequest, pk: int) -> HttpResponse:
    place = place_of(request)
    found = entry_for(place, Task, pk)
    with change_rows(place.person, place.workspace) as recorder:
        remove_task(recorder, found)
        recorder.words = _("Deleted: %(title)s.") % {"title": found.title}
    return back(request, change=recorder.change_id, fallback="planner-tasks")


@login_required
@require_POST
def add_part(request: LearnerRequest, pk: int) -> HttpResponse:
    """Add a subtask."""
    place = place_of(request)
    found = entry_for(place, Task, pk)
    title = " ".join(request.POST.get("title", "").split())[:TITLE_MAX_LENGTH]
    if not title or found.parent_id is not None:
        messages.error(request, _("Write what the subtask is."))
        return redirect("planner-task", pk=pk)
    try:
        with change_rows(place.person, place.workspace) as recorder:
            made = add_subtasks(recorder, found, [title])
            recorder.words = _("Added to %(task)s: %(title)s.") % {"task": found.title, "title": title}
    except TooManyRows:
        made = []
    if not made:
        said = _("A task has at most %(count)d subtasks.") % {"count": MOST_SUBTASKS}
        messages.error(request, said)
    return back(request, change=recorder.change_id if made else "", fallback="planner-tasks")


@login_required
@require_POST
def move(request: LearnerRequest, pk: int) -> HttpResponse:
    """Make a task due on another day, and at another time if the form has one."""
    place = place_of(request)
    found = entry_for(place, Task, pk)
    form = MoveForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("That is not a day. Nothing was changed."))
        return back(request, fallback="planner-week")
    day, clock = form.cleaned_data["day"], form.cleaned_data["clock"]
    due_at = _due_at(found, day, clock, place)
    with change_rows(place.person, place.workspace) as recorder:
        recorder.update(found, due_on=day, due_at=due_at)
        when = due_words(place, found) + (f", {time_words(due_at)}" if due_at else "")
        recorder.words = _("%(title)s is now due %(when)s.") % {"title": found.title, "when": when}
    return back(request, change=recorder.change_id, fallback="planner-week")


def _due_at(found: Task, day: Any, clock: Any, place: Place) -> datetime | None:
    """Return the time of the new day; a task keeps its time of day unless it gets another one."""
    clock = clock or (timezone.localtime(found.due_at).time() if found.due_at else None)
    return moment(day, clock, place.zone) if clock else None
