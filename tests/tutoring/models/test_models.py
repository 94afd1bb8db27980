"""Rows of courses and classes, and the use cases of a class."""

import pytest
from django.db import IntegrityError
from django.db.models import ProtectedError

from tests.tutoring.small_course import ask, make_course
from tutoring.classes import membership
from tutoring.mastery.records.progress import record_attempt
from tutoring.models import Classroom, Course, Membership

pytestmark = [pytest.mark.db, pytest.mark.django_db]


class TestCourse:
    def test_content_is_read_once_for_each_version(self, django_assert_num_queries):
        make_course("counted")
        with django_assert_num_queries(2):
            Course.objects.listed().get().catalogue()
        with django_assert_num_queries(1):
            Course.objects.listed().get().catalogue()

    def test_new_version_is_parsed_anew(self):
        course = make_course()
        assert course.catalogue().title == "Fractions"
        course.content["title"], course.source_hash = "Fractions again", "other"
        course.save()
        assert Course.objects.get().catalogue().title == "Fractions again"

    def test_concept_with_a_learners_record_is_not_deleted(self, ada):
        question = ask(ada)
        record_attempt(question, learner=ada, answer="1/2", idempotency_key="k")
        with pytest.raises(ProtectedError):
            question.concept.delete()

    def test_persons_records_go_with_the_person(self, ada):
        record_attempt(ask(ada), learner=ada, answer="2", idempotency_key="k")
        ada.delete()


class TestClass:
    def test_made_class_has_its_teacher_and_a_policy(self, grace):
        made = membership.make_class(grace, "4b", code="4B")
        assert made.code == "4b"
        assert made.memberships.get().role == Membership.Role.TEACHER
        assert made.policy.conversations == "nothing"
        assert len(made.policy.words) == 6
        assert made.policy.tells_of_concerns

    def test_code_is_taken_once(self, grace):
        membership.make_class(grace, "4b", code="4b")
        with pytest.raises(membership.ClassCodeTaken):
            membership.make_class(grace, "another", code="4b")
        assert Classroom.objects.count() == 1

    def test_drawn_code_has_no_letters_that_look_alike(self, grace):
        assert not set(membership.make_class(grace, "4b").code) & set("ilo01")

    def test_joining_twice_is_joining_once(self, grace, ada):
        membership.make_class(grace, "4b", code="4b")
        assert membership.join_class(ada, " 4B ") == membership.join_class(ada, "4b")
        assert membership.class_audiences(ada) == {"class:4b"}

    def test_class_nobody_made_cannot_be_joined(self, ada):
        with pytest.raises(membership.ClassNotFound):
            membership.join_class(ada, "5c")

    def test_teacher_who_joins_again_stays_teacher(self, grace):
        membership.make_class(grace, "4b", code="4b")
        assert membership.join_class(grace, "4b").role == Membership.Role.TEACHER

    def test_who_left_is_in_no_audience(self, grace, ada):
        membership.make_class(grace, "4b", code="4b")
        membership.join_class(ada, "4b")
        assert membership.leave_class(ada, "4b")
        assert not membership.leave_class(ada, "4b")
        assert membership.class_audiences(ada) == frozenset()

    def test_person_has_one_place_in_a_class(self, grace):
        made = membership.make_class(grace, "4b")
        with pytest.raises(IntegrityError):
            Membership.objects.create(classroom=made, person=grace)
