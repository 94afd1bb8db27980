"""The task agent's tools: find, create, change, complete and delete tasks; reminders that recur or precede an event."""

from datetime import date, datetime, time, timedelta
from typing import Any, Final, Literal

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import Field

from agents.tools import Tool, ToolFailed
from tutoring.models import Task
from tutoring.planner.records import events, tasks
from tutoring.planner.records.changes import change_of_use, change_rows
from tutoring.planner.records.limits import LONGEST_NOTE, LONGEST_TITLE, MOST_SUBTASKS
from tutoring.planner.records.search import SearchMode, find_rows
from tutoring.planner.tools.class_work import class_work_words
from tutoring.planner.tools.results import PlannerArguments, PlannerResult, PlannerUse, planner_tool, storable
from tutoring.planner.tools.targets import done_before, none_named, rows_named, shown, to_choose, with_one
from tutoring.planner.wording import (
    at_time,
    day_words,
    days_span,
    due_words,
    joined,
    listed,
    lowered,
    on_day,
    priority_words,
    rule_words,
    said_back,
    task_words,
)

LEAD_MINUTES: Final = 60
"""How long before an event a reminder comes, if nothing is said about it."""


class FindTasks(PlannerArguments):
    words: str = Field(default="", max_length=LONGEST_TITLE, description="Words of the title; empty for all.")
    mode: SearchMode = Field(default="hybrid", description="Compare words, meaning, or both.")
    due_from: date | None = None
    due_to: date | None = Field(default=None, description="Included.")
    done: bool = Field(default=False, description="Finished tasks instead of open ones.")
    kind: Literal["", "todo", "homework", "reminder"] = ""
    page: int = Field(default=1, ge=1, le=10_000)


class CreateTask(PlannerArguments):
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    kind: Literal["todo", "homework", "reminder"] = "todo"
    due_on: date | None = Field(default=None, description="The day by which it is due.")
    due_at: datetime | None = Field(default=None, description="The time, in the person's zone, if it is known.")
    remind_at: datetime | None = Field(default=None, description="When to remind the person.")
    remind_on: date | None = Field(default=None, description="The day of a reminder without a time of day.")
    rule: str = Field(default="", max_length=500, description="The RRULE of a reminder that recurs.")
    priority: int | None = Field(default=None, ge=0, le=3, description="3 is the highest.")
    parts: list[str] = Field(default_factory=list, max_length=MOST_SUBTASKS, description="Subtasks.")
    notes: str = Field(default="", max_length=LONGEST_NOTE)
    before_event: str = Field(default="", max_length=LONGEST_TITLE, description="Remind before (or after) this event.")
    after: bool = False
    lead_minutes: int | None = Field(default=None, ge=0, le=14 * 24 * 60)


class ChangeTask(PlannerArguments):
    target: str = Field(default="", max_length=LONGEST_TITLE, description="The task, in words.")
    task: int | None = Field(default=None, ge=1, description="The task's number, if it is known.")
    title: str = Field(default="", max_length=LONGEST_TITLE)
    due_on: date | None = None
    due_at: datetime | None = None
    clock_only: bool = Field(default=False, description="Only the time of day of `due_at` counts; the day stays.")
    priority: int | None = Field(default=None, ge=0, le=3)
    parts: list[str] = Field(default_factory=list, max_length=MOST_SUBTASKS, description="Subtasks to add.")


class NamedTask(PlannerArguments):
    target: str = Field(default="", max_length=LONGEST_TITLE, description="The task, in words.")
    task: int | None = Field(default=None, ge=1, description="The task's number, if it is known.")
    every: bool = Field(default=False, description="All tasks that match.")


class CompleteTask(NamedTask):
    reopen: bool = Field(default=False, description="Mark it as not done instead.")


def find_tasks(use: PlannerUse, query: FindTasks) -> PlannerResult:
    """Return tasks by due day, or those that fit the words, the best first."""
    if query.words:
        among = tasks.tasks_named(use.workspace, done=query.done)
        rows = [each.row for each in find_rows(among, query.words, mode=query.mode)]
        total = len(rows)
    else:
        page = tasks.list_tasks(
            use.workspace,
            due_from=query.due_from,
            due_to=query.due_to,
            done=query.done,
            kind=query.kind,
            page=query.page,
        )
        rows, total = page.rows, page.total
    words, given = _list_words(use, query, rows, total), _class_work(use, query)
    return PlannerResult(
        status="found" if rows or given else "none",
        words="\n\n".join(filter(None, ("" if given and not rows else words, given))),
        rows=[shown(use, each) for each in rows],
    )


