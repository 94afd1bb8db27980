"""Reading material for a course: texts of files or of the library, attached to concepts and published for the search."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any, Final

from django.utils.translation import gettext as _

from conversations.models import Document
from conversations.readers import Page
from conversations.search.publications import PublishedSection, PublishedText
from tutoring.course_imports.questions import ImportRefused
from tutoring.course_imports.topics import plain_title, terms_of
from tutoring.courses.catalogue import ConceptContent
from tutoring.models import Course, CourseReading

KIND: Final = "reading"
MAX_SECTIONS: Final = 400
MAX_CONCEPTS: Final = 3
"""Concepts of one section."""
MIN_MENTIONS: Final = 2
"""How often a section must have the words of a concept's title, if its heading does not have them."""

type Section = dict[str, Any]


def add_reading(
    course: Course, pages: Iterable[Page], *, title: str, license: str, attribution: str, digest: str
) -> tuple[CourseReading, bool]:
    """Add a text to a course; return it, and whether it is new. Raises ImportRefused without a license or a text."""
    if not license.strip():
        raise ImportRefused(_("Say under which license the text may be used."))
    sections = [
        {"heading": page.heading, "text": page.text, "page": page.number, "concepts": []}
        for page in pages
        if page.text.strip() and not page.glossary
    ]
    if not 0 < len(sections) <= MAX_SECTIONS:
        words = _("The text must have from 1 to %(most)d sections; it has %(count)d.")
        raise ImportRefused(words % {"most": MAX_SECTIONS, "count": len(sections)})
    known = CourseReading.objects.filter(course=course, digest=digest).first()
    if known is not None:
        return known, False
    concepts = course.catalogue().concepts
    return CourseReading.objects.create(
        course=course, title=plain_title(title), license=license.strip(), attribution=attribution.strip(),
        digest=digest, sections=[section | {"concepts": propose_concepts(section, concepts)} for section in sections],
    ), True  # fmt: skip


def propose_concepts(section: Section, concepts: Sequence[ConceptContent]) -> list[str]:
    """Return the concepts whose title or other name a section has in its heading, or often in its text."""
    heading, words = terms_of(section["heading"]), Counter(_words(section["text"]))
    ranked: list[tuple[int, int]] = []
    for at, concept in enumerate(concepts):
        names = [terms for name in (concept.title, *concept.also) if (terms := terms_of(name))]
        mentions = max((min(words[word] for word in terms) for terms in names), default=0)
        is_named = any(terms <= heading for terms in names)
        if is_named or mentions >= MIN_MENTIONS:
            ranked.append((-mentions - 1_000 * is_named, at))
    return [concepts[at].id for _rank, at in sorted(ranked)[:MAX_CONCEPTS]]


def _words(text: str) -> Iterator[str]:
    for word in text.split():
        yield from terms_of(word)


def attach(reading: CourseReading, chosen: Mapping[int, Sequence[str]]) -> None:
    """Attach the sections, by their number from 0, to other concepts; ids that the course does not have are ignored."""
    known = {concept.id for concept in reading.course.catalogue().concepts}
    for at, slugs in chosen.items():
        if 0 <= at < len(reading.sections):
            reading.sections[at]["concepts"] = [slug for slug in dict.fromkeys(slugs) if slug in known]
    reading.save(update_fields=["sections"])


def pages_of(document: Document) -> list[Page]:
    """Return the pages of a document of the library that was read."""
    rows = document.passages.order_by("number")
    return [
        Page(number=page, heading=heading, text="".join(row.text for row in group), glossary=not indexed)
        for (page, heading, indexed), group in groupby(rows, key=lambda row: (row.page, row.heading, row.indexed))
    ]


def published_readings() -> Iterator[PublishedText]:
    """Yield the reading material of the courses for everybody, for the search."""
    for reading in (
        CourseReading.objects.filter(course__is_public=True).select_related("course").defer("course__content")
    ):
        yield PublishedText(
            key=f"{reading.course.slug}-{reading.pk}", title=reading.title, version=reading.digest,
            sections=partial(_published_sections, reading),
        )  # fmt: skip


def _published_sections(reading: CourseReading) -> Iterator[PublishedSection]:
    address = reading.get_absolute_url()
    for at, section in enumerate(reading.sections):
        yield PublishedSection(
            heading=section["heading"] or reading.title, text=section["text"], link=f"{address}#section-{at + 1}"
        )
