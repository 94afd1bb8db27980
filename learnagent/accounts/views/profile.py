"""What a person may change about themselves: profile, consent, password."""

from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from conversations.web.model_status import model_status_for, outside_providers
from learnagent.accounts.authentication.password_hashing import TooBusy
from learnagent.accounts.authentication.rate_limits import TooManyTries
from learnagent.accounts.authentication.sessions import end_sessions
from learnagent.accounts.authentication.sign_in import OLD_PASSWORDS
from learnagent.accounts.forms import EmailForm, NewPasswordForm, PasswordConfirmationForm, ProfileForm, form_status
from learnagent.accounts.models import CONSENT_FIELDS, Person
from learnagent.accounts.requests import PersonRequest
from learnagent.accounts.views.sign_in import next_address


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile(request: PersonRequest) -> HttpResponse:
    # A copy of its own: a refused form must not show in the page's frame as if it were saved.
    person = Person.objects.get(pk=request.user.pk)
    if request.method != "POST":
        return render(request, "accounts/profile.html", {"form": ProfileForm(instance=person)})
    form = ProfileForm(request.POST, instance=person)
    if not form.is_valid():
        return render(request, "accounts/profile.html", {"form": form}, status=422)
    form.save()
    messages.success(request, _("Saved."))
    return redirect("accounts:profile")


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def consent(request: PersonRequest) -> HttpResponse:
    """Ask an adult about outside models: after signing up, or above the composer of a conversation. Nobody else is asked."""
    if not request.user.is_adult:
        raise Http404
    in_conversation = bool(request.headers.get("HX-Request"))
    if request.method != "POST":
        return render(request, "accounts/consent.html")
    answer = request.POST.get("consent")
    if answer not in ("yes", "no"):
        template = "conversations/_consent.html#question" if in_conversation else "accounts/consent.html"
        return render(request, template, {"places": outside_providers()}, status=422)
    request.user.set_consent(answer == "yes")
    request.user.save(update_fields=CONSENT_FIELDS)
    if in_conversation:
        context = {"voice": model_status_for(request.user), "adult": True, "oob": True}
        return render(request, "conversations/_consent.html#answered", context)
    return redirect(next_address(request))


@never_cache
@sensitive_post_parameters("old", "password", "again")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def password(request: PersonRequest) -> HttpResponse:
    person = request.user
    if request.method != "POST":
        return render(request, "accounts/password.html", {"form": NewPasswordForm(person=person)})
    form = NewPasswordForm(request.POST, person=person)
    try:
        if answer := _refusal(request, form, "accounts/password.html"):
            return answer
        person.set_password(form.cleaned_data["password"])
    except TooManyTries as error:
        return _too_many(request, form, "accounts/password.html", error)
    person.save(update_fields=["password"])
    update_session_auth_hash(request, person)
    end_sessions(person, but=request.session.session_key)
    messages.success(request, _("Your password was changed. You have been signed out everywhere else."))
    return redirect("accounts:profile")


@never_cache
@sensitive_post_parameters("old")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def email(request: PersonRequest) -> HttpResponse:
    person = request.user
    if request.method != "POST":
        form = EmailForm(person=person, initial={"email": person.email})
        return render(request, "accounts/email.html", {"form": form})
    form = EmailForm(request.POST, person=person)
    try:
        if answer := _refusal(request, form, "accounts/email.html"):
            return answer
    except TooManyTries as error:
        return _too_many(request, form, "accounts/email.html", error)
    person.email = form.cleaned_data["email"]
    person.save(update_fields=["email"])
    messages.success(request, _("Saved."))
    return redirect("accounts:profile")


def _refusal(request: PersonRequest, form: PasswordConfirmationForm, template: str) -> HttpResponse | None:
    """Return the page for a form that will not do, None if all is well. Raises TooManyTries."""
    if not OLD_PASSWORDS.count_try(request.user.pk):
        wait = _("Too many attempts. Nothing was changed. Wait ten minutes, then try again.")
        raise TooManyTries(OLD_PASSWORDS.window_s, wait)
    try:
        is_valid = form.is_valid()
    except TooBusy:  # No password was looked at.
        OLD_PASSWORDS.refund(request.user.pk)
        raise
    if not is_valid:
        return render(request, template, {"form": form}, status=form_status(form))
    OLD_PASSWORDS.forget(request.user.pk)
    return None


def _too_many(
    request: PersonRequest, form: PasswordConfirmationForm, template: str, error: TooManyTries
) -> HttpResponse:
    """Return the page with an empty form, why nothing was changed, and how long to wait."""
    context = {"form": type(form)(person=request.user), "refusal": error.words}
    response = render(request, template, context, status=error.status)
    response["Retry-After"] = str(error.wait_s)
    return response
