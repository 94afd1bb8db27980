"""Views for writing the misconceptions of a course."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from tutoring.access import not_found_text
from tutoring.classes.teacher_access import authored_for
from tutoring.course_writing import misconceptions
from tutoring.course_writing.concepts import draft_concepts
from tutoring.course_writing.draft_faults import faults_of
from tutoring.course_writing.draft_files import DraftRefused, Files, UnreadableFile, clean_text
from tutoring.course_writing.versions import change_draft
from tutoring.pages.contexts.draft_parts import draft_faults
from tutoring.pages.forms.course_fields import misconception_groups
from tutoring.pages.forms.written_fields import chosen, other_faults, typed_values, with_faults
from tutoring.pages.views.requests import LearnerRequest
from tutoring.pages.views.written_parts import PartChanged, conflict_context, digest, part_page, refused, save_part


@login_required
@require_POST
def change_misconceptions(request: LearnerRequest, draft: int) -> HttpResponse:
    """Add or remove a misconception."""
    found = authored_for(request.user, draft)
    says = " ".join(clean_text(request.POST.get("says", "")).split())[:400]
    action, name, concept = (request.POST.get(each, "") for each in ("action", "name", "concept"))
    made: list[str] = []

    def edit(files: Files) -> Files:
        if action == "add" and says:
            files, new = misconceptions.add_misconception(files, says, concept=concept)
            made.append(new)
            return files
        return misconceptions.remove_misconception(files, name) if action == "remove" else files

    try:
        message = _("Misconception added") if action == "add" else _("Misconception removed")
        change_draft(found, edit, author=request.user, message=message)
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)
    if made:
        return redirect("write-misconception", found.pk, made[0])
    return redirect(reverse("write-course", args=[found.pk]) + "#ideas-title")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def misconception(request: LearnerRequest, draft: int, name: str) -> HttpResponse:
    """Show a misconception; a POST saves it."""
    found = authored_for(request.user, draft)
    try:
        stored = misconceptions.draft_misconception(found.files, name)
        if stored is None and request.method != "POST":
            raise Http404(not_found_text())
        kept = stored or {"id": name}
        values: dict[str, Any] = misconceptions.misconception_values(kept)
        context: dict[str, Any] = {"base": digest(stored)}
        status = 200
        if request.method == "POST":
            values = {**typed_values(request.POST), "concepts": chosen(request.POST, "concepts")}
            entry = misconceptions.misconception_entry(values, kept=kept)
            try:
                save_part(
                    request, found, read=lambda files: misconceptions.draft_misconception(files, name),
                    write=lambda files: misconceptions.put_misconception(files, name, entry),
                    message=_("Misconception: %(idea)s") % {"idea": entry["says"]},
                )  # fmt: skip
                return redirect("write-misconception", found.pk, name)
            except PartChanged as changed:
                fresh = authored_for(request.user, draft)
                base = digest(misconceptions.draft_misconception(fresh.files, name))
                context, status = conflict_context(changed, fresh, base), 409
        faults = faults_of(draft_faults(found), kind="misconception", name=name)
        told = [(each.field, each.reason) for each in faults]
        groups = with_faults(misconception_groups(values), told)
        own = {
            "name": name, "groups": groups, "told": other_faults(groups, told), "says": values.get("says", ""),
            "others": draft_concepts(found.files), "needs": values["concepts"],
        }  # fmt: skip
        return part_page(request, "write_misconception.html", found, own | context, status=status)
    except (DraftRefused, UnreadableFile) as error:
        return refused(request, found, error)
