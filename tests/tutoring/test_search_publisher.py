"""What courses say is found by everybody, with the way to the lesson, and no exercise with it."""

import pytest

from conversations.models import Passage
from conversations.search.engine import search
from conversations.search.publications import publish_changed
from tests.tutoring.lessons.lesson_player import load_fractions
from tutoring.models import Course

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _published():
    load_fractions()
    publish_changed()


def test_a_lesson_is_found_with_the_way_to_it(eve):
    found = search(eve, "common denominator", mode="keyword", limit=3).found
    best = next(each for each in found if each.kind == "course")  # an article has a heading of just these words
    assert (best.kind, best.title, best.url) == ("course", "Fractions", "/learn/fractions/common-bottoms/")
    assert "*" not in best.text


def test_no_exercise_is_published():
    said = " ".join(Passage.objects.values_list("text", flat=True))
    for concept in Course.objects.get().catalogue().concepts:
        assert not [template.stem for template in concept.templates if template.stem in said]


def test_again_changes_nothing():
    before = list(Passage.objects.values_list("pk", flat=True))
    publish_changed()
    assert list(Passage.objects.values_list("pk", flat=True)) == before
    Course.objects.update(source_hash="another")
    publish_changed()
    assert Passage.objects.count() == len(before)
    assert list(Passage.objects.values_list("pk", flat=True)) != before
