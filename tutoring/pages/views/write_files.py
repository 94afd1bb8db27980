"""Views of the files of a draft as they are, and of its versions."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tutoring.access import TOO_LARGE, not_found_text
from tutoring.classes.teacher_access import authored_for
from tutoring.course_writing.draft_files import PATH, DraftRefused, UnreadableFile, clean_text, with_file
from tutoring.course_writing.versions import files_at, restore_version
from tutoring.models import AuthoredCourse
from tutoring.pages.contexts.draft_parts import draft_faults
from tutoring.pages.contexts.draft_words import compare_drafts
from tutoring.pages.views.requests import LearnerRequest
from tutoring.pages.views.written_parts import PartChanged, conflict_context, digest, part_page, refused, save_part

VERSIONS_SHOWN = 100


@login_required
@require_safe
def files(request: LearnerRequest, draft: int) -> HttpResponse:
    """List the files of a draft."""
    found = authored_for(request.user, draft)
    faulty = {fault.file for fault in draft_faults(found)}
    rows = [
        {"path": path, "lines": text.count("\n"), "open": path in faulty} for path, text in sorted(found.files.items())
    ]
    return part_page(request, "write_files.html", found, {"rows": rows})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def file(request: LearnerRequest, draft: int, path: str) -> HttpResponse:
    """Show a file with what is wrong in it, by line; a POST saves it."""
    found = authored_for(request.user, draft)
    if not PATH.fullmatch(path):
        raise Http404(not_found_text())
    text, context, status = found.files.get(path, ""), {"base": digest(found.files.get(path))}, 200
    if request.method == "POST":
        text = clean_text(request.POST.get("text", ""))
        try:
            save_part(
                request, found, read=lambda kept: kept.get(path),
                write=lambda kept: with_file(kept, path, text or None),
                message=_("File: %(path)s") % {"path": path},
            )  # fmt: skip
            return redirect("write-file", found.pk, path)
        except PartChanged as changed:
            fresh = AuthoredCourse.objects.get(pk=found.pk)
            context, status = conflict_context(changed, fresh, digest(fresh.files.get(path))), 409
        except (DraftRefused, UnreadableFile) as error:
            return refused(request, found, error)
    every = draft_faults(found)
    faults = [fault for fault in every if fault.file == path]
    own: dict[str, Any] = {
        "path": path, "text": text, "faults": faults, "lines": _numbered(text, faults), "others": bool(every) and not faults
    }  # fmt: skip
    return part_page(request, "write_file.html", found, own | context, status=status)


def _numbered(text: str, faults: list[Any]) -> list[dict[str, Any]]:
    """Return the lines that have faults, with their numbers."""
    lines = text.split("\n")
    found: dict[int, list[str]] = {}
    for fault in faults:
        found.setdefault(fault.line, []).append(fault.reason)
    return [
        {"number": number, "text": lines[number - 1] if number <= len(lines) else "", "reasons": reasons}
        for number, reasons in sorted(found.items())
    ]


@login_required
@require_safe
def versions(request: LearnerRequest, draft: int) -> HttpResponse:
    """List the versions of a draft, the latest first."""
    found = authored_for(request.user, draft)
    rows = found.versions.select_related("author").defer("changes")[:VERSIONS_SHOWN]
    return part_page(request, "write_versions.html", found, {"versions": rows})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def version(request: LearnerRequest, draft: int, number: int) -> HttpResponse:
    """Show what a version changed and what it would change now; a POST restores it."""
    found = authored_for(request.user, draft)
    row = found.versions.select_related("author").filter(number=number).first() if number < TOO_LARGE else None
    if row is None:
        raise Http404(not_found_text())
    if request.method == "POST":
        restore_version(found, number, author=request.user)
        messages.success(request, _("The version was restored."))
        return redirect(found)
    before, after = files_at(found, number - 1), files_at(found, number)
    context = {
        "version": row,
        "diffs": compare_drafts(before, after),
        "restores": compare_drafts(found.files, after) if number != found.revision else [],
    }
    return part_page(request, "write_version.html", found, context)
