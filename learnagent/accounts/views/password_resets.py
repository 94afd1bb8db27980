"""A password that was forgotten: ask for a mail, follow its link, set another."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from learnagent.accounts.authentication import address_of
from learnagent.accounts.forms import ForgottenForm, ResetPasswordForm, status_of
from learnagent.accounts.password_resets import ask_for_reset, person_behind_reset, use_reset
from learnagent.accounts.rate_limits import TooManyTries
from learnagent.accounts.views.authentication import BACKEND, next_address, refused


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link, and say the same whether there was anybody to send it to."""
    if request.method != "POST":
        return render(request, "accounts/forgotten.html", {"form": ForgottenForm()})
    form = ForgottenForm(request.POST)
    if not form.is_valid():
        return render(request, "accounts/forgotten.html", {"form": form}, status=422)
    try:
        ask_for_reset(form.cleaned_data["who"], address=address_of(request))
    except TooManyTries as error:
        return refused(request, form, "accounts/forgotten.html", error)
    return render(request, "accounts/forgotten.html", {"asked": True})


@never_cache
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, reset: str) -> HttpResponse:
    person = person_behind_reset(reset)
    if person is None:
        return _no_longer(request)
    if request.method != "POST":
        return _page(request, ResetPasswordForm(person=person))
    form = ResetPasswordForm(request.POST, person=person)
    if not form.is_valid():
        return _page(request, form, status=status_of(form))
    try:
        person = use_reset(reset, form.cleaned_data["password"])
    except TooManyTries as error:
        return refused(request, form, "accounts/reset.html", error, person=form.person)
    if person is None:
        return _no_longer(request)
    login(request, person, backend=BACKEND)
    messages.success(request, _("Your password is changed. Everywhere else you are signed out."))
    return redirect(next_address(request))


def _page(request: HttpRequest, form: ResetPasswordForm, *, status: int = 200) -> HttpResponse:
    return render(request, "accounts/reset.html", {"form": form, "person": form.person}, status=status)


def _no_longer(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/reset.html", {"form": None}, status=404)
