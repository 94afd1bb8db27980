"""The event agent's tools: find, create, move and cancel events; free slots and conflicts."""

from datetime import date, datetime, timedelta
from typing import Any, Final, Literal
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from pydantic import Field

from agents.tools import Tool, ToolFailed
from tutoring.models import CalendarEvent, Task
from tutoring.planner.records import events
from tutoring.planner.records.changes import change_of_use, change_rows
from tutoring.planner.records.events import EventTime
from tutoring.planner.records.limits import LONGEST_NOTE, LONGEST_TITLE
from tutoring.planner.records.search import SearchMode, find_rows
from tutoring.planner.times.free_time import FreeSlot, free_slots
from tutoring.planner.times.recurrence import validate_rule
from tutoring.planner.tools.results import PlannerArguments, PlannerResult, PlannerUse, planner_tool, storable
from tutoring.planner.tools.targets import candidates, done_before, none_named, rows_named, shown, to_choose
from tutoring.planner.wording import (
    day_words,
    days_span,
    event_words,
    joined,
    listed,
    on_day,
    rule_words,
    span_words,
    task_words,
)

USUAL_LENGTH: Final = timedelta(hours=1)
"""How long an event is, if nothing is said about it."""
MOST_DAYS: Final = 62
"""Days of one list or search for free time."""
MOST_SLOTS: Final = 6
USUAL_GAP_MINUTES: Final = 30


class FindEvents(PlannerArguments):
    words: str = Field(default="", max_length=LONGEST_TITLE, description="Words of the title; empty for all.")
    mode: SearchMode = Field(default="hybrid", description="Compare words, meaning, or both.")
    day_from: date | None = Field(default=None, description="Today, if it is not given.")
    day_to: date | None = Field(default=None, description="Included.")


class CreateEvent(PlannerArguments):
    title: str = Field(min_length=1, max_length=LONGEST_TITLE)
    kind: Literal["appointment", "test"] = "appointment"
    start: datetime | None = Field(default=None, description="In the person's zone; empty for whole days.")
    end: datetime | None = None
    day: date | None = Field(default=None, description="The first day, for whole days.")
    last_day: date | None = Field(default=None, description="The last day, for several whole days.")
    rule: str = Field(default="", max_length=500, description="The RRULE (RFC 5545) of an event that recurs.")
    place: str = Field(default="", max_length=LONGEST_TITLE)
    notes: str = Field(default="", max_length=LONGEST_NOTE)
    remind_before: int | None = Field(default=None, ge=0, le=20_160, description="Minutes.")


class NamedEvent(PlannerArguments):
    target: str = Field(default="", max_length=LONGEST_TITLE, description="The event, in words.")
    event: int | None = Field(default=None, ge=1, description="The event's number, if it is known.")
    on: date | None = Field(default=None, description="The day of the occurrence that is meant.")
    every: bool = Field(default=False, description="All occurrences of a recurring event, or all events that match.")


class MoveEvent(NamedEvent):
    start: datetime | None = Field(default=None, description="The new start, if its time of day changes.")
    end: datetime | None = None
    day: date | None = Field(default=None, description="The new day, if only the day changes.")
    clock_only: bool = Field(default=False, description="Only the time of day of `start` counts; the day stays.")
    rule: str = Field(default="", max_length=500, description="A new RRULE (RFC 5545).")
    title: str = Field(default="", max_length=LONGEST_TITLE, description="A new title.")


class FindFreeTime(PlannerArguments):
    day_from: date | None = None
    day_to: date | None = Field(default=None, description="Included.")
    after: datetime | None = Field(default=None, description="Only free time after this moment.")
    before: datetime | None = Field(default=None, description="Only free time before this moment.")
    minutes: int = Field(default=USUAL_GAP_MINUTES, ge=5, le=1_440)


class FindConflicts(PlannerArguments):
    target: str = Field(default="", max_length=LONGEST_TITLE, description="Only those of this event.")
    day_from: date | None = None
    day_to: date | None = None


