"""{milestone, turns: [{role, text}], answers: [{correct, assisted}]} → whether the milestone is reached, and what is missing."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

from pydantic import ValidationError

from tutoring.analysing.fields import text_in
from tutoring.courses.building import milestone_of
from tutoring.courses.catalogue import Course, Milestone
from tutoring.courses.schema import MilestoneEntry
from tutoring.hub.contradicting import wrong_idea
from tutoring.hub.milestone import output_of
from tutoring.models import Course as CourseRow
from tutoring.rules import verifying
from tutoring.rules.exchanges import Use
from tutoring.rules.verifying import Line

MOST: Final = 500
"""Turns, and answers, of a line."""
ROLES: Final = {"learner": True, "tutor": False}


def loaded_courses() -> list[Course]:
    """Return the loaded courses, with what first listens to their wrong ideas ready."""
    courses = [row.catalogue() for row in CourseRow.objects.order_by("position", "title")]
    for course in courses:
        for concept in course.concepts:
            for milestone in concept.milestones[:1]:
                wrong_idea("a few words to begin with", milestone=milestone, course=course)
    return courses


def analysis(row: Mapping[str, Any], courses: Sequence[Course]) -> dict[str, Any]:
    """Return the fields of document 004 and `missing`. Raise ValueError for a line without what is needed.

    `milestone` is an entry as in a course's milestones.yaml, or the id of one in a loaded course. Each answer counts as one
    to an exercise of its own that shows the milestone.
    """
    milestone, course = _milestone(row.get("milestone"), courses)
    milestone = replace(milestone, apply=replace(milestone.apply, items=("*",)))
    heard = partial(wrong_idea, milestone=milestone, course=course) if course else None
    verdict = verifying.verify(
        milestone,
        words=verifying.articulation(milestone, _lines(row), wrong_idea=heard),
        use=verifying.application(milestone, _uses(row)),
        suspicions={},
        misconceptions=course.misconceptions if course else {},
    )
    return output_of(milestone, verdict).model_dump()


def _milestone(given: object, courses: Sequence[Course]) -> tuple[Milestone, Course | None]:
    """Return the milestone, and the course whose misconceptions its `contradicts` name; None where no loaded one has them."""
    every = [(each, course) for course in courses for concept in course.concepts for each in concept.milestones]
    if isinstance(given, str):
        found = next(((each, course) for each, course in every if each.id == given), None)
        if found is None:
            raise ValueError(f"no loaded course has the milestone {given[:100]!r}")
        return found
    try:
        milestone = milestone_of(MilestoneEntry.model_validate(given))
    except ValidationError as error:
        fault = error.errors()[0]
        raise ValueError(f"milestone: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from None
    own = (course for each, course in every if each.id == milestone.id)
    sharing = (course for course in courses if set(milestone.contradicts) & set(course.misconceptions))
    return milestone, next(own, None) or next(sharing, None)


def _lines(row: Mapping[str, Any]) -> list[Line]:
    return [Line(by_learner=_is_learner(turn), text=text_in(turn, "text")) for turn in _objects(row, "turns")]


def _is_learner(turn: Mapping[str, Any]) -> bool:
    role = turn.get("role")
    if role not in ROLES:
        raise ValueError(f"role must be one of {', '.join(ROLES)}")
    return ROLES[role]


def _uses(row: Mapping[str, Any]) -> list[Use]:
    answers = enumerate(_objects(row, "answers"))
    return [
        Use(template=str(number), correct=_bool(each, "correct"), assisted=_bool(each, "assisted"))
        for number, each in answers
    ]


def _bool(row: Mapping[str, Any], name: str) -> bool:
    value = row.get(name)
    if not isinstance(value, bool):
        raise ValueError(f"{name} must be true or false")
    return value


def _objects(row: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    value = row.get(name, [])
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise ValueError(f"{name} must be a list of objects")
    if len(value) > MOST:
        raise ValueError(f"{name} holds more than {MOST}")
    return value
