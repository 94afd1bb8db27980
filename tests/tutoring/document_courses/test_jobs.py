"""The job that drafts a course, and what becomes of the draft."""

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.tutoring.document_courses.document_helpers import document_of, drafted, stored_course
from tutoring.course_storage import folder_of, imported_folders
from tutoring.document_courses import jobs, records
from tutoring.document_courses.publishing import publish_document_course
from tutoring.models import Course, CourseOwner, DocumentCourse, Mastery, Question

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def own_folder(settings, tmp_path):
    settings.DATA_DIR = tmp_path


def test_a_document_becomes_a_draft(ada):
    made = drafted(ada)
    assert (made.status, made.title, made.steps_done) == ("ready", "Memory and learning", 4)
    assert made.value().questions > 10


def test_running_the_job_again_changes_nothing(ada):
    made = drafted(ada)
    before = made.draft
    jobs.draft_course.func(made.pk)
    made.refresh_from_db()
    assert (made.attempt, made.draft) == (1, before)


def test_a_text_without_definitions_fails_with_its_reason(ada):
    made = drafted(ada, "We went to the park and it was fun for all of us that day. " * 20)
    assert (made.status, made.problem) == ("failed", "no_terms")


def test_a_deleted_draft_stops_its_job(ada):
    made = jobs.order_draft(document_of(ada))
    made.delete()
    jobs.draft_course.func(made.pk)
    assert not DocumentCourse.objects.exists()


def test_a_lost_draft_is_ordered_again_and_given_up_after_three_attempts(ada):
    made = jobs.order_draft(document_of(ada))
    long_ago = timezone.now() - timedelta(hours=1)
    DocumentCourse.objects.filter(pk=made.pk).update(status="drafting", attempt=1, reported_at=long_ago)
    jobs.draft_course.func(made.pk)
    made.refresh_from_db()
    assert (made.status, made.attempt) == ("ready", 2)
    DocumentCourse.objects.filter(pk=made.pk).update(status="drafting", attempt=3, reported_at=long_ago)
    jobs.requeue_lost_drafts()
    made.refresh_from_db()
    assert (made.status, made.problem) == ("failed", "crashed")


def test_a_started_course_is_its_owners_own(ada, ben):
    made = drafted(ada)
    course = publish_document_course(made, made.value())
    course.refresh_from_db()
    assert (course.is_public, course.is_personal) == (False, True)
    assert course in Course.objects.listed_for(ada)
    assert course not in Course.objects.listed_for(ben)
    assert folder_of(course) in list(imported_folders())


def test_publishing_again_changes_nothing(ada):
    made = drafted(ada)
    first = publish_document_course(made, made.value()).source_hash
    assert publish_document_course(made, made.value()).source_hash == first
    assert Course.objects.count() == 1


def test_deleting_takes_the_owners_work_along(ada):
    made = drafted(ada)
    course = publish_document_course(made, made.value())
    concept = course.concepts.first()
    Mastery.objects.create(learner=ada, concept=concept, probability=0.5, threshold=0.85)
    Question.objects.create(
        learner=ada, concept=concept, template="t", seed=1, kind="text", stem="?", public={}, key={}
    )
    records.delete_document_course(made)
    assert not Course.objects.exists()
    assert not CourseOwner.objects.exists()
    assert not Question.objects.exists()


def test_deleting_the_document_keeps_the_course(ada):
    made = drafted(ada)
    made.document.delete()
    made.refresh_from_db()
    assert made.document is None


def test_courses_of_a_document_can_be_deleted_with_it(ada):
    made = drafted(ada)
    assert records.course_titles(made.document) == ["Memory and learning"]
    records.delete_courses_of(made.document)
    assert not DocumentCourse.objects.exists()


def test_an_own_course_is_none_of_any_class_until_a_teacher_accepts_it(ada, classroom):
    made = stored_course(ada, offered_to=classroom)
    assert made.course not in Course.objects.listed_in(classroom)
    records.accept(made)
    assert made.course in Course.objects.listed_in(classroom)
    assert not Course.objects.get(pk=made.course_id).is_personal
