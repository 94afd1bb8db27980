"""Makes a course of a draft, private to its owner: files in the data folder, checked as every course, and loaded."""

from pathlib import Path

from anyascii import anyascii
from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from tutoring.course_imports.publishing import POSITION, TRIALS, give_to
from tutoring.course_imports.questions import ImportRefused
from tutoring.course_storage import replace_folder, store_course, written_folder
from tutoring.courses.checks.course_checks import load_checked_course
from tutoring.courses.files.course_builder import BuiltCourse
from tutoring.courses.files.faults import CourseFaults
from tutoring.document_courses.course_files import CourseNames, document_course_files
from tutoring.document_courses.drafts import DocumentDraft
from tutoring.models import Course, DocumentCourse


def publish_document_course(made: DocumentCourse, draft: DocumentDraft) -> Course:
    """Store the draft and make its course, or bring the course up to date.

    Raises ImportRefused if the course is not valid, or if a concept is missing that someone has worked on.
    """
    if not draft.questions:
        raise ImportRefused(_("Keep at least one topic with three questions."))
    slug = (
        made.course.slug if made.course else f"{slugify(anyascii(draft.title))[:40].strip('-_') or 'course'}-d{made.pk}"
    )
    license = draft.license or _("The document is your own copy.")
    names = CourseNames(id=slug, key=made.pk, document=made.document_name, license=license)
    with written_folder(document_course_files(draft, names)) as folder:
        try:
            return _store(made, draft, load_checked_course(folder, seeds=TRIALS), folder)
        except CourseFaults as faults:
            raise ImportRefused("\n".join(str(fault) for fault in faults.faults[:10])) from None


def _store(made: DocumentCourse, draft: DocumentDraft, built: BuiltCourse, folder: Path) -> Course:
    with transaction.atomic():
        course = store_course(built, position=POSITION)
        if made.course is None:
            give_to(course, made.owner)
            course.is_personal = True
            course.save(update_fields=["is_personal"])
        made.course, made.title = course, draft.title
        made.keep(draft)
        replace_folder(built.course.id, folder)
    return course
