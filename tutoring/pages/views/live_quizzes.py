"""Views of a quiz taken together, for the teacher who leads it."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tutoring.assignments.live_quizzes import end_live, move_on, start_live
from tutoring.models import Assignment, LiveQuiz
from tutoring.pages.contexts.live_quiz import projector_context
from tutoring.pages.views.assignments import summary_for
from tutoring.pages.views.requests import LearnerRequest, polling_login_required

NO_CHANGE = 204


@polling_login_required
@require_http_methods(["GET", "HEAD", "POST"])
def live_quiz(request: LearnerRequest, code: str, assignment: int) -> HttpResponse:
    """Show the quiz for the projector; a POST starts it, moves on, or ends it."""
    summary = summary_for(request, code, assignment)
    if not summary.assignment.is_live:
        return redirect(summary.assignment.teacher_url)
    if request.method == "POST":
        _step(request, LiveQuiz.objects.filter(assignment=summary.assignment).first(), summary.assignment)
        return redirect("class-live-quiz", code, assignment)
    context = projector_context(summary)
    is_poll = bool(request.headers.get("HX-Request"))
    if is_poll and context["mark"] == request.GET.get("seen"):
        return HttpResponse(status=NO_CHANGE)
    return render(request, f"tutoring/class_live_quiz.html{'#live' if is_poll else ''}", context)


def _step(request: LearnerRequest, live: LiveQuiz | None, assignment: Assignment) -> None:
    match request.POST.get("action"):
        case "start":
            start_live(assignment)
        case "next" if live is not None:
            if not move_on(live, seen=request.POST.get("seen", "")):
                messages.info(request, _("The quiz had already moved on. This is where it is now."))
        case "end" if live is not None:
            end_live(live)
