"""Names of what the courses teach, as terms for the analysis of a text."""

from collections.abc import Iterable, Iterator

from conversations.panel.facts import KnownTerm
from tutoring.courses.catalogue import CourseContent


def known_terms(courses: Iterable[CourseContent]) -> Iterator[KnownTerm]:
    """Yield each concept by its title and its other names."""
    for course in courses:
        for concept in course.concepts:
            for name in (concept.title, *concept.also):
                yield KnownTerm(name=name.casefold(), category=course.title.casefold())
