"""A password that was forgotten: ask for a mail, follow its link, set another."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from learnagent.accounts.authentication.password_resets import person_for_reset, request_reset, use_reset
from learnagent.accounts.authentication.rate_limits import TooManyTries
from learnagent.accounts.authentication.sign_in import client_address
from learnagent.accounts.forms import ResetPasswordForm, ResetRequestForm, form_status
from learnagent.accounts.views.sign_in import BACKEND, next_address, render_refusal


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def forgotten(request: HttpRequest) -> HttpResponse:
    """Send a link, and say the same whether there was anybody to send it to."""
    if request.method != "POST":
        return render(request, "accounts/reset_request.html", {"form": ResetRequestForm()})
    form = ResetRequestForm(request.POST)
    if not form.is_valid():
        return render(request, "accounts/reset_request.html", {"form": form}, status=422)
    try:
        request_reset(form.cleaned_data["who"], address=client_address(request))
    except TooManyTries as error:
        return render_refusal(request, form, "accounts/reset_request.html", error)
    return render(request, "accounts/reset_request.html", {"asked": True})


@never_cache
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "HEAD", "POST"])
def reset(request: HttpRequest, reset: str) -> HttpResponse:
    person = person_for_reset(reset)
    if person is None:
        return _expired_page(request)
    if request.method != "POST":
        return _page(request, ResetPasswordForm(person=person))
    form = ResetPasswordForm(request.POST, person=person)
    if not form.is_valid():
        return _page(request, form, status=form_status(form))
    try:
        person = use_reset(reset, form.cleaned_data["password"])
    except TooManyTries as error:
        return render_refusal(request, form, "accounts/reset.html", error, person=form.person)
    if person is None:
        return _expired_page(request)
    login(request, person, backend=BACKEND)
    messages.success(request, _("Your password was changed. You have been signed out everywhere else."))
    return redirect(next_address(request))


def _page(request: HttpRequest, form: ResetPasswordForm, *, status: int = 200) -> HttpResponse:
    return render(request, "accounts/reset.html", {"form": form, "person": form.person}, status=status)


def _expired_page(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/reset.html", {"form": None}, status=404)
