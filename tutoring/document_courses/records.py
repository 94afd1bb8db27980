"""Stored courses from documents: access, deletion, and their way into a class."""

from collections.abc import Sequence
from contextlib import suppress

from django.db import transaction
from django.db.models import ProtectedError, Q, QuerySet
from django.http import Http404

from agents.people import Person
from conversations.models import Document
from tutoring.access import TOO_LARGE, not_found_text
from tutoring.course_storage import delete_personal_course
from tutoring.models import Classroom, Course, DocumentCourse, Membership


def own_document_course(person: Person, pk: int) -> DocumentCourse:
    """Return the person's own course from a document, with its course and document."""
    return _one(DocumentCourse.objects.filter(owner_id=person.pk), pk)


def readable_document_course(person: Person, pk: int) -> DocumentCourse:
    """Return the person's own one, or one that is offered to a class they teach or accepted for a class of theirs."""
    places = Membership.objects.filter(person_id=person.pk)
    taught = places.filter(role=Membership.Role.TEACHER).values("classroom_id")
    readable = (
        Q(owner_id=person.pk)
        | Q(offered_to_id__in=taught)
        | Q(accepted_for_id__in=places.values("classroom_id"))
    )  # fmt: skip
    return _one(DocumentCourse.objects.filter(readable), pk)


def offered_document_course(person: Person, pk: int) -> DocumentCourse:
    """Return one that is offered to a class that the person teaches."""
    return _one(offers_to(person), pk)


def offers_to(person: Person) -> QuerySet[DocumentCourse]:
    """Return the courses whose owners ask a class of this teacher to use them."""
    taught = Membership.objects.filter(person_id=person.pk, role=Membership.Role.TEACHER).values("classroom_id")
    return DocumentCourse.objects.filter(offered_to_id__in=taught)


def _one(rows: QuerySet[DocumentCourse], pk: int) -> DocumentCourse:
    found = None
    if pk < TOO_LARGE:
        found = (
            rows.select_related("course", "document", "owner", "offered_to")
            .defer("course__content")
            .filter(pk=pk)
            .first()
        )
    if found is None:
        raise Http404(not_found_text())
    return found


def classes_to_offer(person: Person) -> list[Classroom]:
    """Return the classes in which the person learns and that have a teacher."""
    own = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER).values("classroom_id")
    teachers = Membership.objects.filter(role=Membership.Role.TEACHER).values("classroom_id")
    return list(Classroom.objects.filter(pk__in=own).filter(pk__in=teachers).order_by("name"))


@transaction.atomic
def accept(made: DocumentCourse) -> None:
    """Use the course in the class that it is offered to; from now on it counts there."""
    made.accepted_for, made.offered_to = made.offered_to, None
    made.save(update_fields=["accepted_for", "offered_to"])
    Course.objects.filter(document_course=made).update(is_personal=False)


def use_in_own_classes(made: DocumentCourse) -> None:
    """Let a teacher give their own course to their classes."""
    Course.objects.filter(document_course=made).update(is_personal=False)


def delete_document_course(made: DocumentCourse) -> None:
    """Delete the draft, the course and its owner's work in it. Raises ProtectedError if others have worked on it."""
    with transaction.atomic():
        if made.course is not None:
            delete_personal_course(made.course)
        made.delete()


def course_titles(document: Document) -> Sequence[str]:
    return list(DocumentCourse.objects.filter(document=document).values_list("title", flat=True))


def delete_courses_of(document: Document) -> None:
    """Delete the courses made from a document; those that others have worked on stay."""
    for made in DocumentCourse.objects.filter(document=document).select_related("course"):
        with suppress(ProtectedError):
            delete_document_course(made)
