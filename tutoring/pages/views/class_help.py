"""Views of what a teacher does about pupils who need help, and of the table of all answers."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from tutoring.access import not_found_text
from tutoring.classes import readings
from tutoring.classes.answer_export import stream_answers
from tutoring.classes.help_marks import mark_reasons, take_back
from tutoring.classes.mastery_board import learners_of
from tutoring.classes.teacher_access import class_for, learner_in
from tutoring.models import HelpMark
from tutoring.pages.forms.help_form import HelpForm
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_POST
def mark_help(request: LearnerRequest, code: str, learner: int) -> HttpResponse:
    """Dismiss why a pupil needs help, mark it as followed up, or take that back; go on where that was shown."""
    place = learner_in(class_for(request.user, code), learner)
    if not place.classroom.policy.shows_levels:
        raise Http404(not_found_text())
    form = HelpForm(request.POST, reasons=request.POST.getlist("reason"))
    if not form.is_valid():
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    elif form.cleaned_data["action"] == "undo":
        take_back(place)
        messages.success(request, _("%(name)s is on the list again.") % {"name": place.person})
    else:
        kind = HelpMark.Kind(form.cleaned_data["action"])
        mark_reasons(place, form.reasons, kind=kind, note=form.cleaned_data["note"], by=request.user)
        said = _("Dismissed.") if kind == HelpMark.Kind.DISMISSED else _("Marked as followed up.")
        messages.success(request, f"{said} " + _("It comes back if there is something new."))
    return redirect("home") if "home" in request.POST else redirect("class", code)


@login_required
@require_safe
def export_answers(request: LearnerRequest, code: str) -> StreamingHttpResponse:
    """Send all answers of the class as a table, in pieces, and record that they were read."""
    classroom = class_for(request.user, code)
    if not classroom.policy.shows_answers:
        raise Http404(not_found_text())
    readings.note_report(request.user, classroom, [place.person_id for place in learners_of(classroom)])
    response = StreamingHttpResponse(stream_answers(classroom), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{classroom.code}-answers.csv"'
    return response