def _class_work(use: PlannerUse, query: FindTasks) -> str:
    """Return what the person's classes gave them to do, for a list of all that is open."""
    if query.words or query.done or query.kind == "reminder" or query.page > 1:
        return ""
    return class_work_words(use, due_from=query.due_from, due_to=query.due_to)


def _list_words(use: PlannerUse, query: FindTasks, rows: list[Task], total: int) -> str:
    span = _span(use, query)
    if not rows:
        if query.words:
            return _("I found no task that sounds like “%(words)s”.") % {"words": query.words}
        if span:
            return _("Nothing is due %(span)s.") % {"span": span}
        return _("You have finished no tasks yet.") if query.done else _("There is no open task on your list.")
    lines = [task_words(each, use.now) for each in rows]
    if query.done:
        lead = ngettext("You have finished %(count)d task:", "You have finished %(count)d tasks:", total)
    elif span:
        lead = ngettext("%(count)d task is due %(span)s:", "%(count)d tasks are due %(span)s:", total)
    else:
        lead = ngettext("You have %(count)d open task:", "You have %(count)d open tasks:", total)
    return f"{lead % {'count': total, 'span': span}}\n{listed(lines, total=total)}"


def _span(use: PlannerUse, query: FindTasks) -> str:
    """Return the span of days in words; empty for any day."""
    if query.due_to is None:
        return ""
    if query.due_from is None or query.due_from == query.due_to:
        return on_day(query.due_to, use.now)
    return days_span(query.due_from, query.due_to, use.now)


def create_task(use: PlannerUse, wanted: CreateTask) -> PlannerResult:
    """Store a task. A reminder that recurs, or comes before each time of a recurring event, is an event of no length."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    if wanted.before_event:
        return _remind_before(use, wanted)
    if wanted.rule:
        start = use.local(wanted.remind_at) if wanted.remind_at else _morning(use, wanted.remind_on or use.now.date())
        return _recurring(use, wanted, start=start, rule=wanted.rule)
    remind_at = use.local(wanted.remind_at) if wanted.remind_at else None
    if remind_at is None and wanted.remind_on is not None:
        remind_at = _morning(use, wanted.remind_on)
        if remind_at <= use.now:
            # Today, and the morning has gone: in an hour is better than never.
            remind_at = (use.now + timedelta(hours=1)).replace(second=0, microsecond=0)
    return _stored(use, wanted, remind_at=remind_at)


def _stored(use: PlannerUse, wanted: CreateTask, *, remind_at: datetime | None) -> PlannerResult:
    due_at = use.local(wanted.due_at) if wanted.due_at else None
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        row = tasks.create_task(
            recorder,
            title=storable(wanted.title),
            kind=wanted.kind,
            due_on=due_at.date() if due_at else wanted.due_on,
            due_at=due_at,
            remind_at=remind_at,
            priority=wanted.priority or 0,
            parts=[storable(each) for each in wanted.parts],
            notes=storable(wanted.notes),
        )
        recorder.words = _created_words(use, row, wanted.parts)
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def _created_words(use: PlannerUse, row: Task, parts: list[str]) -> str:
    if row.kind == Task.Kind.REMINDER and row.remind_at is not None:
        words = _("I’ll remind you %(when)s: %(what)s.") % {
            "when": at_time(row.remind_at.astimezone(use.zone), use.now),
            "what": said_back(lowered(row.title)),
        }
    else:
        facts = [
            _("%(title)s is on your list") % {"title": row.title},
            due_words(row, use.now),
            priority_words(row.priority),
        ]
        words = ", ".join(filter(None, facts)) + "."
    if parts:
        words += " " + ngettext(
            "It has %(count)d part: %(parts)s.", "It has %(count)d parts: %(parts)s.", len(parts)
        ) % {
            "count": len(parts),
            "parts": joined([lowered(each) for each in parts]),
        }
    return words


def _morning(use: PlannerUse, day: date) -> datetime:
    """Return the hour at which the person's day begins."""
    return datetime.combine(day, time(use.settings().day_starts), tzinfo=use.zone)