def days_of(use: PlannerUse, first: date | None, last: date | None, *, usual: int) -> tuple[date, date]:
    """Return the first and the last day that are meant; `usual` is how many days, if no last one is named."""
    begin = first or use.now.date()
    end = last or (begin if first is not None and usual == 1 else begin + timedelta(days=usual - 1))
    return begin, min(max(begin, end), begin + timedelta(days=MOST_DAYS))


def find_events(use: PlannerUse, query: FindEvents) -> PlannerResult:
    """Return what is in the calendar on these days, a week without any; or the events that fit the words."""
    if query.words:
        return _named_events(use, query)
    first, last = days_of(use, query.day_from, query.day_to, usual=1 if query.day_from else 7)
    found = events.events_between(use.workspace, use.midnight(first), use.midnight(last + timedelta(days=1)))
    listed_ones = [each for each in found if each.end > use.now or each.event.is_all_day or last < use.now.date()]
    due = Task.objects.inside(use.workspace).filter(done_at=None, parent=None, due_on__gte=first, due_on__lte=last)
    lines = [_line(use, each) for each in listed_ones]
    tasks = [task_words(each, use.now) for each in due.order_by("due_on", "-priority")[:10]]
    span = _days_words(use, first, last)
    if not lines:
        words = _("There is nothing in your calendar %(span)s.") % {"span": span}
    else:
        words = _("In your calendar %(span)s:") % {"span": span} + "\n" + listed(lines)
    if tasks:
        words += "\n\n" + _("To do:") + "\n" + listed(tasks)
    return PlannerResult(
        status="found" if lines else "none", words=words, rows=[shown(use, each.event) for each in listed_ones[:50]]
    )


def _named_events(use: PlannerUse, query: FindEvents) -> PlannerResult:
    rows = [each.row for each in find_rows(candidates(use, "event"), query.words, mode=query.mode)]
    best = rows_named(use, "event", query.words, None) if query.mode == "hybrid" else rows
    if not best:
        return none_named(use, "event", query.words)
    lines = []
    for row in best[:5]:
        coming = events.next_time(row, use.now)
        if coming is not None:
            said = _line(use, coming)
            lines.append(f"{said} ({rule_words(row.rule, _local(use, row.starts_at), use.now)})" if row.rule else said)
    return PlannerResult(
        status="found", words="\n".join(f"{each}." for each in lines), rows=[shown(use, each) for each in best]
    )


def _line(use: PlannerUse, each: EventTime) -> str:
    return event_words(each.event, _local(use, each.start), _local(use, each.end), use.now)


def _local(use: PlannerUse, at: datetime) -> datetime:
    return at.astimezone(use.zone)


def _days_words(use: PlannerUse, first: date, last: date) -> str:
    if first == last:
        return on_day(first, use.now)
    return days_span(first, last, use.now)


