"""Publishes drafts: checked as every course and stored in one go. What learners have begun is kept for them."""

from pathlib import Path

from django.db import transaction
from django.db.models import ManyToOneRel
from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.course_storage import folder_of, free_slugs, replace_folder, store_course, written_folder
from tutoring.course_writing.concepts import course_fields, draft_concepts
from tutoring.course_writing.draft_faults import DraftFault, find_draft_faults
from tutoring.course_writing.draft_files import COURSE, Files, with_data
from tutoring.course_writing.retired_concepts import with_retired
from tutoring.course_writing.versions import change_draft
from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.files.course_builder import BuiltCourse
from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.sources import read_sources
from tutoring.models import AuthoredCourse, Concept, Course, CourseOwner

TRIALS = 30
"""Exercises tried per template. One of a teacher's own has few values, so most of them are tried."""
POSITION = 1_000
"""Teachers' courses are listed after those of the site."""


class NotPublished(Exception):
    """A draft with faults; nothing was changed."""

    def __init__(self, faults: tuple[DraftFault, ...]) -> None:
        super().__init__("\n".join(f"{each.file}:{each.line}: {each.reason}" for each in faults))
        self.faults = faults


def publish_course(draft: AuthoredCourse, *, by: Person) -> Course:
    """Return the course made of the draft, or of its new version; all of it or nothing.

    Raises NotPublished for a draft that does not pass the checks of a course, and UnreadableFile.
    """
    with transaction.atomic():
        locked = AuthoredCourse.objects.select_for_update().select_related("course").get(pk=draft.pk)
        files = _with_name(locked.files, locked.course)
        whole = with_retired(files, _published_files(locked.course), _begun(locked.course, files))
        with written_folder(whole) as folder:
            built = _checked(folder, files, whole)
            course = _stored(locked, built)
            _mark_published(locked, files, course, by=by)
            replace_folder(course.slug, folder)
    draft.refresh_from_db()
    return course


def _with_name(files: Files, course: Course | None) -> Files:
    """Return the files with the id of the published course, or a free one, and a new version."""
    fields = course_fields(files)
    slug = course.slug if course is not None else _free_slug(str(fields.get("title") or ""))
    version = int(course.version) + 1 if course is not None and course.version.isdecimal() else 1
    return with_data(files, COURSE, fields | {"id": slug, "version": str(version)})


def _free_slug(title: str) -> str:
    return next(slug for slug in free_slugs(title) if not Course.objects.filter(slug=slug).exists())


def _published_files(course: Course | None) -> Files:
    folder = folder_of(course) if course is not None else None
    return read_sources(folder).texts if folder is not None else {}


def _begun(course: Course | None, files: Files) -> set[str]:
    """Return the concepts that the draft has no more, but on which learners have worked."""
    if course is None:
        return set()
    now = {concept.id for concept in draft_concepts(files)}
    return {concept.slug for concept in course.concepts.exclude(slug__in=now) if has_work(concept)}


def has_work(concept: Concept) -> bool:
    """Tell whether anything of a person refers to the concept."""
    relations = (each for each in Concept._meta.get_fields(include_hidden=True) if isinstance(each, ManyToOneRel))
    return any(each.related_model._default_manager.filter(**{each.field.name: concept}).exists() for each in relations)


def _checked(folder: Path, files: Files, whole: Files) -> BuiltCourse:
    try:
        return load_checked_course(folder, seeds=TRIALS)
    except CourseFaults:
        faults = find_draft_faults(files, seeds=TRIALS) or find_draft_faults(whole, seeds=TRIALS)
        raise NotPublished(faults) from None


def _stored(draft: AuthoredCourse, built: BuiltCourse) -> Course:
    position = draft.course.position if draft.course is not None else POSITION
    course = store_course(built, position=position)
    if draft.course is None:
        CourseOwner.objects.create(course=course, owner_id=draft.owner_id)
        course.is_public = False
    course.is_open = True
    course.save(update_fields=["is_public", "is_open"])
    return course


def _mark_published(draft: AuthoredCourse, files: Files, course: Course, *, by: Person) -> None:
    changed = change_draft(draft, lambda _now: files, author=by, message=_("Published"))
    AuthoredCourse.objects.filter(pk=draft.pk).update(course=course, published_revision=changed.revision)
    draft.versions.filter(number=changed.revision).update(is_published=True)


def withdraw_course(course: Course) -> None:
    """Offer the course to nobody new. Those who have begun it can finish it."""
    Course.objects.filter(pk=course.pk).update(is_open=False)


def offer_course(course: Course) -> None:
    """Offer a withdrawn course again."""
    Course.objects.filter(pk=course.pk).update(is_open=True)
