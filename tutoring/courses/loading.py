"""Read a whole course from its folder: all of it, or none of it and every fault found."""

from pathlib import Path

from tutoring.courses.building import Built, build
from tutoring.courses.catalogue import Course
from tutoring.courses.reading import read_files
from tutoring.courses.sources import read_sources


def parse_course(folder: Path) -> Course:
    """Return the course in the folder, well formed and with every reference checked; see `checking` for the rest.

    Raises CourseFaults with file, line and reason of every fault.
    """
    return read_course(folder).course


def read_course(folder: Path) -> Built:
    """Return the course with the places of its things and the hash of its files. Raises CourseFaults."""
    return build(read_files(read_sources(folder)))
