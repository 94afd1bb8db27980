"""Which tool serves a request, and with which arguments. Pure."""

from datetime import date, timedelta
from typing import Any

from pydantic import BaseModel

from tutoring.planner.facts import CompanionFacts
from tutoring.planner.times.values import TimePhrase
from tutoring.planner.tools.common import UNDO_CHANGE, UndoChange
from tutoring.planner.tools.events import (
    CANCEL_EVENT,
    CREATE_EVENT,
    FIND_CONFLICTS,
    FIND_EVENTS,
    FREE_SLOTS,
    MOVE_EVENT,
    CreateEvent,
    FindConflicts,
    FindEvents,
    FindFreeTime,
    MoveEvent,
    NamedEvent,
)
from tutoring.planner.tools.food import (
    DELETE_MEAL,
    FIND_MEALS,
    LOG_MEAL,
    MEAL_HABITS,
    RATE_MEAL,
    SUGGEST_MEALS,
    FindMeals,
    LogMeal,
    MealHabits,
    NamedMeal,
    RateMeal,
    SuggestMeals,
)
from tutoring.planner.tools.memory import (
    FORGET_NOTES,
    RECALL_NOTES,
    REMEMBER_NOTE,
    ForgetNotes,
    RecallNotes,
    RememberNote,
)
from tutoring.planner.tools.study import PLAN_STUDY, PlanStudy
from tutoring.planner.tools.tasks import (
    CHANGE_TASK,
    COMPLETE_TASK,
    CREATE_TASK,
    DELETE_TASK,
    FIND_TASKS,
    ChangeTask,
    CompleteTask,
    CreateTask,
    FindTasks,
    NamedTask,
)
from tutoring.planner.values import PlannerRequest

type ToolCall = tuple[str, BaseModel]


def tool_for(request: PlannerRequest, facts: CompanionFacts) -> ToolCall | None:
    """Return the tool that serves a request, and its arguments; None if no tool does. Raises ValidationError."""
    if request.action == "undo":
        return UNDO_CHANGE.name, UndoChange(changes=list(facts.changes))
    return {"task": _task, "event": _event, "food": _food, "memory": _memory}[request.agent](request, facts)


def _when(request: PlannerRequest) -> TimePhrase | None:
    return request.when if isinstance(request.when, TimePhrase) else None


def _days(request: PlannerRequest) -> tuple[date | None, date | None]:
    """Return the first and the last day that a request names; both None if it names none."""
    when = _when(request)
    if when is None:
        return None, None
    first = when.start.date()
    last = (when.end - timedelta(microseconds=1)).date() if when.end is not None else first
    return first, max(first, last)


def _row(request: PlannerRequest, agent: str) -> int | None:
    return request.row.id if request.row is not None and request.row.agent == agent else None


def _task(request: PlannerRequest, facts: CompanionFacts) -> ToolCall | None:
    first, last = _days(request)
    named = {"target": request.target, "task": _row(request, "task")}
    quote = request.quote.casefold()
    match request.action:
        case "create":
            return CREATE_TASK.name, _new_task(request)
        case "list":
            if "overdue" in quote:
                last = facts.now.date() - timedelta(days=1)
            kind: Any = "homework" if "homework" in quote else "reminder" if "reminder" in quote else ""
            done = any(each in quote for each in ("finished", "completed", "done"))
            return FIND_TASKS.name, FindTasks(due_from=first, due_to=last, done=done, kind=kind)
        case "complete" | "reopen":
            return COMPLETE_TASK.name, CompleteTask(**named, every=request.every, reopen=request.action == "reopen")
        case "delete":
            return DELETE_TASK.name, NamedTask(**named, every=request.every)
        case "change" | "move":
            when = _when(request)
            times: dict[str, Any] = {}
            if when is not None:
                timed = {"due_at": when.start, "clock_only": not when.has_date}
                times = {"due_on": when.start.date()} if when.is_all_day else timed
            parts = list(request.parts)
            return CHANGE_TASK.name, ChangeTask(
                **named, title=request.title, priority=request.priority, parts=parts, **times
            )
    return None


