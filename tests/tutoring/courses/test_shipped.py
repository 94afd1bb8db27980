"""The courses that come with learnagent pass the gate that every course passes."""

from pathlib import Path

import pytest

from tutoring.courses.checking import checked_course
from tutoring.courses.encoding import (
    course_from_json,
    course_to_json,
    with_wordings,
    without_wordings,
    wordings_to_json,
)

SHIPPED = sorted(path.parent for path in (Path(__file__).parents[3] / "courses").glob("*/course.yaml"))


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_shipped_course_passes_every_check(folder):
    course = checked_course(folder, seeds=8).course
    kept = course_from_json(course_to_json(course))
    assert kept == without_wordings(course)
    assert with_wordings(kept, wordings_to_json(course)) == course
