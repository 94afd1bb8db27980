"""What a class can be given to read: documents shared with it, and the articles that everybody has."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from agents.people import Person
from conversations.library.articles import shipped_articles
from conversations.models import Document
from tutoring.assignments.audiences import given_to
from tutoring.models import Assignment, AssignmentWork, Classroom

ARTICLE, DOCUMENT = "article:", "document:"
"""Prefixes of a reading's id in forms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What there is to read."""

    title: str
    url: str


def shared_documents(classroom: Classroom) -> list[Document]:
    """Return the documents in folders that are shared with the class, by name."""
    rows = Document.objects.filter(folder__audience=classroom.audience, in_library=True, session__deleted_at=None)
    return sorted(rows, key=lambda each: (str(each).casefold(), str(each.pk)))


def reading_choices(documents: Sequence[Document]) -> list[tuple[str, str]]:
    """Return the ids and titles of what can be chosen, documents first."""
    own = [(f"{DOCUMENT}{each.pk}", str(each)) for each in documents]
    return [*own, *((f"{ARTICLE}{each.id}", each.title) for each in shipped_articles().values())]


def reading_id(assignment: Assignment) -> str:
    """Return the id of the assignment's reading in forms; empty without one."""
    if assignment.article:
        return f"{ARTICLE}{assignment.article}"
    return f"{DOCUMENT}{assignment.document_id}" if assignment.document_id else ""


def open_reading(person: Person, **text: object) -> Assignment | None:
    """Return the assignment for which a pupil has opened a text and not read it yet: `article` or `document`."""
    started = AssignmentWork.objects.filter(learner_id=person.pk, read_at=None).exclude(started_at=None)
    return given_to(person).filter(kind=Assignment.Kind.READING, pk__in=started.values("assignment"), **text).first()


def reading_of(assignment: Assignment) -> Reading | None:
    """Return what there is to read; None if it was deleted or is not shared with the class any more."""
    if (article := shipped_articles().get(assignment.article)) is not None:
        return Reading(title=article.title, url=reverse("article", args=[article.id]))
    if assignment.document_id is None:
        return None
    shared = Document.objects.filter(folder__audience=assignment.classroom.audience, in_library=True)
    document = shared.filter(pk=assignment.document_id).first()
    return Reading(title=str(document), url=document.get_absolute_url()) if document else None
