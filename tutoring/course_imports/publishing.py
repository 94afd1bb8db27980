"""Makes a course of a draft: files in the data folder, checked as every course, and loaded; all of it or nothing."""

from itertools import count
from pathlib import Path

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from tutoring.course_imports.course_files import CourseHead, course_files
from tutoring.course_imports.drafts import CourseDraft, draft_to_json
from tutoring.course_imports.exercises import Entry, exercise_entry
from tutoring.course_imports.questions import ImportedQuestion, ImportRefused, QuestionRefused
from tutoring.course_storage import free_slugs, replace_folder, store_course, written_folder
from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.files.course_builder import BuiltCourse
from tutoring.courses.files.faults import CourseFaults
from tutoring.models import AuthoredCourse, Course, CourseImport, CourseOwner

TRIALS = 4
"""Exercises tried per question: imported questions have no parameters, so only the order of their options changes."""
POSITION = 1_000
"""Imported courses are listed after those of the site."""


def publish_draft(draft: CourseDraft, *, owner: Person | None, kept: CourseImport | None = None) -> tuple[Course, bool]:
    """Return the course made of the draft, and whether anything changed.

    A course of the same owner and title is replaced; it stays as it is if it is the same. Raises ImportRefused if the
    course is not valid, or if topics are missing that learners have worked on.
    """
    slug = _free_slug(draft.title, owner)
    with written_folder(_files(draft, slug)) as folder:
        try:
            built = load_checked_course(folder, seeds=TRIALS)
            return _store(built, folder, draft, owner=owner, kept=kept)
        except CourseFaults as faults:
            raise ImportRefused("\n".join(str(fault) for fault in faults.faults[:10])) from None


def _files(draft: CourseDraft, slug: str) -> dict[str, str]:
    head = CourseHead(
        id=slug,
        title=draft.title,
        summary=ngettext("%(count)d imported question.", "%(count)d imported questions.", draft.questions)
        % {"count": draft.questions},
        language=draft.language,
        license=draft.license or _("not stated"),
        attribution=draft.attribution,
    )
    exercises: dict[str, list[Entry]] = {}
    number = count(1)
    for topic in draft.topics:
        exercises[topic.id] = [
            _entry(question, exercise=f"{topic.id[:50]}-q{next(number)}", concept=topic.id)
            for question in topic.questions
        ]
    return course_files(head, draft.topics, exercises)


def _entry(question: ImportedQuestion, *, exercise: str, concept: str) -> Entry:
    """Return the question as an exercise. Raises ImportRefused: a draft may be older than a check."""
    try:
        return exercise_entry(question, exercise=exercise, concept=concept)
    except QuestionRefused as refused:
        raise ImportRefused(f"{question.place or question.name}: {refused}") from None


def _free_slug(title: str, owner: Person | None) -> str:
    """Return the id of the owner's imported course of that title, else one that no course has.

    A course that its owner has changed in the browser is not replaced.
    """
    for slug in free_slugs(title):
        found = Course.objects.filter(slug=slug).defer("content").first()
        is_own = found is not None and found.owner_id == (owner.pk if owner else None) and found.imports.exists()
        if found is None or (is_own and found.title == title and not _is_edited(found)):
            return slug
    raise AssertionError("unreachable")


def _is_edited(course: Course) -> bool:
    return AuthoredCourse.objects.filter(course=course, revision__gt=1).exists()


def _store(
    built: BuiltCourse, folder: Path, draft: CourseDraft, *, owner: Person | None, kept: CourseImport | None
) -> tuple[Course, bool]:
    same = Course.objects.filter(slug=built.course.id, source_hash=built.hash).defer("content").first()
    if same is not None:
        _remember(same, draft, owner=owner, kept=kept)
        return same, False
    is_new = not Course.objects.filter(slug=built.course.id).exists()
    with transaction.atomic():
        course = store_course(built, position=POSITION)
        if is_new:
            give_to(course, owner)
        _remember(course, draft, owner=owner, kept=kept)
        replace_folder(built.course.id, folder)
    return course, True


def give_to(course: Course, owner: Person | None) -> None:
    """Make the course the owner's own; without an owner it is for everybody."""
    if owner is not None:
        CourseOwner.objects.create(course=course, owner_id=owner.pk)
        course.is_public = False
        course.save(update_fields=["is_public"])


def _remember(course: Course, draft: CourseDraft, *, owner: Person | None, kept: CourseImport | None) -> None:
    """Keep the draft as the report of the import."""
    if kept is not None:
        kept.course, kept.draft, kept.title = course, draft_to_json(draft), draft.title
        kept.save(update_fields=["course", "draft", "title"])
    elif not course.imports.exists():
        CourseImport.objects.create(
            owner_id=owner.pk if owner else None, title=draft.title, draft=draft_to_json(draft), course=course
        )
