"""Views that import a roster: upload, say what the columns or classes are, look at the preview, confirm."""

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from learnagent.accounts.requests import PersonRequest
from learnagent.rosters.forms import ClassesForm, ColumnsForm, UploadForm
from learnagent.rosters.imports import ClassNotOpen, import_rosters, preview
from learnagent.rosters.plans import CHANGES, LEFT_OUT, Action, Plan
from learnagent.rosters.tables import UnreadableRoster
from learnagent.rosters.uploads import Upload, claim_upload, guess_targets, keep_upload, kept_upload, read_upload
from tutoring.classes.pupils import waiting_pupils
from tutoring.classes.teacher_access import class_for, classes_for
from tutoring.models import Classroom

ROWS_SHOWN: Final = 100
"""Rows of each kind in a preview; the others are only counted."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def import_roster(request: PersonRequest, code: str) -> HttpResponse:
    """Show the form; a POST goes a step further: upload, columns, classes, confirm."""
    classroom = class_for(request.user, code)
    if classroom.archived_at is not None:
        messages.error(request, _("This class is archived. Restore it before you import a roster."))
        return redirect("class-pupils", code)
    step = request.POST.get("step")
    if request.method != "POST" or step not in ("columns", "classes", "confirm"):
        return _upload_step(request, classroom)
    upload = kept_upload(request.POST.get("token", ""), request.user, code)
    if upload is None:
        return _no_upload(request, classroom)
    match step:
        case "columns":
            return _columns_step(request, classroom, upload)
        case "classes":
            return _classes_step(request, classroom, upload)
    return _confirm_step(request, classroom, upload)


def _upload_step(request: PersonRequest, classroom: Classroom) -> HttpResponse:
    if request.method != "POST":
        return _upload_page(request, classroom, UploadForm())
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _upload_page(request, classroom, form, status=422)
    try:
        upload = read_upload(form.data_bytes(), age_band=form.cleaned_data["age_band"])
    except UnreadableRoster as error:
        form.add_error("file" if form.cleaned_data["file"] else "text", str(error))
        return _upload_page(request, classroom, form, status=422)
    own = _open_classes(request)
    if upload.school:
        upload.targets = guess_targets(upload.school, classroom, own)
    keep_upload(upload, request.user, classroom.code)
    if upload.needs_choices or upload.school:
        return _choices_page(request, classroom, upload)
    return _preview_page(request, classroom, upload)


def _columns_step(request: PersonRequest, classroom: Classroom, upload: Upload) -> HttpResponse:
    form = ColumnsForm(request.POST, table=upload.table or [[""]])
    if not form.is_valid():
        return _choices_page(request, classroom, upload, form=form, status=422)
    upload.columns, upload.has_header = form.chosen(), form.cleaned_data["has_header"]
    keep_upload(upload, request.user, classroom.code)
    return _preview_page(request, classroom, upload)


def _classes_step(request: PersonRequest, classroom: Classroom, upload: Upload) -> HttpResponse:
    form = ClassesForm(request.POST, school=upload.school, classroom=classroom, own=_open_classes(request))
    if not form.is_valid():
        return _choices_page(request, classroom, upload, form=form, status=422)
    upload.targets = form.targets()
    keep_upload(upload, request.user, classroom.code)
    return _preview_page(request, classroom, upload)


def _confirm_step(request: PersonRequest, classroom: Classroom, upload: Upload) -> HttpResponse:
    if upload.needs_choices:
        return _choices_page(request, classroom, upload)
    if not claim_upload(upload, request.user, classroom.code):
        return _no_upload(request, classroom)
    try:
        done = import_rosters(request.user, upload.rosters(classroom.code), age_band=upload.age_band)
    except ClassNotOpen:
        return _no_class(request)
    except (IntegrityError, UnreadableRoster) as error:
        changed = _("Nothing was imported, because somebody changed the same accounts at the same time. Try again.")
        messages.error(request, str(error) if isinstance(error, UnreadableRoster) else changed)
        keep_upload(upload, request.user, classroom.code)
        return _preview_page(request, classroom, upload)
    parts = [
        _part(plan, title=each.name) | {"classroom": each, "waiting": waiting_pupils(each).count()}
        for each, plan in done
    ]
    return render(request, "rosters/done.html", {"classroom": classroom, "parts": parts})


def _no_upload(request: PersonRequest, classroom: Classroom) -> HttpResponse:
    gone = _("This roster has been imported already, or it was uploaded too long ago. Choose it again.")
    messages.error(request, gone)
    return redirect("class-import", classroom.code)


def _no_class(request: PersonRequest) -> HttpResponse:
    messages.error(request, _("Nothing was imported: a class was deleted or archived in the meantime."))
    return redirect("classes")


def _open_classes(request: PersonRequest) -> list[Classroom]:
    return list(classes_for(request.user).filter(archived_at=None).order_by("name", "pk"))


def _upload_page(request: PersonRequest, classroom: Classroom, form: UploadForm, *, status: int = 200) -> HttpResponse:
    return render(request, "rosters/import.html", {"classroom": classroom, "form": form}, status=status)


def _choices_page(
    request: PersonRequest,
    classroom: Classroom,
    upload: Upload,
    *,
    form: ColumnsForm | ClassesForm | None = None,
    status: int = 200,
) -> HttpResponse:
    """Ask what the columns hold, or where the classes go."""
    if form is None and upload.school:
        form = _classes_form(request, classroom, upload)
    context = {"classroom": classroom, "upload": upload, "form": form or _columns_form(upload)}
    return render(request, "rosters/choices.html", context, status=status)


def _columns_form(upload: Upload) -> ColumnsForm:
    chosen = {f"column-{place}": column for place, column in upload.columns.items()}
    return ColumnsForm(table=upload.table, initial=chosen | {"has_header": upload.has_header})


def _classes_form(request: PersonRequest, classroom: Classroom, upload: Upload) -> ClassesForm:
    chosen = {f"class-{place}": upload.targets.get(each.source_id) for place, each in enumerate(upload.school)}
    return ClassesForm(school=upload.school, classroom=classroom, own=_open_classes(request), initial=chosen)


def _preview_page(request: PersonRequest, classroom: Classroom, upload: Upload) -> HttpResponse:
    rosters = upload.rosters(classroom.code)
    try:
        plans = preview(request.user, rosters)
    except ClassNotOpen:
        return _no_class(request)
    names = {each.code: each.name for each in _open_classes(request)}
    titles = [names.get(each.code, each.title) for each in rosters]
    context = {
        "classroom": classroom,
        "upload": upload,
        "form": _classes_form(request, classroom, upload) if upload.school else _columns_form(upload),
        "parts": [_part(plan, title=title) for plan, title in zip(plans, titles, strict=True)],
        "is_empty": all(plan.is_empty for plan in plans),
    }
    return render(request, "rosters/preview.html", context)


def _part(plan: Plan, *, title: str) -> dict[str, Any]:
    """Return what a page shows of the plan for one class: what is left out first."""
    left_out, rest = plan.of(*LEFT_OUT), plan.of(*CHANGES, Action.SAME)
    return {
        "title": title,
        "counts": _counts(plan),
        "left_out": left_out[:ROWS_SHOWN],
        "left_out_more": max(0, len(left_out) - ROWS_SHOWN),
        "rows": rest[:ROWS_SHOWN],
        "rows_more": max(0, len(rest) - ROWS_SHOWN),
        "has_groups": any(each.row.groups for each in rest[:ROWS_SHOWN]),
    }


def _counts(plan: Plan) -> Sequence[tuple[int, str]]:
    return [(plan.counts[action], action.label) for action in Action if plan.counts[action]]
