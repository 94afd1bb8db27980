"""What a learner's classes gave them to do, as a part of their list of tasks."""

from datetime import date

from django.utils import timezone
from django.utils.translation import gettext as _

from tutoring.assignments.audiences import given_to
from tutoring.assignments.due_days import due_words
from tutoring.assignments.progress_records import progress_of
from tutoring.models.planner import PERSONAL_WORKSPACE
from tutoring.planner.tools.results import PlannerUse
from tutoring.planner.wording import listed


def class_work_words(use: PlannerUse, *, due_from: date | None, due_to: date | None) -> str:
    """Return in a list what is not done yet and due on these days, late work included; empty if there is nothing.

    It belongs to the person, as reviews do: only the personal workspace has it.
    """
    if use.workspace.key != PERSONAL_WORKSPACE:
        return ""
    rows = [
        each
        for each in given_to(use.person, at=use.now)
        if (due_to is None or use.local(each.due_at).date() <= due_to)
        and (due_from is None or due_from <= use.now.date() or use.local(each.due_at).date() >= due_from)
    ]
    progress = progress_of({each: [use.person.pk] for each in rows}, now=use.now) if rows else {}
    with timezone.override(use.zone):
        lines = [
            _("%(title)s, %(due)s") % {"title": each.title, "due": due_words(each.due_at, now=use.now)}
            for each in rows
            if not progress[each][use.person.pk].is_over
        ]
    return f"{_('For your classes:')}\n{listed(lines)}" if lines else ""
