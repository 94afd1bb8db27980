"""What to teach next in a class, to whom, and why."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.classes.class_misconceptions import ClassMisconception
from tutoring.classes.mastery_board import ClassBoard, LearnerRow
from tutoring.models import Classroom, Concept

SHOWN_AT_MOST = 3
FEWEST = 2
"""Pupils from which a concept is worth teaching to a group."""
WEAK_LEVELS = ("starting", "growing")

type Kind = Literal["idea", "weak", "fading"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One thing to teach."""

    kind: Kind
    title: str
    reason: str
    people: tuple[tuple[int, str], ...]
    """Key and name of each of whom it concerns."""
    url: str
    """A mini-lesson, or the concept on the board."""


def idea_to_teach(board: ClassBoard) -> ClassMisconception | None:
    """Return the most frequent misconception; one of a single pupil only if it is a reason to help that pupil.

    Of equally frequent ones, that is the one named first in who needs help: the two places then agree.
    """
    reasons = [reason.about for row in board.needing for reason in row.need.reasons if reason.kind == "misconception"]
    named = {idea: place for place, idea in reversed(list(enumerate(reasons)))}
    held = [each for each in board.seen if each.holders and (each.count > 1 or each.id in named)]
    return min(held, key=lambda each: (-len(each.holders), named.get(each.id, len(reasons))), default=None)


def teach_next(classroom: Classroom, board: ClassBoard) -> list[Suggestion]:
    """Return what to teach next, the most urgent first: a misconception, what many find hard, what many forget."""
    idea = idea_to_teach(board)
    found = [_idea(classroom, board, idea)] if idea else []
    of_concepts = [
        each
        for place, concept in enumerate(board.concepts)
        for each in _of_concept(classroom, board, concept, place)
        if len(each.people) >= FEWEST
    ]
    of_concepts.sort(key=lambda each: (each.kind == "fading", -len(each.people)))
    return [*found, *of_concepts][:SHOWN_AT_MOST]


def _idea(classroom: Classroom, board: ClassBoard, idea: ClassMisconception) -> Suggestion:
    held = len(idea.holders)
    reason = ngettext(
        "%(count)d pupil has shown this mistaken idea in the last 14 days.",
        "%(count)d pupils have shown this mistaken idea in the last 14 days.",
        held,
    )
    url = reverse("class-misconception", args=[classroom.code, idea.id])
    return Suggestion(
        kind="idea",
        title=idea.says,
        reason=reason % {"count": held},
        people=idea.holders,
        url=f"{url}?course={board.course.slug}",
    )


def _of_concept(classroom: Classroom, board: ClassBoard, concept: Concept, place: int) -> Iterable[Suggestion]:
    cells = [(row, row.cells[place]) for row in board.rows]
    weak = [row for row, cell in cells if cell.level in WEAK_LEVELS]
    fading = [row for row, cell in cells if cell.due]
    url = f"{classroom.get_absolute_url()}?course={board.course.slug}&concept={concept.slug}"
    words = ngettext(
        "%(count)d pupil has answered enough questions and is still at the start.",
        "%(count)d pupils have answered enough questions and are still at the start.",
        len(weak),
    )
    yield Suggestion(
        kind="weak", title=concept.title, reason=words % {"count": len(weak)}, people=_people(weak), url=url
    )
    words = ngettext(
        "%(count)d pupil mastered it and is due for review.",
        "%(count)d pupils mastered it and are due for review.",
        len(fading),
    )
    yield Suggestion(
        kind="fading",
        title=_("Review: %(topic)s") % {"topic": concept.title},
        reason=words % {"count": len(fading)},
        people=_people(fading),
        url=url,
    )


def _people(rows: Iterable[LearnerRow]) -> tuple[tuple[int, str], ...]:
    return tuple((row.pk, row.name) for row in rows)
