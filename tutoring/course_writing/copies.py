"""Opens courses for editing: a teacher's own as it is, another one as a copy."""

from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.course_storage import folder_of
from tutoring.course_writing.draft_files import COURSE, PATH, DraftRefused, Entry, Files, read_mapping, with_data
from tutoring.course_writing.versions import create_draft
from tutoring.courses.files.sources import read_sources
from tutoring.models import AuthoredCourse, Course


def open_draft(course: Course) -> AuthoredCourse:
    """Return the draft of a course that has an owner, made from its files the first time. Raises DraftRefused."""
    if (found := AuthoredCourse.objects.filter(course=course).first()) is not None:
        return found
    draft = create_draft(course.ownership.owner, _files(course), message=_("Opened for editing"))
    draft.course, draft.published_revision = course, draft.revision
    draft.save(update_fields=["course", "published_revision"])
    draft.versions.update(is_published=True)
    return draft


def copy_course(course: Course, owner: Person) -> AuthoredCourse:
    """Return a new draft with the contents of a course, which stays as it is. Raises DraftRefused."""
    files = _files(course)
    fields = read_mapping(files, COURSE)
    source = _("Based on “%(title)s”.") % {"title": course.title}
    changed = {
        "title": _("%(title)s (my version)") % {"title": course.title},
        "attribution": " ".join(filter(None, (source, str(fields.get("attribution") or "")))),
    }
    return own_draft(owner, files, changed, message=_("Copied from “%(title)s”") % {"title": course.title})


def own_draft(owner: Person, files: Files, changed: Entry, *, message: str) -> AuthoredCourse:
    """Return a new draft of a course's files, with what is changed of its own fields. Raises DraftRefused."""
    fields = {name: value for name, value in read_mapping(files, COURSE).items() if name != "position"}
    own = fields | {"small": True, "version": "1"} | changed
    return create_draft(owner, with_data(files, COURSE, own), message=message)


def _files(course: Course) -> Files:
    folder = folder_of(course)
    if folder is None:
        raise DraftRefused(_("The files of this course are not on this server."))
    return {path: text for path, text in read_sources(folder).texts.items() if PATH.fullmatch(path)}
