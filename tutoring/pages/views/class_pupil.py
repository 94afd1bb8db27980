"""Views of one pupil for the teachers of a class: notes, messages, milestones, summaries, the guardian's page."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from agents.wire.rejections import Rejection
from tutoring.access import not_found_text
from tutoring.classes import learner_page, milestones, pupil_notes, pupil_summaries, readings
from tutoring.classes import messages as class_messages
from tutoring.classes.teacher_access import class_for, learner_in
from tutoring.models import AccessLog, GuardianAccess, Membership
from tutoring.models.class_reports import new_key
from tutoring.pages.cards.question_context import Context
from tutoring.pages.forms.pupil_page_forms import GuardianForm, NoteForm, ReasonForm
from tutoring.pages.views.requests import LearnerRequest


@never_cache
@login_required
@require_safe
def learner(request: LearnerRequest, code: str, learner: int) -> HttpResponse:
    """Show the pupil's page, and record that it was opened: the pupil is told."""
    place = _place(request, code, learner)
    readings.note_reading(request.user, place, AccessLog.Kind.LEARNER)
    return _page(request, place)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def message(request: LearnerRequest, code: str, learner: int) -> HttpResponse:
    """Send a message to the pupil; a GET leads to the thread."""
    place = _place(request, code, learner)
    if request.method != "POST":
        return redirect(_at(place, "messages"))
    try:
        class_messages.send_message(request.user, place, request.POST.get("text", ""))
    except Rejection as rejection:
        refused = {"text": request.POST.get("text", ""), "error": rejection.fields.get("text", rejection.message)}
        return _page(request, place, refused_message=refused, status=rejection.status)
    messages.success(request, _("Sent."))
    return redirect(_at(place, "messages"))


@login_required
@require_POST
def delete_message(request: LearnerRequest, code: str, learner: int, message: int) -> HttpResponse:
    place = _place(request, code, learner)
    try:
        class_messages.delete_message(request.user, message)
        messages.success(request, _("The message was deleted."))
    except Rejection as rejection:
        messages.error(request, rejection.message)
    return redirect(_at(place, "messages"))


@login_required
@require_safe
def threads(request: LearnerRequest, code: str) -> HttpResponse:
    """List the threads of the class's pupils; for its teachers only."""
    classroom = class_for(request.user, code)
    if not class_messages.is_teacher(request.user, classroom):
        raise Http404(not_found_text())
    context = {"classroom": classroom, "threads": class_messages.threads_of_class(classroom)}
    return render(request, "tutoring/class_messages.html", context)


@login_required
@require_POST
def add_note(request: LearnerRequest, code: str, learner: int) -> HttpResponse:
    place = _taught(request, code, learner)
    form = NoteForm(request.POST)
    if not form.is_valid():
        refused = {"text": request.POST.get("text", ""), "error": _error(form)}
        return _page(request, place, refused_note=refused, status=422)
    pupil_notes.add_note(place, by=request.user, text=form.cleaned_data["text"])
    messages.success(request, _("Note saved."))
    return redirect(_at(place, "notes"))


@login_required
@require_POST
def delete_note(request: LearnerRequest, code: str, learner: int, note: int) -> HttpResponse:
    place = _taught(request, code, learner)
    pupil_notes.delete_note(place, note)
    messages.success(request, _("Note deleted."))
    return redirect(_at(place, "notes"))


@login_required
@require_POST
def milestone(request: LearnerRequest, code: str, learner: int, finding: int) -> HttpResponse:
    """Withdraw a milestone with a reason, or count it again."""
    place = _place(request, code, learner)
    if request.POST.get("action") == "restore":
        milestones.restore_milestone(place, finding)
        messages.success(request, _("The milestone counts again."))
        return redirect(_at(place, "milestones"))
    form = ReasonForm(request.POST)
    if form.is_valid():
        milestones.withdraw_milestone(place, finding, by=request.user, reason=form.cleaned_data["reason"])
        messages.success(request, _("The milestone was withdrawn. The pupil can see it with your reason."))
        return redirect(_at(place, "milestones"))
    refused = {"pk": finding, "text": request.POST.get("reason", ""), "error": _error(form)}
    return _page(request, place, refused_milestone=refused, status=422)


@login_required
@require_safe
def summary(request: LearnerRequest, code: str, learner: int, session: int) -> HttpResponse:
    """Show the summary of a conversation, and record that it was opened."""
    place = _place(request, code, learner)
    found = pupil_summaries.readable_summary(place, session)
    readings.note_reading(request.user, place, AccessLog.Kind.SUMMARY, session=found.session)
    context = {"place": place, "summary": found, "html": pupil_summaries.summary_html(found)}
    return render(request, "tutoring/class_summary.html", context)


@login_required
@require_POST
def guardian(request: LearnerRequest, code: str, learner: int) -> HttpResponse:
    """Give a guardian access to the pupil's monthly page, change the address, or revoke all links."""
    place = _taught(request, code, learner)
    if place.classroom.policy.guardians_from(place.joined_at) is None:
        raise Http404(not_found_text())
    if request.POST.get("action") == "revoke":
        GuardianAccess.objects.filter(classroom=place.classroom, learner_id=learner).delete()
        messages.success(request, _("The links no longer work, and no emails are sent."))
        return redirect(_at(place, "guardian"))
    form = GuardianForm(request.POST)
    if not form.is_valid():
        return _page(request, place, guardian_form=form, status=422)
    email = form.cleaned_data["email"].lower()
    access, _created = GuardianAccess.objects.get_or_create(classroom=place.classroom, learner_id=learner)
    if access.email and access.email != email:
        # Whoever had the links of the address before has them no longer.
        access.key, access.mailed_month = new_key(), None
    access.email = email
    access.save(update_fields=["email", "key", "mailed_month"])
    messages.success(request, _("Saved."))
    return redirect(_at(place, "guardian"))


def _page(request: LearnerRequest, place: Membership, *, status: int = 200, **refused: object) -> HttpResponse:
    """Return the pupil's page, with what was typed where something was refused."""
    shown: Context = {"place": place, **learner_page.learner_context(place)}
    shown |= learner_page.teachers_context(request.user, place)
    access = cast("dict[str, GuardianAccess | None]", shown["guardian"]).get("access")
    shown["guardian_form"] = GuardianForm(initial={"email": access.email if access else ""})
    return render(request, "tutoring/class_learner.html", shown | refused, status=status)


def _place(request: LearnerRequest, code: str, learner: int) -> Membership:
    return learner_in(class_for(request.user, code), learner)


def _taught(request: LearnerRequest, code: str, learner: int) -> Membership:
    """Return the place for a teacher of the class. Raise Http404 for an admin: these things are the teachers' own."""
    place = _place(request, code, learner)
    if not class_messages.is_teacher(request.user, place.classroom):
        raise Http404(not_found_text())
    return place


def _at(place: Membership, section: str) -> str:
    return f"{reverse('class-learner', args=[place.classroom.code, place.person_id])}#{section}"


def _error(form: NoteForm | ReasonForm) -> str:
    return " ".join(str(error) for errors in form.errors.values() for error in errors)
