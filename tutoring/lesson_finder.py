"""Finds the lesson on a concept by the concept's names, for what a learner asked about."""

from collections.abc import Mapping

from django.urls import reverse

from conversations.concepts.lesson_links import LessonLink
from conversations.concepts.names import concept_key
from conversations.panel.terms import Stems
from tutoring.models import Course


def lessons_by_name() -> Mapping[Stems, LessonLink]:
    """Return the lesson of every concept by each of its names; a name that two courses have leads to the first."""
    found: dict[Stems, LessonLink] = {}
    for row in Course.objects.listed():
        course = row.catalogue()
        for concept in course.taught:
            link = LessonLink(title=concept.title, url=reverse("concept", args=[course.id, concept.id]))
            for name in (concept.title, *concept.also):
                found.setdefault(concept_key(name), link)
    return found
