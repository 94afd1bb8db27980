"""Creates, changes and withdraws assignments."""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from agents.people import Person
from tutoring.assignments.quiz_items import SEED_LIMIT, store_items
from tutoring.assignments.quiz_work import has_started
from tutoring.models import Assignment, ClassGroup, Classroom, Concept, Membership


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignmentDraft:
    """What a teacher wants of an assignment: its columns, and what it refers to."""

    fields: dict[str, Any]
    concepts: Sequence[Concept]
    groups: Sequence[ClassGroup]
    people: Sequence[Membership]
    """The memberships of single pupils."""


def new_seed() -> int:
    """Return a random seed for a quiz."""
    return secrets.randbelow(SEED_LIMIT)


@transaction.atomic
def create_assignment(classroom: Classroom, draft: AssignmentDraft, *, by: Person) -> Assignment:
    made = Assignment.objects.create(classroom=classroom, created_by_id=by.pk, **draft.fields)
    _set_targets(made, draft)
    return made


@transaction.atomic
def change_assignment(assignment: Assignment, draft: AssignmentDraft) -> None:
    """Store what has changed. The questions of a quiz that a pupil has started stay the same."""
    for name, value in draft.fields.items():
        setattr(assignment, name, value)
    assignment.save()
    _set_targets(assignment, draft)


def _set_targets(assignment: Assignment, draft: AssignmentDraft) -> None:
    assignment.groups.set(draft.groups)
    assignment.people.set(draft.people)
    if assignment.is_quiz and has_started(assignment):
        return
    assignment.concepts.set(draft.concepts)
    if assignment.is_quiz:
        store_items(assignment)


def withdraw(assignment: Assignment, *, at: datetime | None = None) -> None:
    """Take the assignment from its pupils; what they did stays."""
    assignment.withdrawn_at = at or timezone.now()
    assignment.save(update_fields=["withdrawn_at"])


def restore(assignment: Assignment) -> None:
    assignment.withdrawn_at = None
    assignment.save(update_fields=["withdrawn_at"])
