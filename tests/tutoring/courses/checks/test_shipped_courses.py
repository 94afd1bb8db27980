"""The courses that come with learnagent pass the gate that every course passes."""

from pathlib import Path

import pytest

from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.serialization import (
    course_from_json,
    course_to_json,
    with_wordings,
    without_wordings,
    wordings_to_json,
)

SHIPPED = sorted(path.parent for path in (Path(__file__).parents[4] / "courses").glob("*/course.yaml"))


@pytest.mark.parametrize("folder", SHIPPED, ids=lambda folder: folder.name)
def test_shipped_course_passes_every_check(folder):
    course = load_checked_course(folder, seeds=8).course
    kept = course_from_json(course_to_json(course))
    assert kept == without_wordings(course)
    assert with_wordings(kept, wordings_to_json(course)) == course
