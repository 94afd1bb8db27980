"""Concepts that a course teaches are found by each of their names."""

import pytest

from conversations.concepts.lesson_links import LessonLink
from conversations.concepts.names import concept_key
from tutoring.lesson_finder import lessons_by_name
from tutoring.models import Course

pytestmark = [pytest.mark.django_db, pytest.mark.db]


def test_every_name_of_a_concept_leads_to_its_lesson(kept_fractions):
    found, course = lessons_by_name(), Course.objects.get().catalogue()
    concept = course.concept("one-half")
    link = LessonLink(title=concept.title, url="/learn/fractions/one-half/")
    for name in (concept.title, concept.title.upper(), *concept.also):
        assert found[concept_key(name)] == link


def test_no_course_has_no_lessons(kept_fractions):
    Course.objects.all().delete()
    assert lessons_by_name() == {}
