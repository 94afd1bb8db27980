"""Pages about a guardian's consent: for the pupil, for the pupil's teachers, and for the guardian."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from learnagent.accounts.authentication.rate_limits import TooManyTries
from learnagent.accounts.authentication.sign_in import client_address
from learnagent.accounts.forms import GuardianAnswerForm, GuardianForm
from learnagent.accounts.guardians import (
    answer_request,
    ask_guardian,
    consent_text,
    has_declined,
    is_mail_sent,
    latest_request,
    request_of_link,
    withdraw_consent,
)
from learnagent.accounts.models import GuardianRequest, Person
from learnagent.accounts.requests import PersonRequest
from learnagent.accounts.views.sign_in import render_refusal
from tutoring.classes.pupils import parse_keys
from tutoring.classes.teacher_access import class_for, learner_in
from tutoring.models import Classroom, Membership

OWN, CLASS, ANSWER = (f"accounts/guardian{part}.html" for part in ("", "s_of_class", "_answer"))


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def guardian(request: PersonRequest) -> HttpResponse:
    """Show an under-age person's consent, and ask the guardian whose address is sent. Adults decide by themselves: 404."""
    person = request.user
    if person.is_adult:
        raise Http404
    context = {"latest": latest_request(person), "is_mail_sent": is_mail_sent(), "text": consent_text(person)}
    if request.method != "POST":
        return render(request, OWN, {"form": GuardianForm(person=person), **context})
    form = GuardianForm(request.POST, person=person)
    if not form.is_valid():
        return render(request, OWN, {"form": form, **context}, status=422)
    if has_declined(person, other_than=form.cleaned_data["email"]):
        form.add_error("email", _("A parent or guardian has said no. Ask your teacher to send a new request."))
        return render(request, OWN, {"form": form, **context}, status=422)
    try:
        ask_guardian(person, form.cleaned_data["email"], by=person)
    except TooManyTries as error:
        return render_refusal(request, form, OWN, error, **context)
    messages.success(request, _("We have asked your parent or guardian."))
    return redirect("accounts:guardian")


@login_required
@require_POST
def stop(request: PersonRequest) -> HttpResponse:
    """End the consent: the person would rather stay with the lessons."""
    if request.user.is_adult:
        raise Http404
    withdraw_consent(request.user)
    messages.success(request, _("Nothing you write is sent to a language model."))
    return redirect("accounts:guardian")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def of_class(request: PersonRequest, code: str) -> HttpResponse:
    """List the under-age pupils of a class with their guardians' answers; a POST asks the guardian of one of them."""
    classroom = class_for(request.user, code)
    if request.method != "POST":
        return _class_page(request, classroom)
    person = learner_in(classroom, min(parse_keys([request.POST.get("person", "")]), default=0)).person
    if person.is_adult:
        raise Http404
    form = GuardianForm(request.POST, person=person)
    if not form.is_valid():
        return _class_page(request, classroom, failed=form, status=422)
    try:
        ask_guardian(person, form.cleaned_data["email"], by=request.user)
    except TooManyTries as error:
        form.add_error("email", str(error.words))
        return _class_page(request, classroom, failed=form, status=error.status)
    messages.success(request, _("We have asked the parent or guardian of %(name)s.") % {"name": person})
    return redirect("class-guardians", code)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def answer(request: HttpRequest, token: str) -> HttpResponse:
    """Ask the guardian, or take the consent back. The link signs nobody in, and needs nobody signed in."""
    found = request_of_link(token)
    if found is None:
        return render(request, ANSWER, {"found": None}, status=404)
    context: dict[str, Any] = {"found": found, "text": consent_text(found.person)}
    if found.person == request.user:
        return render(request, ANSWER, {**context, "is_pupil": True}, status=200 if request.method != "POST" else 422)
    if request.method != "POST":
        return render(request, ANSWER, {**context, "form": GuardianAnswerForm()})
    if "withdraw" in request.POST:
        if found.status == GuardianRequest.Status.AGREED:
            withdraw_consent(found.person)
        return redirect(request.path)
    form = GuardianAnswerForm(request.POST)
    if not form.is_valid():
        return render(request, ANSWER, {**context, "form": form}, status=422)
    agrees = form.cleaned_data["answer"] == "yes"
    answer_request(found, agrees=agrees, name=form.cleaned_data["name"], address=client_address(request))
    return redirect(request.path)


def _class_page(
    request: HttpRequest, classroom: Classroom, *, failed: GuardianForm | None = None, status: int = 200
) -> HttpResponse:
    places = classroom.memberships.filter(role=Membership.Role.LEARNER).exclude(person__age_band="adult")
    people = Person.objects.filter(pk__in=places.values("person")).order_by("display_name", "username")
    latest: dict[int, GuardianRequest] = {}
    asked = GuardianRequest.objects.filter(person__in=people).exclude(status=GuardianRequest.Status.REPLACED)
    for each in asked.defer("text_shown"):
        latest.setdefault(each.person_id, each)
    context = {
        "classroom": classroom,
        "is_mail_sent": is_mail_sent(),
        "rows": [
            (
                person,
                latest.get(person.pk),
                failed if failed and failed.person == person else GuardianForm(person=person),
            )
            for person in people
        ],
    }
    return render(request, CLASS, context, status=status)
