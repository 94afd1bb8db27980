"""Publishing a draft: checked, stored and owned in one go; a faulty one changes nothing."""

from typing import Any

import pytest

from tests.people import make_person
from tests.tutoring.course_writing.draft_helpers import small_course
from tutoring.course_storage import imported_folders
from tutoring.course_writing import concepts
from tutoring.course_writing.publishing import NotPublished, publish_course, withdraw_course
from tutoring.course_writing.versions import change_draft, create_draft
from tutoring.models import Course

pytestmark = pytest.mark.django_db


def test_a_small_course_is_published_for_its_owner(grace: Any) -> None:
    draft = create_draft(grace, small_course(), message="New")

    course = publish_course(draft, by=grace)

    assert (course.slug, course.owner_id, course.is_public, course.is_open) == ("doubles", grace.pk, False, True)
    assert [concept.id for concept in course.catalogue().concepts] == ["doubling", "even-numbers"]
    assert [folder.name for folder in imported_folders()] == ["doubles"]
    assert not draft.is_changed


def test_a_draft_with_faults_changes_nothing(grace: Any) -> None:
    files, _name = concepts.add_concept(small_course(), "Odd numbers")
    draft = create_draft(grace, files, message="New")

    with pytest.raises(NotPublished) as refused:
        publish_course(draft, by=grace)

    assert not Course.objects.exists()
    assert {(fault.kind, fault.concept, fault.field) for fault in refused.value.faults} == {
        ("concept", "odd-numbers", "summary"),
        ("concept", "odd-numbers", "lesson"),
    }


def test_a_new_version_keeps_the_id_when_the_title_changes(grace: Any) -> None:
    draft = create_draft(grace, small_course(), message="New")
    first = publish_course(draft, by=grace)
    change_draft(draft, lambda files: concepts.change_course(files, {"title": "Twice"}), author=grace, message="Title")

    second = publish_course(draft, by=grace)

    assert (second.pk, second.slug, second.title, second.version) == (first.pk, "doubles", "Twice", "2")


def test_a_withdrawn_course_is_offered_to_its_owner_only(grace: Any) -> None:
    course = publish_course(create_draft(grace, small_course(), message="New"), by=grace)
    Course.objects.update(is_public=True)
    ada = make_person("ada")

    withdraw_course(course)

    assert course in Course.objects.listed_for(grace)
    assert course not in Course.objects.listed_for(ada)
