"""Publishes courses for the search: lessons, examples and answers, each with a link to its lesson. No exercises."""

import re
from collections.abc import Iterable, Iterator
from functools import partial

from django.urls import reverse

from conversations.search.publications import PublishedSection, PublishedText
from tutoring.courses import catalogue as values
from tutoring.models import Course

KIND = "course"
EMPHASIS = re.compile(r"(\*+)(\S(?:[^*\n]*\S)?)\1")
FORMAT_VERSION = "1"
"""Version of what is published of a course: a new one publishes every course again."""


def published_courses() -> Iterator[PublishedText]:
    for course in Course.objects.listed():
        yield PublishedText(
            key=course.slug,
            title=course.title,
            version=f"{FORMAT_VERSION}-{course.source_hash}"[:64],
            sections=partial(sections_of, course),
        )


def sections_of(course: Course) -> Iterator[PublishedSection]:
    """Yield what a course says about each of its concepts, once."""
    for concept in course.catalogue().concepts:
        link = reverse("concept", args=[course.slug, concept.id])
        for text in dict.fromkeys(_texts(concept)):
            yield PublishedSection(heading=concept.title, text=text, link=link)


def _texts(concept: values.ConceptContent) -> Iterator[str]:
    yield concept.summary
    for piece in concept.every_piece:
        yield "\n\n".join(_plain(piece.blocks))
    for answer in concept.answers:
        yield from _plain([answer.says])


def _plain(blocks: Iterable[object]) -> Iterator[str]:
    """Yield the texts among the blocks, without emphasis."""
    for block in blocks:
        if isinstance(block, str):
            yield EMPHASIS.sub(r"\2", block)
