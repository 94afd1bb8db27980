"""JSON of a course for the database, and back; labelled wordings separately, since no turn needs them."""

from dataclasses import replace
from functools import cache
from typing import Any, Final

from pydantic import TypeAdapter

from tutoring.courses.catalogue import ConceptWordings, CourseContent

_PARTS: Final = ("concepts", "sayings", "requests")


def course_to_json(course: CourseContent) -> dict[str, Any]:
    """Return the course without its wordings as JSON values; `course_from_json` gives an equal course."""
    data: dict[str, Any] = _adapter().dump_python(without_wordings(course), mode="json")
    return data


def without_wordings(course: CourseContent) -> CourseContent:
    """Return the course without wordings, only their key, as turns use it."""
    concepts = tuple(replace(concept, wordings=ConceptWordings()) for concept in course.concepts)
    return replace(course, concepts=concepts, sayings={}, requests={})


def wordings_to_json(course: CourseContent) -> dict[str, Any]:
    """Return the labelled wordings of a course as JSON values, for `with_wordings`."""
    concepts = {concept.id: concept.wordings for concept in course.concepts}
    parts = (concepts, dict(course.sayings), dict(course.requests))
    data: Any = _wordings().dump_python(parts, mode="json")
    return dict(zip(_PARTS, data, strict=True))


def with_wordings(course: CourseContent, data: dict[str, Any]) -> CourseContent:
    """Return a course with the wordings that `wordings_to_json` wrote. Raises ValueError for anything else."""
    known, sayings, requests = _wordings().validate_python([data.get(part, {}) for part in _PARTS])
    concepts = tuple(replace(each, wordings=known.get(each.id, ConceptWordings())) for each in course.concepts)
    return replace(course, concepts=concepts, sayings=sayings, requests=requests)


def course_from_json(data: dict[str, Any]) -> CourseContent:
    """Return the course that `course_to_json` wrote. Raises ValueError for anything else."""
    return _adapter().validate_python(data)


@cache
def _adapter() -> TypeAdapter[CourseContent]:
    return TypeAdapter(CourseContent)


@cache
def _wordings() -> TypeAdapter[Any]:
    return TypeAdapter(tuple[dict[str, ConceptWordings], dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]])
