"""Learners in the middle of a course when a new version is published, or the course is withdrawn."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.test import Client

from tests.people import make_person
from tests.tutoring.class_helpers import make_class
from tests.tutoring.course_writing.draft_helpers import CHOICE, DOUBLE, WORDS, small_course, with_exercise
from tests.tutoring.lessons.learners import right, wrong
from tests.tutoring.lessons.lesson_player import Stage, unhurried
from tutoring.classes.membership import join_class
from tutoring.course_writing import concepts, exercises, lessons, misconceptions
from tutoring.course_writing.draft_files import Files
from tutoring.course_writing.publishing import offer_course, publish_course, withdraw_course
from tutoring.course_writing.versions import change_draft, create_draft
from tutoring.models import AuthoredCourse, Concept, Course, Mastery, MisconceptionState, Question

pytestmark = pytest.mark.django_db
LEARNED, OTHER = "even-numbers", "doubling"
PAGES = (
    "/",
    "/learn/",
    "/learn/doubles/",
    f"/learn/doubles/{LEARNED}/",
    "/learn/doubles/path/",
    "/progress/",
    f"/progress/doubles/{LEARNED}/",
    "/path/",
)
TEACHERS_PAGES = (
    "/teach/",
    "/teach/4b/",
    "/teach/4b/questions/",
    "/teach/4b/misconceptions/",
    "/teach/4b/reports/",
    "/teach/courses/doubles/",
)


@pytest.fixture
def draft(grace: Any) -> AuthoredCourse:
    draft = create_draft(grace, small_course(), message="New")
    publish_course(draft, by=grace)
    return draft


@pytest.fixture
def stage(grace: Any, draft: AuthoredCourse) -> Any:
    """Ada, in a lesson on even numbers."""
    ada = make_person("ada")
    make_class(grace, ada)
    with unhurried():
        stage = Stage(ada, Concept.objects.select_related("course").get(slug=LEARNED))
        stage.open()
        yield stage


def without_everything(files: Files) -> Files:
    """Return the files with other exercises, another lesson and no misconceptions."""
    for entry in exercises.draft_exercises(files, LEARNED):
        files = exercises.remove_exercise(files, LEARNED, entry["id"])
    files = misconceptions.remove_misconception(files, "odd-is-even")
    files = lessons.remove_piece(files, LEARNED, f"{LEARNED}-p1")
    piece = replace(
        lessons.new_piece(files, LEARNED, "example"), id="other", text="Six is even.", question="Is 8 even?"
    )
    files = lessons.put_piece(files, LEARNED, replace(piece, section="explain.advanced"))
    for values in (DOUBLE, DOUBLE, {**CHOICE, "because-A": ""}, WORDS):
        files = with_exercise(files, LEARNED, {**values, "stem": f"Once more: {values['stem']}"})
    return files


def without_its_concept(files: Files) -> Files:
    return concepts.remove_concept(files, LEARNED)


def without_the_other_concept(files: Files) -> Files:
    return concepts.remove_concept(files, OTHER)


EDITS: tuple[Callable[[Files], Files], ...] = (without_everything, without_its_concept, without_the_other_concept)


def go_on(stage: Stage) -> None:
    """Take the lesson to its end, with one wrong answer and a hint on the way."""
    for number in range(30):
        if stage.standing.cycle.is_over:
            return
        if stage.question is None:
            stage.say("next")
        elif number == 1:
            stage.check(wrong(stage.question))
        else:
            stage.check(right(stage.question))


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("moment", ["lesson", "question", "wrong answer"])
def test_a_lesson_goes_on_after_a_new_version(
    stage: Stage, draft: AuthoredCourse, grace: Any, edit: Callable[[Files], Files], moment: str
) -> None:
    if moment != "lesson":
        stage.say("quiz me")
        if moment == "wrong answer":
            while (question := stage.question) is not None and question.kind != "choice":
                stage.check(right(question))
            assert stage.question is not None
            stage.check("A" if right(stage.question) != "A" else "B")
    asked = stage.question
    change_draft(draft, edit, author=grace, message="Another")

    publish_course(draft, by=grace)

    if asked is not None:
        stage.check(right(asked))
        asked.refresh_from_db()
        assert asked.attempts.order_by("-number")[0].correct
    go_on(stage)
    assert Mastery.objects.get(learner=stage.person, concept__slug=LEARNED).is_mastered
    client = Client()
    client.force_login(stage.person)
    assert {page: client.get(page, follow=True).status_code for page in PAGES} == dict.fromkeys(PAGES, 200)
    client.force_login(grace)
    shown = {page: client.get(page, follow=True).status_code for page in TEACHERS_PAGES}
    assert shown == dict.fromkeys(TEACHERS_PAGES, 200)


def test_a_removed_topic_with_work_is_kept_for_those_who_began_it(
    stage: Stage, draft: AuthoredCourse, grace: Any
) -> None:
    stage.say("quiz me")
    change_draft(draft, without_its_concept, author=grace, message="Less")

    course = publish_course(draft, by=grace)

    kept = course.catalogue().concept(LEARNED)
    assert (kept.retired, kept.goal, kept.requires) == (True, False, ())
    ben = make_person("ben")
    join_class(ben, "4b")
    client = Client()
    client.force_login(stage.person)
    assert "Even numbers" in client.get("/learn/doubles/").content.decode()
    client.force_login(ben)
    assert "Even numbers" not in client.get("/learn/doubles/").content.decode()


def test_a_removed_topic_without_work_is_gone(draft: AuthoredCourse, grace: Any) -> None:
    change_draft(draft, without_its_concept, author=grace, message="Less")

    publish_course(draft, by=grace)

    assert list(Concept.objects.values_list("slug", flat=True)) == [OTHER]


def test_a_withdrawn_course_is_finished_by_those_inside_and_begun_by_nobody(
    stage: Stage, draft: AuthoredCourse, grace: Any
) -> None:
    course = Course.objects.get()
    withdraw_course(course)
    ben = make_person("ben")
    join_class(ben, "4b")
    client = Client()
    client.force_login(ben)
    assert client.get("/learn/doubles/").status_code == 404

    stage.say("quiz me")
    go_on(stage)

    assert Mastery.objects.get(learner=stage.person, concept__slug=LEARNED).is_mastered
    offer_course(course)
    assert client.get("/learn/doubles/").status_code == 200
    assert Question.objects.exists()


def test_suspicions_of_a_removed_misconception_change_nothing(stage: Stage, draft: AuthoredCourse, grace: Any) -> None:
    MisconceptionState.objects.all().delete()
    stage.say("I think odd numbers are even")
    change_draft(draft, without_everything, author=grace, message="Another")
    publish_course(draft, by=grace)

    stage.say("quiz me")
    go_on(stage)

    assert Mastery.objects.get(learner=stage.person, concept__slug=LEARNED).is_mastered
