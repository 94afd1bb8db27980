"""A pupil's messages with the teachers of their classes, and what they say about withdrawn milestones."""

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
from tutoring.classes import messages as class_messages
from tutoring.classes import milestones
from tutoring.classes.listings import teacher_names
from tutoring.pages.forms.pupil_page_forms import ReasonForm
from tutoring.pages.views.requests import LearnerRequest


@never_cache
@login_required
@require_safe
def threads(request: LearnerRequest) -> HttpResponse:
    """List the pupil's threads."""
    return render(request, "tutoring/messages.html", {"threads": class_messages.threads_of_learner(request.user)})


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def thread(request: LearnerRequest, code: str) -> HttpResponse:
    """Show a thread, and mark what teachers wrote as read; a POST sends a message."""
    classroom, place = class_messages.own_thread(request.user, code)
    refused, status = {}, 200
    if request.method == "POST":
        if place is None:
            raise Http404(not_found_text())
        try:
            sent = class_messages.send_message(request.user, place, request.POST.get("text", ""))
        except Rejection as rejection:
            refused = {"text": request.POST.get("text", ""), "error": rejection.fields.get("text", rejection.message)}
            status = rejection.status
        else:
            messages.success(request, " ".join(filter(None, (_("Sent."), sent.care))))
            return redirect("my-thread", code)
    context = {
        "classroom": classroom,
        "is_open": place is not None,
        "teachers": teacher_names([classroom])[classroom.pk],
        "thread": class_messages.read_thread(request.user, classroom, request.user.pk),
        "refused_message": refused,
    }
    return render(request, "tutoring/my_thread.html", context, status=status)


@login_required
@require_POST
def delete_message(request: LearnerRequest, message: int) -> HttpResponse:
    try:
        deleted = class_messages.delete_message(request.user, message)
    except Rejection as rejection:
        messages.error(request, rejection.message)
        return redirect("messages")
    messages.success(request, _("The message was deleted."))
    return redirect("my-thread", deleted.classroom.code)


@login_required
@require_POST
def object_to_withdrawal(request: LearnerRequest, withdrawal: int) -> HttpResponse:
    """Store that the learner disagrees with the withdrawal of a milestone."""
    found = milestones.withdrawal_for(request.user, withdrawal)
    form = ReasonForm(request.POST)
    if form.is_valid():
        milestones.object_to_withdrawal(found, reason=form.cleaned_data["reason"])
        messages.success(request, _("Saved. Your teacher can read it."))
    else:
        messages.error(request, " ".join(map(str, form.errors["reason"])))
    return redirect(f"{reverse('progress')}#withdrawn-title")
