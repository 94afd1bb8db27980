"""A course as JSON, for the database, and back."""

from functools import cache
from typing import Any

from pydantic import TypeAdapter

from tutoring.courses.catalogue import Course


def course_to_json(course: Course) -> dict[str, Any]:
    """Return the course as JSON values; `course_from_json` gives an equal course."""
    data: dict[str, Any] = _adapter().dump_python(course, mode="json")
    return data


def course_from_json(data: dict[str, Any]) -> Course:
    """Return the course that `course_to_json` wrote. Raises ValueError for anything else."""
    return _adapter().validate_python(data)


@cache
def _adapter() -> TypeAdapter[Course]:
    return TypeAdapter(Course)
