"""The only access to courses, questions, lessons and classes: what is not the person's own looks missing."""

import re
import uuid

from django.http import Http404
from django.utils.translation import gettext as _

from agents.people import Person
from conversations.validators import is_storable
from tutoring.models import Attempt, Concept, Course, Lesson, Question

TOO_LARGE = 2**63
"""From this number on, an id is too large for the database."""
CANONICAL_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def course_for(person: Person, slug: str) -> Course:
    """Return the course, without its content: one for everybody, or one for this person."""
    course = Course.objects.listed_for(person).filter(slug=slug).first()
    if course is None:
        raise Http404(not_found_text())
    return course


def concept_for(person: Person, course_slug: str, concept_slug: str) -> Concept:
    """Return the concept of a course that the person may open, with the course."""
    concepts = Concept.objects.select_related("course").defer("course__content")
    found = concepts.filter(course__slug=course_slug, slug=concept_slug)
    concept = found.filter(course__in=Course.objects.visible_to(person).values("pk")).first()
    if concept is None:
        raise Http404(not_found_text())
    return concept


def taught_concept_for(person: Person, course: Course, slug: str) -> Concept:
    """Return a concept that the course has now, with the course. One removed from its files is not found."""
    if all(concept.id != slug for concept in course.catalogue().concepts):
        raise Http404(not_found_text())
    return concept_for(person, course.slug, slug)


def lesson_for(person: Person, key: str) -> Lesson:
    """Return the lesson of the person's own conversation of that key, with session, concept and course."""
    lessons = Lesson.objects.select_related("session", "concept__course").defer("concept__course__content")
    own = lessons.filter(session__owner_id=person.pk, session__key=key, session__deleted_at=None)
    lesson = own.first() if is_storable(key) else None
    if lesson is None:
        raise Http404(not_found_text())
    return lesson


def question_for(person: Person, pk: str) -> Question:
    """Return the person's own question, with session, concept and course. Only the canonical spelling of its id counts.

    Questions of an assigned quiz are answered on the quiz's own pages.
    """
    if not CANONICAL_UUID.fullmatch(pk):
        raise Http404(not_found_text())
    question = (
        Question.objects.owned_by(person).with_course().select_related("session").filter(pk=uuid.UUID(pk)).first()
    )
    if question is None or question.is_assigned:
        raise Http404(not_found_text())
    return question


def attempt_for(person: Person, pk: int) -> Attempt:
    """Return the person's own answer, with question, concept, course and contest."""
    rows = Attempt.objects.select_related("question__concept__course", "contest")
    own = rows.defer("question__concept__course__content").filter(learner_id=person.pk)
    attempt = own.filter(pk=pk).first() if pk < TOO_LARGE else None
    if attempt is None:
        raise Http404(not_found_text())
    return attempt


def not_found_text() -> str:
    """Return one message for what is missing and what belongs to somebody else."""
    return _("Page not found.")
