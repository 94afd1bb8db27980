"""A mark that changes with everything that a class's page shows: the open page asks for it every few seconds."""

from hashlib import sha256
from typing import Any

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery, Sum, Value
from django.db.models.expressions import Combinable
from django.http import Http404
from django.utils import timezone

from agents.people import Person
from tutoring.access import not_found_text
from tutoring.classes.teacher_access import classes_for
from tutoring.models import (
    AnswerTally,
    ClassGroup,
    Classroom,
    ConcernNotice,
    Contest,
    GradeChange,
    HelpMark,
    Membership,
    MisconceptionState,
)

BY_ITSELF_EVERY_S = 300
"""Seconds after which the page is drawn anew although nothing happened: mastery fades, and silence grows."""


def class_with_version(person: Person, code: str) -> tuple[Classroom, str]:
    """Return the class for a person who may open it, and a text that stays the same as long as its page does; one query."""
    facts = _facts()
    classroom = classes_for(person).filter(code=code).annotate(**facts).first()
    if classroom is None:
        raise Http404(not_found_text())
    seen = [getattr(classroom, name) for name in facts]
    period = int(timezone.now().timestamp() // BY_ITSELF_EVERY_S)
    parts = (seen, classroom.name, classroom.policy.changed_at, period)
    return classroom, sha256(repr(parts).encode()).hexdigest()[:16]


def _facts() -> dict[str, Subquery]:
    """Return what changes with everything on the page, as subqueries of a query for the class."""
    of_class, members = OuterRef("pk"), Membership.objects.filter(classroom_id=OuterRef("pk"))
    learners = Membership.objects.filter(classroom_id=OuterRef(OuterRef("pk")), role=Membership.Role.LEARNER)
    people = learners.values("person_id")
    contests = Contest.objects.filter(learner_id__in=people)
    notices = ConcernNotice.objects.filter(classroom_id=of_class)
    marks = HelpMark.objects.filter(classroom_id=of_class)
    in_groups = ClassGroup.members.through.objects.filter(classgroup__classroom_id=of_class)
    # Of all classes: there are few, and to look for those of one would read its answers.
    changes = GradeChange.objects.all()
    return {
        "v_people": _one(members, Count("pk")),
        "v_joined": _one(members, Max("pk")),
        "v_answers": _one(AnswerTally.objects.filter(learner_id__in=people), Sum("given")),
        "v_ideas": _one(MisconceptionState.objects.filter(learner_id__in=people), Max("updated_at")),
        "v_contests": _one(contests, Count("pk")),
        "v_decided": _one(contests, Max("decided_at")),
        "v_grades": _one(changes, Max("pk")),
        "v_undone": _one(changes, Max("undone_at")),
        "v_concerns": _one(notices, Max("pk")),
        "v_seen": _one(notices, Max("seen_at")),
        "v_marks": _one(marks, Max("pk")),
        "v_marked": _one(marks, Count("pk")),
        "v_groups": _one(in_groups, Count("pk")),
    }


def _one(rows: QuerySet[Any], value: Combinable) -> Subquery:
    """Return one value over all these rows as a subquery."""
    return Subquery(rows.order_by().annotate(one=Value(1)).values("one").annotate(found=value).values("found"))
