"""The only doors to courses, questions, lessons and classes: what is not the person's own is not there."""

import re
import uuid

from django.db import models
from django.http import Http404
from django.utils.translation import gettext as _

from agents.people import Person
from conversations.models import Session, Turn
from conversations.validators import is_storable
from tutoring.models import Classroom, Concept, Course, Lesson, Membership, Question

TOO_LARGE = 2**63
"""From here on a number is no id that a database could hold."""
CANONICAL_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def course_for(person: Person, slug: str) -> Course:
    """Return the course, without its content. Every signed-in person may learn every course."""
    course = Course.objects.listed().filter(slug=slug).first()
    if course is None:
        raise Http404(_nothing_here())
    return course


def concept_for(person: Person, course_slug: str, concept_slug: str) -> Concept:
    """Return the concept with its course."""
    concepts = Concept.objects.select_related("course").defer("course__content")
    concept = concepts.filter(course__slug=course_slug, slug=concept_slug).first()
    if concept is None:
        raise Http404(_nothing_here())
    return concept


def taught_concept_for(person: Person, course: Course, slug: str) -> Concept:
    """Return a concept that the course has now, with it. One that was taken out of its files is not there."""
    if all(concept.id != slug for concept in course.catalogue().concepts):
        raise Http404(_nothing_here())
    return concept_for(person, course.slug, slug)


def lesson_for(person: Person, key: str) -> Lesson:
    """Return what the person's own conversation of that key is a lesson on, with session, concept and course."""
    lessons = Lesson.objects.select_related("session", "concept__course").defer("concept__course__content")
    own = lessons.filter(session__owner_id=person.pk, session__key=key, session__deleted_at=None)
    lesson = own.first() if is_storable(key) else None
    if lesson is None:
        raise Http404(_nothing_here())
    return lesson


def question_for(person: Person, pk: str) -> Question:
    """Return the person's own question, with session, concept and course. Another way to write its id is no id."""
    if not CANONICAL_UUID.fullmatch(pk):
        raise Http404(_nothing_here())
    question = (
        Question.objects.owned_by(person).with_course().select_related("session").filter(pk=uuid.UUID(pk)).first()
    )
    if question is None:
        raise Http404(_nothing_here())
    return question


def classes_for(person: Person) -> models.QuerySet[Classroom]:
    """Return the classes a person may look into: a teacher's own, an admin's all. Raise Http404 for anybody else."""
    classrooms = Classroom.objects.select_related("policy")
    if person.role == "admin":
        return classrooms
    if person.role == "teacher":
        return classrooms.filter(memberships__person_id=person.pk, memberships__role=Membership.Role.TEACHER)
    raise Http404(_nothing_here())


def class_for(person: Person, code: str) -> Classroom:
    """Return the class, with its policy, for somebody who may look into it."""
    classroom = classes_for(person).filter(code=code).first()
    if classroom is None:
        raise Http404(_nothing_here())
    return classroom


def learner_in(classroom: Classroom, pk: int) -> Membership:
    """Return a learner's place in the class, with the person. Who has left is not there any more."""
    places = classroom.memberships.filter(role=Membership.Role.LEARNER).select_related("person")
    place = places.filter(person_id=pk).first() if pk < TOO_LARGE else None
    if place is None:
        raise Http404(_nothing_here())
    place.classroom = classroom
    return place


def place_of(person: Person, code: str) -> Membership:
    """Return the person's own place as a learner of a class, with the class and its policy."""
    places = Membership.objects.filter(person_id=person.pk, role=Membership.Role.LEARNER)
    place = places.select_related("classroom__policy").filter(classroom__code=code).first()
    if place is None:
        raise Http404(_nothing_here())
    return place


def readable_sessions(place: Membership) -> models.QuerySet[Session]:
    """Return a learner's conversations with something in them that the class's teachers may read, the latest first.

    Raise Http404 where the class has agreed that they may not.
    """
    since = place.classroom.policy.readable_since(place.joined_at)
    if since is None:
        raise Http404(_nothing_here())
    said_since = Turn.objects.filter(session=models.OuterRef("pk"), created_at__gte=since)
    return Session.objects.owned_by(place.person).filter(models.Exists(said_since)).order_by("-updated_at")


def readable_session(place: Membership, pk: int) -> Session:
    """Return one of those conversations."""
    session = readable_sessions(place).filter(pk=pk).first() if pk < TOO_LARGE else None
    if session is None:
        raise Http404(_nothing_here())
    return session


def _nothing_here() -> str:
    """One wording for what is missing and what is somebody else's."""
    return _("There is nothing here.")