def create_event(use: PlannerUse, wanted: CreateEvent) -> PlannerResult:
    """Store an event, and tell what it overlaps with in the next weeks."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    start, end, is_all_day = _times(use, wanted)
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        try:
            row = events.create_event(
                recorder,
                title=storable(wanted.title),
                kind=wanted.kind,
                start=start,
                end=end,
                zone=str(use.zone),
                rule=wanted.rule,
                is_all_day=is_all_day,
                place=storable(wanted.place),
                notes=storable(wanted.notes),
                remind_before=wanted.remind_before,
            )
        except ValueError as wrong:
            raise ToolFailed(str(wrong)) from None
        recorder.words = _created_words(use, row)
        if overlap := _overlap_words(use, row):
            recorder.words += f" {overlap}"
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def _times(use: PlannerUse, wanted: CreateEvent) -> tuple[datetime, datetime, bool]:
    if wanted.start is None:
        if wanted.day is None:
            raise ToolFailed(_("An event needs a day."))
        last = max(wanted.day, wanted.last_day or wanted.day)
        return use.midnight(wanted.day), use.midnight(last + timedelta(days=1)), True
    start = use.local(wanted.start)
    end = use.local(wanted.end) if wanted.end else start + USUAL_LENGTH
    return start, end if end > start else start + USUAL_LENGTH, False


def _created_words(use: PlannerUse, row: CalendarEvent) -> str:
    start, end = _local(use, row.starts_at), _local(use, row.ends_at)
    if not row.rule:
        when = span_words(start, end, use.now, is_all_day=row.is_all_day)
        return _("%(title)s is in your calendar: %(when)s.") % {"title": row.title, "when": when}
    facts = {
        "title": row.title,
        "when": rule_words(row.rule, start, use.now, is_all_day=row.is_all_day),
        "first": day_words(start.date(), use.now),
    }
    if "UNTIL" in row.rule or "COUNT" in row.rule:
        return _("%(title)s %(when)s. First: %(first)s.") % facts
    return _("%(title)s %(when)s, until you change it. First: %(first)s.") % facts


def _overlap_words(use: PlannerUse, row: CalendarEvent) -> str:
    found = events.conflicts_of(use.workspace, row, now=use.now)
    if not found:
        return ""
    return _("It overlaps with %(others)s.") % {"others": joined([_in_brackets(use, each) for each in found[:3]])}


def _in_brackets(use: PlannerUse, each: EventTime) -> str:
    when = span_words(_local(use, each.start), _local(use, each.end), use.now, is_all_day=each.event.is_all_day)
    return f"{each.event.title} ({when})"


def move_event(use: PlannerUse, wanted: MoveEvent) -> PlannerResult:
    """Move an event, or one occurrence of a recurring one, to another day or time; or rename it."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    found = _matching(use, wanted)
    if isinstance(found, PlannerResult):
        return found
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        row = events.locked_event(use.workspace, found[0].pk)
        if row is None:
            return none_named(use, "event", wanted.target)
        if wanted.title:
            before = row.title
            recorder.update(row, title=storable(wanted.title))
            recorder.words = _("“%(old)s” is now “%(new)s”.") % {"old": before, "new": row.title}
        else:
            row = _moved(use, recorder, row, wanted)
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def _moved(use: PlannerUse, recorder: Any, row: CalendarEvent, wanted: MoveEvent) -> CalendarEvent:
    chosen = _occurrence(use, row, wanted.on)
    if wanted.on is None and row.rule and not wanted.clock_only:
        # "Move football on Thursday to six": of a recurring event, the one of that day is meant, if there is one.
        day = wanted.day or (use.local(wanted.start).date() if wanted.start else None)
        chosen = (_occurrence(use, row, day) if day else None) or chosen
    if chosen is None:
        raise ToolFailed(_("%(event)s does not take place then.") % {"event": row.title})
    # One that recurs moves as a whole if only its time of day is named, and no occurrence.
    whole = not row.rule or wanted.every or (wanted.on is None and wanted.clock_only)
    old_start, old_end = (row.starts_at, row.ends_at) if whole else (chosen.start, chosen.end)
    old_start, old_end = _local(use, old_start), _local(use, old_end)
    start, end = _new_times(use, wanted, old_start, old_end, is_all_day=row.is_all_day)
    if row.is_all_day and wanted.start is not None:
        recorder.update(row, is_all_day=False)
    if wanted.rule:
        whole = True
        recorder.update(row, rule=_known_rule(wanted.rule))
    moved = events.move_event(recorder, row, start=start, end=end, occurrence=None if whole else chosen.original_start)
    if whole and row.rule:
        when = rule_words(row.rule, start, use.now, is_all_day=row.is_all_day)
        recorder.words = _("%(event)s is now %(when)s.") % {"event": row.title, "when": when}
    else:
        facts = {
            "event": row.title,
            "old": span_words(old_start, old_end, use.now, is_all_day=moved.is_all_day or row.is_all_day),
            "new": span_words(start, end, use.now, is_all_day=moved.is_all_day),
        }
        recorder.words = _("%(event)s is moved: %(new)s, instead of %(old)s.") % facts
    if overlap := _overlap_words(use, moved):
        recorder.words += f" {overlap}"
    return moved


