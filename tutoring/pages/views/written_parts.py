"""What all forms of a draft share: saving one part of it, unless somebody else has changed that part meanwhile."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, is_dataclass
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tutoring.course_writing.draft_files import DraftRefused, Files, UnreadableFile
from tutoring.course_writing.versions import change_draft, compare_texts
from tutoring.courses.files.yaml_writer import write_yaml
from tutoring.models import AuthoredCourse
from tutoring.pages.views.requests import LearnerRequest

type Part = object
"""A part of a draft as data; None if it is not there."""


class PartChanged(Exception):
    """A part that somebody else has changed since its form was opened."""

    def __init__(self, *, theirs: str, mine: str) -> None:
        super().__init__("changed meanwhile")
        self.theirs, self.mine = theirs, mine


def digest(part: Part) -> str:
    """Return a hash by which a form knows which state of its part it shows."""
    return hashlib.sha256(json.dumps(_data(part), sort_keys=True).encode()).hexdigest()[:16]


def _data(part: Part) -> Any:
    return asdict(part) if is_dataclass(part) and not isinstance(part, type) else part


def _text(part: Part) -> str:
    return part if isinstance(part, str) else write_yaml(_data(part)) if part is not None else ""


def save_part(
    request: LearnerRequest,
    draft: AuthoredCourse,
    *,
    read: Callable[[Files], Part],
    write: Callable[[Files], Files],
    message: str,
) -> None:
    """Store one part of a draft. Raises PartChanged, UnreadableFile and DraftRefused; then nothing is stored."""
    base = request.POST.get("base", "")

    def edit(files: Files) -> Files:
        now, changed = read(files), write(files)
        mine = read(changed)
        if base and base != digest(now) and mine != now:
            raise PartChanged(theirs=_text(now), mine=_text(mine))
        return changed

    changed = change_draft(draft, edit, author=request.user, message=message)
    if changed.revision == draft.revision:
        messages.info(request, _("Nothing has changed."))
    else:
        messages.success(request, _("Saved."))


def conflict_context(changed: PartChanged, draft: AuthoredCourse, base: str) -> dict[str, Any]:
    """Return what a form says about a change by somebody else; saving again replaces it."""
    latest = AuthoredCourse.objects.get(pk=draft.pk).versions.select_related("author").first()
    return {
        "conflict": {"by": latest.author if latest else None, "lines": compare_texts(changed.theirs, changed.mine)},
        "base": base,
    }


def refused(request: LearnerRequest, draft: AuthoredCourse, error: DraftRefused | UnreadableFile) -> HttpResponse:
    """Say why a change was not stored; a file that cannot be read is opened."""
    if isinstance(error, UnreadableFile):
        messages.error(request, _("This file cannot be read, so its form cannot be used: correct it here first."))
        return redirect("write-file", draft.pk, error.path)
    messages.error(request, str(error))
    return redirect(draft)


def part_page(
    request: LearnerRequest, template: str, draft: AuthoredCourse, context: Mapping[str, Any], *, status: int = 200
) -> HttpResponse:
    return render(request, f"tutoring/{template}", {"draft": draft, **context}, status=status)
