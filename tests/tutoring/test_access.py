"""The doors: what is somebody else's is not there."""

import pytest
from django.http import Http404

from tests.tutoring.small_course import ask, make_course
from tutoring import access

pytestmark = pytest.mark.django_db


def test_own_question_is_found_with_its_course(ada, django_assert_num_queries):
    question = ask(ada)
    with django_assert_num_queries(1):
        found = access.question_for(ada, str(question.pk))
        assert (found.concept.course.slug, found.session.key) == ("fractions", "lesson")


@pytest.mark.parametrize("person", ["eve", "grace", "root"])
def test_nobody_else_finds_a_question_not_even_an_admin(ada, person, request):
    """A1"""
    question = ask(ada)
    with pytest.raises(Http404):
        access.question_for(request.getfixturevalue(person), str(question.pk))


@pytest.mark.parametrize("pk", ["0", "-1", str(2**63), "abc", "../", "", "\x00"])
def test_unfit_ids_are_not_there(ada, pk):
    """B5"""
    with pytest.raises(Http404):
        access.question_for(ada, pk)


def test_an_id_has_one_spelling(ada):
    """B5"""
    question = ask(ada)
    for pk in (str(question.pk).upper(), question.pk.hex, f"{{{question.pk}}}", f" {question.pk}"):
        if pk != str(question.pk):
            with pytest.raises(Http404):
                access.question_for(ada, pk)


def test_course_and_concept_are_found_by_their_slugs(ada):
    make_course()
    assert access.course_for(ada, "fractions").title == "Fractions"
    assert access.concept_for(ada, "fractions", "one_half").title == "One half"


def test_unknown_course_and_concept_are_not_there(ada):
    make_course()
    with pytest.raises(Http404):
        access.course_for(ada, "decimals")
    for slugs in (("fractions", "decimals"), ("decimals", "one_half")):
        with pytest.raises(Http404):
            access.concept_for(ada, *slugs)
