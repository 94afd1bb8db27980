"""The only doors to courses, questions and lessons: what is not the person's own is not there."""

import re
import uuid

from django.http import Http404
from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.models import Concept, Course, Question

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


def _nothing_here() -> str:
    """One wording for what is missing and what is somebody else's."""
    return _("There is nothing here.")
