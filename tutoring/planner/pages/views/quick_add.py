"""Quick add, undo, and the reminders that a page shows."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from tutoring.access import not_found_text
from tutoring.pages.views.requests import LearnerRequest, polling_login_required
from tutoring.planner.pages.contexts.reminders import reminder_notices
from tutoring.planner.pages.place import back, frame_context, place_of, safe_next
from tutoring.planner.pages.quick_entries import KINDS, LONGEST_LINE, Added, EntryKind, NotUnderstood, add_entry
from tutoring.planner.records.changes import TooManyRows, undo_change
from tutoring.planner.reminders import close_reminders, open_reminders


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def quick_add(request: LearnerRequest) -> HttpResponse:
    """Add what a line says; a page of its own asks back what is unclear, with the line kept."""
    place = place_of(request)
    if request.method != "POST":
        return redirect("planner")
    line, kind = request.POST.get("line", "")[:LONGEST_LINE], _kind(request)
    result: Added | NotUnderstood
    try:
        result = add_entry(place, line, kind=kind, choice=_choice(request))
    except TooManyRows:
        result = NotUnderstood(why=_("This workspace is full. Delete what you no longer need, then try again."))
    if isinstance(result, Added):
        return back(request, change=result.change)
    shown = {"line": line, "chosen_kind": kind or "", "refused": result, "next": safe_next(request)}
    context = frame_context(request, place, page="add") | shown
    return render(request, "planner/quick_add.html", context, status=422)


def _kind(request: LearnerRequest) -> EntryKind | None:
    given = request.POST.get("kind", "")
    return next((kind for kind in KINDS if kind == given), None)


def _choice(request: LearnerRequest) -> int | None:
    given = request.POST.get("choice", "")
    return int(given) if given.isdecimal() and len(given) < 3 else None


@login_required
@require_POST
def undo(request: LearnerRequest, change: str) -> HttpResponse:
    """Undo a change of the person's own."""
    place = place_of(request)
    undone = undo_change(place.person, place.workspace, change)
    if undone is None:
        raise Http404(not_found_text())
    return back(request, change=str(undone.pk))


@never_cache
@polling_login_required
@require_safe
def reminders(request: LearnerRequest) -> HttpResponse:
    """Return the reminders that came due, for a page that is open; 204 if there are none."""
    rows = open_reminders(request.user)
    if not rows:
        return HttpResponse(status=204)
    return render(request, "planner/_reminders.html", {"reminders": reminder_notices(rows)})


@login_required
@require_POST
def close(request: LearnerRequest) -> HttpResponse:
    """Note that the person has seen reminders."""
    pks = [int(each) for each in request.POST.getlist("reminder") if each.isdecimal() and len(each) < 18]
    close_reminders(request.user, pks)
    if request.headers.get("HX-Request") or request.headers.get("X-Requested-With"):
        return HttpResponse(status=204)
    return back(request, fallback="planner")