def _known_rule(rule: str) -> str:
    """Return a rule that can be followed. Raises ToolFailed."""
    try:
        return validate_rule(rule)
    except ValueError as wrong:
        raise ToolFailed(str(wrong)) from None


def _new_times(
    use: PlannerUse, wanted: MoveEvent, old_start: datetime, old_end: datetime, *, is_all_day: bool
) -> tuple[datetime, datetime]:
    length = old_end - old_start
    if wanted.start is None:
        day = wanted.day or old_start.date()
        start = datetime.combine(day, old_start.time(), tzinfo=use.zone)
        return start, use.midnight(day + timedelta(days=max(1, length.days))) if is_all_day else start + length
    start = use.local(wanted.start)
    if wanted.clock_only:
        start = datetime.combine(old_start.date(), start.time(), tzinfo=use.zone)
    end = start + (use.local(wanted.end) - use.local(wanted.start)) if wanted.end else start + length
    return start, start + USUAL_LENGTH if is_all_day or end <= start else end


def cancel_event(use: PlannerUse, wanted: NamedEvent) -> PlannerResult:
    """Cancel an event, or one occurrence of a recurring one; it can be undone."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    found = _matching(use, wanted)
    if isinstance(found, PlannerResult):
        return found
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        said = []
        for pk in [each.pk for each in found]:
            row = events.locked_event(use.workspace, pk)
            if row is None:
                continue
            chosen = _occurrence(use, row, wanted.on) if row.rule and not wanted.every else None
            events.cancel_event(recorder, row, occurrence=chosen.original_start if chosen is not None else None)
            said.append(_cancelled_words(use, row, chosen))
        recorder.words = " ".join(said)
    return PlannerResult(
        status="done", words=recorder.words, rows=[shown(use, each) for each in found], change=recorder.change_id
    )


def _cancelled_words(use: PlannerUse, row: CalendarEvent, chosen: EventTime | None) -> str:
    if chosen is None:
        if row.rule:
            return _("%(event)s is cancelled, all of it.") % {"event": row.title}
        when = span_words(_local(use, row.starts_at), _local(use, row.ends_at), use.now, is_all_day=row.is_all_day)
        return _("%(event)s is cancelled (%(when)s).") % {"event": row.title, "when": when}
    day = on_day(_local(use, chosen.start).date(), use.now)
    return _("%(event)s %(day)s is cancelled. The others stay.") % {"event": row.title, "day": day}


def _matching(use: PlannerUse, wanted: NamedEvent) -> list[CalendarEvent] | PlannerResult:
    """Return the event that is meant, or what to answer if it is none, or one of several."""
    found = rows_named(use, "event", wanted.target, wanted.event, every=wanted.every or wanted.on is not None)
    if wanted.on is not None:
        found = [each for each in found if _occurrence(use, each, wanted.on) is not None] or (
            found if isinstance(wanted, MoveEvent) else []
        )
    if not found:
        return none_named(use, "event", wanted.target)
    return found if len(found) == 1 or wanted.every else to_choose(use, found)


def _occurrence(use: PlannerUse, row: CalendarEvent, on: date | None) -> EventTime | None:
    """Return the event's occurrence on a day, the next one without a day; None if there is none."""
    if on is None:
        return events.next_time(row, use.now)
    midnight = use.midnight(on)
    found = events.next_time(row, midnight)
    return found if found is not None and found.start < midnight + timedelta(days=1) else None


def find_free_time(use: PlannerUse, query: FindFreeTime) -> PlannerResult:
    """Return when nothing is in the calendar, within the person's hours."""
    first, last = days_of(use, query.day_from, query.day_to, usual=1 if query.day_from else 7)
    slots = slots_of(use, first, last, minutes=query.minutes, after=query.after, before=query.before)
    if not slots:
        return PlannerResult(
            status="none", words=_("You have no free time %(span)s.") % {"span": _days_words(use, first, last)}
        )
    lines = [span_words(each.start, each.end, use.now) for each in slots[:MOST_SLOTS]]
    return PlannerResult(status="found", words=_("You are free:") + "\n" + listed(lines))


