"""The view with which a teacher changes the grade of a pupil's answer."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from agents.people import Person
from agents.wire.rejections import Rejection
from tutoring.classes.answer_links import answers_url
from tutoring.classes.teacher_access import answer_in, class_for, learner_in
from tutoring.mastery.records import grade_changes
from tutoring.models import Attempt, GradeChange
from tutoring.pages.cards.grade_change_context import change_words, score_words
from tutoring.pages.forms.grade_form import GradeForm
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_POST
def change_grade(request: LearnerRequest, code: str, learner: int, attempt: int) -> HttpResponse:
    """Grade an answer again, overrule its grade, leave it out, or undo that; go on where it was shown."""
    place = learner_in(class_for(request.user, code), learner)
    found, form = answer_in(place, attempt), GradeForm(request.POST)
    if form.is_valid():
        try:
            said = _change(found, form.cleaned_data["action"], form.cleaned_data["reason"], by=request.user)
            messages.success(request, said)
        except Rejection as rejection:
            messages.info(request, rejection.message)
    else:
        messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    concept = found.question.concept
    return redirect(answers_url(place, concept.course.slug, concept.slug, attempt=found.pk))


def _change(attempt: Attempt, action: str, reason: str, *, by: Person) -> str:
    """Do it, and return in words what changed."""
    change: GradeChange | None
    match action:
        case "regrade":
            change = grade_changes.regrade(attempt, by=by)
        case "right":
            change = grade_changes.override(attempt, "right", reason=reason, by=by)
        case "wrong":
            change = grade_changes.override(attempt, "wrong", reason=reason, by=by)
        case "leave_out":
            change = grade_changes.stop_counting(attempt, reason=reason, by=by)
        case _:
            grade_changes.undo(attempt, by=by)
            change = None
    if change is None:
        return _("Undone. The answer has the grade that it had before.")
    return f"{change_words(change)} {score_words(change)}"
