"""The settings page of a learner's own lesson."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from tutoring.access import lesson_for
from tutoring.dialogue.queries.lesson_facts import taught_concept
from tutoring.lesson.state import lesson_state
from tutoring.mastery.records.lesson_settings import READS_PACE, save_settings, threshold_in
from tutoring.models import Lesson, Mastery
from tutoring.pages.forms.lesson_settings import LessonSettingsForm
from tutoring.pages.views.requests import LearnerRequest


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def lesson_settings(request: LearnerRequest, key: str) -> HttpResponse:
    """Show the settings of the person's own lesson; a POST saves them and leads back to the conversation."""
    lesson = lesson_for(request.user, key)
    if request.method != "POST":
        return _page(request, lesson, LessonSettingsForm(present=_threshold(lesson), initial=_initial(lesson)))
    form = LessonSettingsForm(request.POST, present=_threshold(lesson))
    if not form.is_valid():
        return _page(request, lesson, form, status=422)
    save_settings(
        lesson,
        own_level=form.cleaned_data["own_level"],
        threshold=form.cleaned_data["threshold"],
        reads_pace=form.cleaned_data["reads_pace"] != "no",
    )
    messages.success(request, _("Saved. This takes effect with the next reply."))
    return redirect("lesson-wishes", key)


def _initial(lesson: Lesson) -> dict[str, object]:
    reads = "no" if lesson.session.state.get(READS_PACE) is False else "yes"
    return {"own_level": lesson.own_level, "threshold": _threshold(lesson), "reads_pace": reads}


def _threshold(lesson: Lesson) -> float:
    return threshold_in(lesson.session.state, default=lesson.concept.course.catalogue().threshold)


def _page(request: LearnerRequest, lesson: Lesson, form: LessonSettingsForm, *, status: int = 200) -> HttpResponse:
    concept = taught_concept(lesson, lesson_state(lesson.session.state))
    begun = Mastery.objects.filter(learner_id=lesson.learner_id, concept=concept, answers__gt=0).first()
    context = {"lesson": lesson, "session": lesson.session, "concept": concept, "begun": begun, "form": form}
    return render(request, "tutoring/lesson_settings.html", context, status=status)
