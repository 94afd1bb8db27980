"""Saves how a lesson is going, as its learner says in one tap."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents.wire.rejections import Rejection
from tutoring.access import lesson_for
from tutoring.pages.contexts import pace_choices
from tutoring.pages.views.requests import LearnerRequest
from tutoring.side_agents import self_reports


@login_required
@require_POST
def pace(request: LearnerRequest, key: str) -> HttpResponse:
    """Save how the person says their lesson is going; an empty `feeling` undoes it."""
    session = lesson_for(request.user, key).session
    if not pace_choices.pace_context(session):
        raise Http404
    error, feeling = "", request.POST.get("feeling", "")
    try:
        self_reports.save_self_report(session, feeling)
    except Rejection as rejection:
        error = rejection.message
    if not request.headers.get("HX-Request"):
        if error:
            messages.error(request, error)
        return redirect(session)
    told = error or (_("Got it. The tutor will adjust the next steps.") if feeling else _("Undone."))
    context = {"pace": pace_choices.pace_context(session), "pace_error": error, "announcement": told}
    return render(request, "conversations/_self_report.html#said", context, status=422 if error else 200)
