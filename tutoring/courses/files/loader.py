"""Loads a whole course from its folder, or raises with every fault found."""

from pathlib import Path

from tutoring.courses.catalogue import CourseContent
from tutoring.courses.files.course_builder import BuiltCourse, build_course
from tutoring.courses.files.reader import read_files
from tutoring.courses.files.sources import read_sources


def parse_course(folder: Path) -> CourseContent:
    """Return the course in the folder, well formed and with every reference checked; see `checking` for the rest.

    Raises CourseFaults with file, line and reason of every fault.
    """
    return read_course(folder).course


def read_course(folder: Path) -> BuiltCourse:
    """Return the course with source locations and the hash of its files. Raises CourseFaults."""
    return build_course(read_files(read_sources(folder)))