def slots_of(
    use: PlannerUse,
    first: date,
    last: date,
    *,
    minutes: int,
    after: datetime | None = None,
    before: datetime | None = None,
) -> tuple[FreeSlot, ...]:
    """Return the free slots on these days, within the hours of the person's settings and the two moments."""
    settings = use.settings()
    days = [first + timedelta(days=each) for each in range((last - first).days + 1)]
    busy = events.busy_spans(use.workspace, use.midnight(first), use.midnight(last + timedelta(days=1)))
    start = max(use.now, use.local(after)) if after else use.now
    shortest = timedelta(minutes=minutes)
    found = free_slots(
        busy,
        days=days,
        opens=settings.day_starts,
        closes=max(settings.day_ends, settings.day_starts + 1),
        zone=ZoneInfo(str(use.zone)),
        shortest=shortest,
        not_before=start,
    )
    if before is None:
        return found
    cut = [FreeSlot(start=each.start, end=min(each.end, use.local(before))) for each in found]
    return tuple(each for each in cut if each.end - each.start >= shortest)


def find_conflicts(use: PlannerUse, query: FindConflicts) -> PlannerResult:
    """Return the pairs of events that overlap, those of one event if it is named; four weeks without days."""
    first, last = days_of(use, query.day_from, query.day_to, usual=28)
    pairs = events.all_conflicts(use.workspace, use.midnight(first), use.midnight(last + timedelta(days=1)))
    if query.target:
        named = {each.pk for each in rows_named(use, "event", query.target, None)}
        if not named:
            return none_named(use, "event", query.target)
        pairs = [pair for pair in pairs if named & {each.event.pk for each in pair}]
    if not pairs:
        return PlannerResult(
            status="none", words=_("Nothing overlaps %(span)s.") % {"span": _days_words(use, first, last)}
        )
    lines = [
        _("%(first)s and %(second)s") % {"first": _in_brackets(use, one), "second": _in_brackets(use, other)}
        for one, other in pairs
    ]
    lead = _("These overlap:")
    return PlannerResult(status="found", words=f"{lead}\n{listed(lines)}")


FIND_EVENTS = Tool(
    name="find_events",
    description="Lists what is in the person's calendar, or finds events that fit some words. Changes nothing.",
    arguments=FindEvents,
    run=planner_tool(find_events),
)
CREATE_EVENT = Tool(
    name="create_event",
    description="Adds an event, once or recurring, when the person asks for it. Tells what it overlaps with.",
    arguments=CreateEvent,
    run=planner_tool(create_event),
    has_effect=True,
)
MOVE_EVENT = Tool(
    name="move_event",
    description="Moves or renames an event, or one occurrence of it, when the person asks for it.",
    arguments=MoveEvent,
    run=planner_tool(move_event),
    has_effect=True,
)
CANCEL_EVENT = Tool(
    name="cancel_event",
    description="Cancels an event, or one occurrence of it, when the person asks for it. It can be undone.",
    arguments=NamedEvent,
    run=planner_tool(cancel_event),
    has_effect=True,
)
FREE_SLOTS = Tool(
    name="free_slots",
    description="Finds when the person has free time. Changes nothing.",
    arguments=FindFreeTime,
    run=planner_tool(find_free_time),
)
FIND_CONFLICTS = Tool(
    name="find_conflicts",
    description="Finds events that overlap. Changes nothing.",
    arguments=FindConflicts,
    run=planner_tool(find_conflicts),
)
TOOLS = (FIND_EVENTS, CREATE_EVENT, MOVE_EVENT, CANCEL_EVENT, FREE_SLOTS, FIND_CONFLICTS)
