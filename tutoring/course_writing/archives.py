"""Makes drafts of courses that were exported as a ZIP of their own files."""

from collections import Counter
from io import BytesIO
from pathlib import PurePosixPath
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from agents.people import Person
from conversations.readers.archives import ArchiveEntry, zip_entries
from conversations.readers.document import Unreadable
from tutoring.course_writing.copies import own_draft
from tutoring.course_writing.draft_faults import find_draft_faults
from tutoring.course_writing.draft_files import COURSE, DraftRefused, Files, check_size, clean_text
from tutoring.courses.files.sources import MAX_FILE_BYTES, MAX_FILES
from tutoring.models import AuthoredCourse

TRIALS: Final = 4
"""Exercises tried per template; publishing tries more."""
MAX_FAULTS: Final = 10
"""Faults that a refusal lists."""


def is_course_archive(data: bytes) -> bool:
    """Tell whether a file is a ZIP with a course in it; also one that `import_course` then refuses."""
    try:
        return data.startswith(b"PK") and _folder(zip_entries(BytesIO(data))) is not None
    except Unreadable:
        return False


def import_course(name: str, data: bytes, *, owner: Person, title: str = "") -> AuthoredCourse:
    """Return a new draft of the course in a ZIP. Raises DraftRefused, with each fault in a line, for a course with faults."""
    files = _read_archive(name, data)
    check_size(files)
    if faults := find_draft_faults(files, seeds=TRIALS):
        lines = [
            _("%(file)s is a course with faults. Nothing was imported. Correct them, then choose it again.")
            % {"file": name}
        ]
        for fault in sorted(faults, key=lambda each: (each.file.count("/"), each.file, each.line))[:MAX_FAULTS]:
            said = _("%(file)s, line %(line)d: %(reason)s")
            lines.append(said % {"file": fault.file, "line": fault.line, "reason": fault.reason})
        if (more := len(faults) - MAX_FAULTS) > 0:
            lines.append(ngettext("and %(count)d more", "and %(count)d more", more) % {"count": more})
        raise DraftRefused("\n".join(lines))
    changed = {"title": title} if title else {}
    return own_draft(owner, files, changed, message=_("Imported from %(file)s") % {"file": name})


def _folder(entries: list[ArchiveEntry]) -> PurePosixPath | None:
    """Return the folder of the course in a ZIP: the outermost one with a course.yaml."""
    folders = [path.parent for entry in entries if (path := PurePosixPath(entry.name)).name == COURSE]
    return min(folders, key=lambda folder: len(folder.parts), default=None)


def _read_archive(name: str, data: bytes) -> Files:
    try:
        entries = [entry for entry in zip_entries(BytesIO(data)) if not _is_hidden(entry)]
        folder = _folder(entries)
        if folder is None:
            raise DraftRefused(_("%(file)s has no file “course.yaml”.") % {"file": name})
        return {path: _text(entry, path) for path, entry in _by_path(entries, folder).items()}
    except Unreadable as error:
        raise DraftRefused(f"{name}: {_(error.problem.sentence)}") from None


def _is_hidden(entry: ArchiveEntry) -> bool:
    """Tell whether a file was added by the program that packed the ZIP."""
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(entry.name).parts)


def _by_path(entries: list[ArchiveEntry], folder: PurePosixPath) -> dict[str, ArchiveEntry]:
    """Return the files of the ZIP by their paths in the course. Raises DraftRefused before anything is decompressed."""
    if len(entries) > MAX_FILES:
        raise DraftRefused(_("The course would be too large."))
    paths = [PurePosixPath(entry.name) for entry in entries]
    names = [str(path.relative_to(folder) if path.is_relative_to(folder) else path) for path in paths]
    for path, times in Counter(names).items():
        if times > 1:
            raise DraftRefused(_("The file %(path)s is in the archive more than once.") % {"path": path})
    return dict(zip(names, entries, strict=True))


def _text(entry: ArchiveEntry, path: str) -> str:
    if entry.size > MAX_FILE_BYTES:
        values = {"path": path, "limit": MAX_FILE_BYTES // 1024}
        raise DraftRefused(_("%(path)s would be larger than %(limit)d KB.") % values)
    try:
        return clean_text(entry.content().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DraftRefused(_("%(path)s is not a text file in UTF-8.") % {"path": path}) from None
