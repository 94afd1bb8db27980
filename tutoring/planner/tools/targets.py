"""Finds the row that a request names: one, several to choose from, or none, and who else has one of that name."""

from collections.abc import Callable, Sequence
from typing import Any

from django.utils.translation import gettext as _

from tutoring.models import CalendarEvent, Note, PlannerChange, Task
from tutoring.planner.records import events, meals, notes, tasks
from tutoring.planner.records.changes import row_of_change
from tutoring.planner.records.search import MOST_READ, rows_near, rows_with_words
from tutoring.planner.tools.results import FoundRow, PlannerResult, PlannerUse
from tutoring.planner.values import AgentName
from tutoring.planner.wording import event_words, task_words

MOST_OFFERED = 6
"""Rows to choose from."""


def rows_named(
    use: PlannerUse, agent: AgentName, words: str, row_id: int | None, *, rows: Any = None, every: bool = False
) -> list[Any]:
    """Return the rows that an id or the words name, the best first; without either, the latest of the agent's.

    A name has to be in the row's own words: what is only close in meaning is offered, see `none_named`. With `every`,
    all of them are returned, not only those worth offering.
    """
    among = rows if rows is not None else candidates(use, agent)
    if row_id is not None:
        return list(among.filter(pk=row_id))
    if not words.strip():
        return list(among.order_by("-pk")[: MOST_READ if every else MOST_OFFERED])
    found = rows_with_words(among, words, every=every)
    return found if every else found[: MOST_OFFERED + 1]


def candidates(use: PlannerUse, agent: AgentName) -> Any:
    """Return the rows among which a name is looked for."""
    match agent:
        case "task":
            return tasks.tasks_named(use.workspace)
        case "event":
            return events.coming_events(use.workspace, use.now)
        case "food":
            return meals.meals_named(use.workspace)
        case "memory":
            return notes.notes_named(use.workspace)


def shown(use: PlannerUse, row: Any) -> FoundRow:
    """Return a row as results hold it."""
    match row:
        case Task():
            return FoundRow(agent="task", id=row.pk, title=row.title, words=task_words(row, use.now))
        case CalendarEvent():
            found = events.next_time(row, use.now)
            start, end = (found.start, found.end) if found else (row.starts_at, row.ends_at)
            words = event_words(row, start.astimezone(use.zone), end.astimezone(use.zone), use.now)
            others = row.kind == CalendarEvent.Kind.IMPORTED
            return FoundRow(agent="event", id=row.pk, title=row.title, words=words, by_others=others)
        case Note():
            return FoundRow(agent="memory", id=row.pk, title=row.text[:80], words=row.text)
    return FoundRow(agent="food", id=row.pk, title=str(row), words=f"{row.get_kind_display()}: {row}")


def to_choose(use: PlannerUse, rows: Sequence[Any]) -> PlannerResult:
    """Return the question which of several rows is meant."""
    listed = [shown(use, each) for each in rows[:MOST_OFFERED]]
    options = [each.words or each.title for each in listed]
    return PlannerResult(status="choose", words=_("Which one do you mean?"), rows=listed, options=options)


def none_named(use: PlannerUse, agent: AgentName, words: str, *, rows: Any = None) -> PlannerResult:
    """Return that no row has this name, and which other agent has one; or the rows that are close in meaning, to choose."""
    others: tuple[AgentName, ...] = ("task", "event")
    elsewhere = next(
        (each for each in others if each != agent and words.strip() and rows_with_words(candidates(use, each), words)),
        "",
    )
    near = rows_near(candidates(use, agent) if rows is None else rows, words) if words.strip() and not elsewhere else []
    if near:
        return to_choose(use, near)
    if not words.strip():
        empty = {
            "task": _("There is no open task on your list."),
            "event": _("There is nothing in your calendar."),
            "food": _("There is no meal on record."),
            "memory": _("I keep no notes for you."),
        }
        return PlannerResult(status="none", words=empty[agent])
    sentence = {
        "task": _("I found no open task that sounds like “%(words)s”."),
        "event": _("I found nothing in your calendar that sounds like “%(words)s”."),
        "food": _("I found no meal that sounds like “%(words)s”."),
        "memory": _("I have no note about “%(words)s”."),
    }[agent]
    return PlannerResult(status="none", words=sentence % {"words": words}, elsewhere=elsewhere)


def with_one(
    use: PlannerUse,
    agent: AgentName,
    words: str,
    row_id: int | None,
    then: Callable[[Any], PlannerResult],
    *,
    rows: Any = None,
) -> PlannerResult:
    """Return what `then` does with the one row that is named; otherwise which to choose from, or that there is none."""
    found = rows_named(use, agent, words, row_id, rows=rows)
    if not found:
        return none_named(use, agent, words, rows=rows)
    return then(found[0]) if len(found) == 1 else to_choose(use, found)


def done_before(use: PlannerUse, done: PlannerChange) -> PlannerResult:
    """Return what this use of a tool has done already: its turn runs again."""
    row = row_of_change(done)
    rows = [shown(use, row)] if row is not None else []
    return PlannerResult(status="done", words=done.words, rows=rows, change=str(done.pk))