def _new_task(request: PlannerRequest) -> CreateTask:
    when, (_first, last) = _when(request), _days(request)
    kind: Any = request.kind or "todo"
    plain: dict[str, Any] = {
        "title": request.title,
        "kind": kind,
        "priority": request.priority,
        "parts": list(request.parts),
        "before_event": request.before,
        "after": request.after,
        "lead_minutes": request.lead_minutes,
    }
    if when is not None and (kind == "reminder" or when.rule):
        plain |= {"rule": when.rule, "kind": "reminder"}
        plain |= {"remind_on": when.start.date()} if when.is_all_day else {"remind_at": when.start}
    elif when is not None:
        plain |= {"due_on": last} if when.is_all_day else {"due_at": when.start}
    return CreateTask(**plain)


def _event(request: PlannerRequest, facts: CompanionFacts) -> ToolCall | None:
    first, last = _days(request)
    when, row = _when(request), _row(request, "event")
    match request.action:
        case "create":
            plain: dict[str, Any] = {"title": request.title, "kind": request.kind or "appointment"}
            if when is not None and when.is_all_day:
                plain |= {"day": first, "last_day": last if not when.rule else None}
            elif when is not None:
                plain |= {"start": when.start, "end": when.end}
            return CREATE_EVENT.name, CreateEvent(**plain, rule=when.rule if when is not None else "")
        case "list":
            if request.target or row is not None:
                return FIND_EVENTS.name, FindEvents(words=request.target)
            return FIND_EVENTS.name, FindEvents(day_from=first, day_to=last)
        case "move" if when is not None:
            moves: dict[str, Any] = {"day": first} if when.is_all_day else {"start": when.start, "end": when.end}
            if when.rule:
                moves = {"rule": when.rule} if when.is_all_day else {**moves, "rule": when.rule}
            clock_only = not when.is_all_day and not when.has_date
            return MOVE_EVENT.name, MoveEvent(
                target=request.target, event=row, on=request.on, every=request.every, clock_only=clock_only, **moves
            )
        case "change":
            return MOVE_EVENT.name, MoveEvent(target=request.target, event=row, title=request.title)
        case "delete":
            on = request.on or first
            return CANCEL_EVENT.name, NamedEvent(target=request.target, event=row, on=on, every=request.every)
        case "free":
            timed = when is not None and not when.is_all_day
            after = when.start if timed and when is not None else None
            before = when.end if timed and when is not None else None
            minutes = request.lead_minutes or 30
            return FREE_SLOTS.name, FindFreeTime(
                day_from=first, day_to=last, after=after, before=before, minutes=min(1_440, max(5, minutes))
            )
        case "conflicts":
            return FIND_CONFLICTS.name, FindConflicts(target=request.target, day_from=first, day_to=last)
        case "plan_study":
            return PLAN_STUDY.name, PlanStudy(target=request.target, day_from=first, day_to=last)
    return None


def _food(request: PlannerRequest, facts: CompanionFacts) -> ToolCall | None:
    first, last = _days(request)
    when, kind = _when(request), request.kind
    known: Any = kind if kind in ("breakfast", "lunch", "dinner", "snack") else ""
    match request.action:
        case "log" | "plan_meal":
            at = when.start if when is not None and not when.is_all_day else None
            return LOG_MEAL.name, LogMeal(
                foods=list(request.foods),
                kind=known or "snack",
                at=at,
                day=first if at is None else None,
                planned=request.action == "plan_meal",
                before_event=request.before,
                after=request.after,
                rating=request.rating,
                tags=list(request.tags),
            )
        case "list":
            return FIND_MEALS.name, FindMeals(words=request.target, kind=known, day_from=first, day_to=last)
        case "patterns":
            return MEAL_HABITS.name, MealHabits(target=request.target, kind=known, day_from=first)
        case "suggest":
            return SUGGEST_MEALS.name, SuggestMeals(kind=known)
        case "rate":
            return RATE_MEAL.name, RateMeal(
                target=request.target, meal=_row(request, "food"), kind=known, day=first, rating=request.rating or 3
            )
        case "delete":
            named = NamedMeal(target=request.target, meal=_row(request, "food"), kind=known, day=first)
            return DELETE_MEAL.name, named
    return None


def _memory(request: PlannerRequest, facts: CompanionFacts) -> ToolCall | None:
    match request.action:
        case "remember":
            return REMEMBER_NOTE.name, RememberNote(text=request.note)
        case "recall" | "list":
            return RECALL_NOTES.name, RecallNotes(words=request.target if request.action == "recall" else "")
        case "forget" | "delete":
            row = _row(request, "memory")
            every = request.every and row is None
            return FORGET_NOTES.name, ForgetNotes(target=request.target[:300], note=row, every=every)
    return None
