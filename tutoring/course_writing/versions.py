"""The versions of a draft: each change is one, any two can be compared, and any can be restored."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

from django.db import transaction
from django.utils.translation import gettext as _

from agents.people import Person
from tutoring.course_writing.draft_files import COURSE, DraftRefused, Files, UnreadableFile, check_size, read_mapping
from tutoring.models import AuthoredCourse, AuthoredVersion

CONTEXT = 3
"""Unchanged lines around a change that a comparison shows."""
TITLE_LIMIT = 200
MAX_DRAFTS = 100
"""Of one person."""

type Edit = Callable[[Files], Files]


def create_draft(owner: Person, files: Files, *, message: str) -> AuthoredCourse:
    """Return a new draft with its first version. Raises DraftRefused."""
    check_size(files)
    if AuthoredCourse.objects.filter(owner_id=owner.pk).count() >= MAX_DRAFTS:
        raise DraftRefused(_("You have too many drafts. Delete one that you no longer need."))
    draft = AuthoredCourse.objects.create(owner_id=owner.pk, title=_title(files, ""), files={})
    return change_draft(draft, lambda _files: files, author=owner, message=message)


@transaction.atomic
def change_draft(draft: AuthoredCourse, edit: Edit, *, author: Person, message: str) -> AuthoredCourse:
    """Return the draft after an edit of its files as they are now; without a change there is no version.

    Raises DraftRefused for files that a course cannot have, and whatever `edit` raises; then nothing is changed.
    """
    locked = AuthoredCourse.objects.select_for_update().get(pk=draft.pk)
    changed = dict(edit(locked.files))
    if changes := _changes(locked.files, changed):
        check_size(changed)
        locked.files, locked.revision = changed, locked.revision + 1
        locked.title = _title(changed, locked.title)
        locked.save()
        AuthoredVersion.objects.create(
            authored=locked, number=locked.revision, changes=changes, author_id=author.pk, message=message[:TITLE_LIMIT]
        )
    return locked


def _title(files: Files, before: str) -> str:
    try:
        title = read_mapping(files, COURSE).get("title")
    except UnreadableFile:
        return before
    return str(title or before)[:TITLE_LIMIT]


def _changes(old: Files, new: Files) -> dict[str, str | None]:
    return {path: new.get(path) for path in sorted({*old, *new}) if old.get(path) != new.get(path)}


def files_at(draft: AuthoredCourse, number: int) -> Files:
    """Return the files as they were in a version; none for 0."""
    files: dict[str, str] = {}
    for changes in draft.versions.filter(number__lte=number).order_by("number").values_list("changes", flat=True):
        for path, text in changes.items():
            if text is None:
                files.pop(path, None)
            else:
                files[path] = text
    return files


def restore_version(draft: AuthoredCourse, number: int, *, author: Person) -> AuthoredCourse:
    """Return the draft with the files of an earlier version, as a new version."""
    files = files_at(draft, number)
    message = _("Version %(number)d restored") % {"number": number}
    return change_draft(draft, lambda _now: files, author=author, message=message)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiffLine:
    """A line of a comparison. A `gap` stands for lines that did not change."""

    kind: Literal["same", "added", "removed", "gap"]
    text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    path: str
    lines: tuple[DiffLine, ...]


def compare_files(old: Files, new: Files) -> list[FileDiff]:
    """Return the differences of each file that differs."""
    return [
        FileDiff(path=path, lines=compare_texts(old.get(path, ""), new.get(path, ""))) for path in _changes(old, new)
    ]


def compare_texts(old: str, new: str) -> tuple[DiffLine, ...]:
    """Return the differences of two texts by line, with a few unchanged lines around each."""
    before, after = old.split("\n"), new.split("\n")
    groups = SequenceMatcher(None, before, after, autojunk=False).get_grouped_opcodes(CONTEXT)
    return tuple(_diff_lines(before, after, list(groups)))


def _diff_lines(
    before: list[str], after: list[str], groups: list[list[tuple[str, int, int, int, int]]]
) -> Iterator[DiffLine]:
    shown = 0
    for group in groups:
        if group[0][1] > shown:
            yield DiffLine(kind="gap")
        for tag, start, end, new_start, new_end in group:
            if tag == "equal":
                yield from (DiffLine(kind="same", text=line) for line in before[start:end])
                continue
            yield from (DiffLine(kind="removed", text=line) for line in before[start:end])
            yield from (DiffLine(kind="added", text=line) for line in after[new_start:new_end])
        shown = group[-1][2]
    if shown < len(before):
        yield DiffLine(kind="gap")
