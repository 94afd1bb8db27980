"""The memory agent's tools: recall, remember and forget. Nothing is remembered that was not asked to be."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from pydantic import Field

from agents.tools import Tool
from tutoring.models import Note
from tutoring.planner.records import notes
from tutoring.planner.records.changes import change_of_use, change_rows
from tutoring.planner.records.limits import LONGEST_NOTE, LONGEST_TITLE, MOST_CHANGED
from tutoring.planner.tools.results import PlannerArguments, PlannerResult, PlannerUse, planner_tool, storable
from tutoring.planner.tools.targets import done_before, none_named, rows_named, shown, to_choose
from tutoring.planner.wording import listed


class RecallNotes(PlannerArguments):
    words: str = Field(default="", max_length=LONGEST_NOTE, description="What is looked for; empty for all notes.")


class RememberNote(PlannerArguments):
    text: str = Field(min_length=1, max_length=LONGEST_NOTE, description="The fact, in the person's words.")


class ForgetNotes(PlannerArguments):
    target: str = Field(default="", max_length=LONGEST_TITLE, description="The note, in words.")
    note: int | None = Field(default=None, ge=1, description="The note's number, if it is known.")
    every: bool = Field(default=False, description="All notes, or all that match.")


def recall_notes(use: PlannerUse, query: RecallNotes) -> PlannerResult:
    """Return what the person asked to be remembered about something, with that attribution; all of it without words."""
    if not query.words:
        rows = notes.list_notes(use.workspace)
        if not rows:
            return PlannerResult(status="none", words=_("I keep no notes for you. Say “remember that …”, and I will."))
        lead = _("You asked me to remember:")
        return PlannerResult(
            words=f"{lead}\n{listed([each.text for each in rows])}", rows=[shown(use, each) for each in rows]
        )
    rows = [each.row for each in notes.recall_notes(use.workspace, query.words) if each.score >= 0.45]
    if not rows:
        return PlannerResult(
            status="none", words=_("You haven’t asked me to remember anything about that."), elsewhere=""
        )
    best = rows[:3]
    words = _("You asked me to remember: %(note)s") % {"note": f"“{best[0].text}”."}
    if len(best) > 1:
        words = f"{_('You asked me to remember:')}\n{listed([each.text for each in best])}"
    return PlannerResult(words=words, rows=[shown(use, each) for each in best])


def remember_note(use: PlannerUse, wanted: RememberNote) -> PlannerResult:
    """Store a note in the person's own words."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    text = storable(wanted.text)
    embedding = notes.embedding_of(text)  # Outside of the transaction: it runs a model.
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        row = notes.create_note(recorder, text, embedding=embedding)
        recorder.words = _("I’ll remember: “%(note)s”.") % {"note": text}
    return PlannerResult(status="done", words=recorder.words, rows=[shown(use, row)], change=recorder.change_id)


def forget_notes(use: PlannerUse, wanted: ForgetNotes) -> PlannerResult:
    """Remove a note, or all of them; it can be undone."""
    if (done := change_of_use(use.person, use.use_key)) is not None:
        return done_before(use, done)
    if wanted.every and not wanted.target:
        found = notes.list_notes(use.workspace, size=MOST_CHANGED)
    else:
        found = rows_named(use, "memory", wanted.target, wanted.note, every=wanted.every)
    if not found:
        return none_named(use, "memory", wanted.target)
    if len(found) > 1 and not wanted.every:
        return to_choose(use, found)
    with change_rows(use.person, use.workspace, use_key=use.use_key) as recorder:
        rows: list[Note] = notes.locked_notes(use.workspace, [each.pk for each in found])
        for row in rows:
            recorder.remove(row)
        recorder.words = ngettext("Forgotten: “%(note)s”.", "%(count)d notes are forgotten.", len(rows)) % {
            "note": rows[0].text if rows else "",
            "count": len(rows),
        }
    return PlannerResult(
        status="done", words=recorder.words, rows=[shown(use, each) for each in rows], change=recorder.change_id
    )


RECALL_NOTES = Tool(
    name="recall_notes",
    description="Finds what the person asked to be remembered. Say that they asked for it. Changes nothing.",
    arguments=RecallNotes,
    run=planner_tool(recall_notes),
)
REMEMBER_NOTE = Tool(
    name="remember_note",
    description="Remembers a fact, only when the person asks for it.",
    arguments=RememberNote,
    run=planner_tool(remember_note),
    has_effect=True,
)
FORGET_NOTES = Tool(
    name="forget_notes",
    description="Forgets a note, or all notes, when the person asks for it. It can be undone.",
    arguments=ForgetNotes,
    run=planner_tool(forget_notes),
    has_effect=True,
)
TOOLS = (RECALL_NOTES, REMEMBER_NOTE, FORGET_NOTES)