def _remind_before(use: PlannerUse, wanted: CreateTask) -> PlannerResult:
    """Store a reminder before the next time of an event; before each time, if it recurs."""
    found = rows_named(use, "event", wanted.before_event, None)
    if not found:
        words = _("I found nothing in your calendar that sounds like “%(event)s”. When should I remind you?")
        return PlannerResult(status="none", words=words % {"event": wanted.before_event})
    event = found[0]
    coming = events.next_time(event, use.now)
    if coming is None:
        raise ToolFailed(_("%(event)s is over.") % {"event": event.title})
    if event.is_all_day:
        # The evening before a test is the time to pack for it.
        start = use.midnight(coming.start.astimezone(use.zone).date()) - timedelta(hours=6)
        if start <= use.now:
            start = (use.now + timedelta(hours=1)).replace(second=0, microsecond=0)
    elif wanted.after:
        start = coming.end + timedelta(minutes=wanted.lead_minutes or 0)
    else:
        start = coming.start - timedelta(minutes=LEAD_MINUTES if wanted.lead_minutes is None else wanted.lead_minutes)
    start = start.astimezone(use.zone)
    order = _("after") if wanted.after else _("before")
    if wanted.title.casefold() == event.title.casefold():
        title = wanted.title
    else:
        title = f"{wanted.title} {order} {lowered(event.title)}"
    if event.rule and not event.is_all_day:
        return _recurring(use, wanted.model_copy(update={"title": title}), start=start, rule=event.rule)
    return _stored(use, wanted.model_copy(update={"title": title}), remind_at=start)


def _recurring(use: PlannerUse, wanted: CreateTask, *, start: datetime, rule: str) -> PlannerResult:
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        try:
            row = events.create_event(
                recorder,
                title=storable(wanted.title),
                start=start,
                end=start,
                zone=str(use.zone),
                rule=rule,
                remind_before=0,
                notes=storable(wanted.notes),
            )
        except ValueError as wrong:
            raise ToolFailed(str(wrong)) from None
        recorder.words = _("I’ll remind you %(when)s: %(what)s. First: %(first)s.") % {
            "when": rule_words(rule, start, use.now),
            "what": said_back(lowered(row.title)),
            "first": day_words(start.date(), use.now),
        }
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def change_task(use: PlannerUse, wanted: ChangeTask) -> PlannerResult:
    """Change a task's title, due day, priority or parts."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    return with_one(use, "task", wanted.target, wanted.task, lambda row: _changed(use, row.pk, wanted))


def _changed(use: PlannerUse, pk: int, wanted: ChangeTask) -> PlannerResult:
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        row = next(iter(tasks.locked_tasks(use.workspace, [pk])), None)
        if row is None:
            return none_named(use, "task", wanted.target)
        before = row.title
        fields = _new_fields(use, row, wanted)
        recorder.update(row, **fields)
        tasks.add_subtasks(recorder, row, [storable(each) for each in wanted.parts])
        facts = []
        if row.title != before:
            facts.append(_("“%(old)s” is now “%(new)s”.") % {"old": before, "new": row.title})
        if "remind_at" in fields and row.remind_at is not None:
            when = at_time(row.remind_at.astimezone(use.zone), use.now)
            facts.append(
                _("I’ll remind you %(when)s: %(what)s.") % {"when": when, "what": said_back(lowered(row.title))}
            )
        elif {"due_on", "due_at"} & fields.keys():
            facts.append(_("%(task)s is now %(due)s.") % {"task": row.title, "due": due_words(row, use.now)})
        if "priority" in fields:
            facts.append(
                _("%(task)s now has %(priority)s.") % {"task": row.title, "priority": priority_words(row.priority)}
                if row.priority
                else _("%(task)s has no priority any more.") % {"task": row.title}
            )
        if wanted.parts:
            names = joined([lowered(each) for each in wanted.parts])
            facts.append(_("%(task)s now also has: %(parts)s.") % {"task": row.title, "parts": names})
        recorder.words = " ".join(facts) or _("%(task)s stays as it is.") % {"task": row.title}
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def _new_fields(use: PlannerUse, row: Task, wanted: ChangeTask) -> dict[str, object]:
    """Return the fields that change; a time moves a reminder's time, otherwise the due time."""
    fields: dict[str, object] = {}
    if wanted.title:
        fields["title"] = storable(wanted.title)
    if wanted.priority is not None:
        fields["priority"] = wanted.priority
    at = use.local(wanted.due_at) if wanted.due_at else None
    if at is not None and wanted.clock_only:
        stood = row.due_on or (row.remind_at.astimezone(use.zone).date() if row.remind_at is not None else None)
        at = datetime.combine(stood, at.time(), tzinfo=use.zone) if stood is not None else at
    if row.remind_at is not None and row.due_on is None and (at or wanted.due_on):
        kept = row.remind_at.astimezone(use.zone)
        day = wanted.due_on or kept.date()
        fields |= {"remind_at": at or datetime.combine(day, kept.time(), tzinfo=use.zone), "reminded_at": None}
    elif at is not None:
        fields |= {"due_at": at, "due_on": at.date()}
    elif wanted.due_on is not None:
        kept_due = row.due_at.astimezone(use.zone) if row.due_at is not None else None
        due_at = datetime.combine(wanted.due_on, kept_due.time(), tzinfo=use.zone) if kept_due is not None else None
        fields |= {"due_on": wanted.due_on, "due_at": due_at}
    return fields


