"""What the form of an assignment starts with."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone

from tutoring.assignments.changes import new_seed
from tutoring.assignments.due_days import END_OF_DAY, usual_due_day
from tutoring.assignments.readings import reading_id
from tutoring.models import Assignment, Classroom, Concept
from tutoring.models.assignments import USUAL_QUESTIONS


def initial_of(like: Assignment | None, *, edited: bool) -> dict[str, Any]:
    """Return what the form starts with: the usual choices, those of the assignment to change, or its copy's."""
    today = timezone.localdate()
    usual = {
        "kind": Assignment.Kind.CONCEPT,
        "questions": USUAL_QUESTIONS,
        "explains_at_once": False,
        "is_evidence": True,
        "audience": "all",
        "starts_on": today,
        "due_on": usual_due_day(today),
        "seed": new_seed(),
    }
    if like is None:
        return usual
    copied = usual | {
        **{name: getattr(like, name) for name in ("title", "kind", "questions", "note", "seed", "tells_done")},
        **{name: getattr(like, name) for name in ("is_live", "gives_hints", "explains_at_once", "is_evidence")},
        "topics": [str(each.pk) for each in like.concepts.all()],
        "goal_topic": next((str(each.pk) for each in like.concepts.all()), ""),
        "score" if like.is_quiz else "answers": like.goal_number,
        "reading": reading_id(like),
    }
    return copied | (_own_times(like) | _own_audience(like) if edited else {})


def suggestion(asked: Mapping[str, str], classroom: Classroom, concepts: Sequence[Concept]) -> dict[str, Any]:
    """Return what an address suggests: `group=<id>` of the class, `concept=<course>/<slug>`. Others are ignored."""
    group, topic = asked.get("group", ""), asked.get("concept", "")
    groups = [str(each) for each in classroom.groups.values_list("pk", flat=True) if str(each) == group]
    topics = [str(each.pk) for each in concepts if f"{each.course.slug}/{each.slug}" == topic]
    return ({"audience": "groups", "groups": groups} if groups else {}) | ({"topics": topics} if topics else {})


def _own_times(like: Assignment) -> dict[str, Any]:
    due = timezone.localtime(like.due_at)
    clock = due.time().replace(second=0, microsecond=0)
    return {
        "starts_on": timezone.localdate(like.starts_at),
        "due_on": due.date(),
        "due_time": None if clock == END_OF_DAY else clock,
    }


def _own_audience(like: Assignment) -> dict[str, Any]:
    groups, people = [str(each.pk) for each in like.groups.all()], [str(each.pk) for each in like.people.all()]
    return {
        "audience": "all" if like.is_for_all else "groups" if groups else "people",
        "groups": groups,
        "people": people,
    }