def complete_task(use: PlannerUse, wanted: CompleteTask) -> PlannerResult:
    """Mark a task as done, with its subtasks; or as not done."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    among = tasks.tasks_named(use.workspace, done=wanted.reopen)
    return _with_tasks(use, wanted, "reopen" if wanted.reopen else "complete", among)


def delete_task(use: PlannerUse, wanted: NamedTask) -> PlannerResult:
    """Remove a task with its subtasks; it can be undone."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    return _with_tasks(use, wanted, "delete", tasks.tasks_named(use.workspace, done=None))


def _with_tasks(
    use: PlannerUse, wanted: NamedTask, what: Literal["complete", "reopen", "delete"], among: Any
) -> PlannerResult:
    found = rows_named(use, "task", wanted.target, wanted.task, rows=among, every=wanted.every)
    if not found:
        return none_named(use, "task", wanted.target, rows=among)
    if len(found) > 1 and not wanted.every:
        return to_choose(use, found)
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        rows = tasks.locked_tasks(use.workspace, [each.pk for each in found])
        work = {"complete": tasks.complete_task, "reopen": tasks.reopen_task, "delete": tasks.remove_task}[what]
        for row in rows:
            work(recorder, row)
        names = joined([each.title for each in rows])
        recorder.words = {
            "complete": ngettext("%(names)s: done. Well done!", "%(names)s: all done. Well done!", len(rows)),
            "reopen": ngettext("%(names)s is open again.", "%(names)s are open again.", len(rows)),
            "delete": ngettext("%(names)s is off your list.", "%(names)s are off your list.", len(rows)),
        }[what] % {"names": names}
    return PlannerResult(
        status="done", words=recorder.words, rows=[shown(use, each) for each in rows], change=recorder.change_id
    )


FIND_TASKS = Tool(
    name="find_tasks",
    description="Lists the person's tasks by due day, or finds those that fit some words. Changes nothing.",
    arguments=FindTasks,
    run=planner_tool(find_tasks),
)
CREATE_TASK = Tool(
    name="create_task",
    description="Adds a task, homework or a reminder, when the person asks for it.",
    arguments=CreateTask,
    run=planner_tool(create_task),
    has_effect=True,
)
CHANGE_TASK = Tool(
    name="change_task",
    description="Changes the title, due day, priority or parts of one task, when the person asks for it.",
    arguments=ChangeTask,
    run=planner_tool(change_task),
    has_effect=True,
)
COMPLETE_TASK = Tool(
    name="complete_task",
    description="Marks a task as done, or as not done, when the person says so.",
    arguments=CompleteTask,
    run=planner_tool(complete_task),
    has_effect=True,
)
DELETE_TASK = Tool(
    name="delete_task",
    description="Removes a task, when the person asks for it. It can be undone.",
    arguments=NamedTask,
    run=planner_tool(delete_task),
    has_effect=True,
)
TOOLS = (FIND_TASKS, CREATE_TASK, CHANGE_TASK, COMPLETE_TASK, DELETE_TASK)
