"""Sign in, sign up, sign out, and the link that signs in once."""

from typing import Any

from django.conf import settings
from django.contrib.auth import login, logout
from django.db import IntegrityError, transaction
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render, resolve_url
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from learnagent.accounts.authentication import password_hashing
from learnagent.accounts.authentication.rate_limits import TooManyTries
from learnagent.accounts.authentication.sign_in import (
    client_address,
    count_sign_up,
    person_for_password,
    refund_sign_up,
)
from learnagent.accounts.authentication.sign_in_links import person_for_link, use_link
from learnagent.accounts.forms import SignInForm, SignUpForm, form_status
from learnagent.accounts.models import Person

BACKEND = "django.contrib.auth.backends.ModelBackend"


def next_address(request: HttpRequest) -> str:
    """Return where to go on: what `next` asks for if it is a page of this site, else home."""
    return same_site_address(request, _wanted(request) or "")


def same_site_address(request: HttpRequest, wanted: str) -> str:
    """Return the address if it is a page of this site, else home."""
    own = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if own else resolve_url(settings.LOGIN_REDIRECT_URL)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect(next_address(request))
    if request.method != "POST":
        return _sign_in_page(request, SignInForm())
    form = SignInForm(request.POST)
    if not form.is_valid():
        return _sign_in_page(request, form, status=form_status(form))
    try:
        person = person_for_password(request, **form.cleaned_data)
    except TooManyTries as error:
        return render_refusal(request, form, "accounts/sign_in.html", error, next=_wanted(request))
    if person is None:
        form.add_error(None, _("The name or password is wrong. Check both and try again."))
        return _sign_in_page(request, form, status=422)
    login(request, person)
    return redirect(next_address(request))


def _sign_in_page(request: HttpRequest, form: SignInForm, *, status: int = 200) -> HttpResponse:
    return render(request, "accounts/sign_in.html", {"form": form, "next": _wanted(request)}, status=status)


def _wanted(request: HttpRequest) -> str | None:
    return request.POST.get("next") or request.GET.get("next")


def render_refusal(
    request: HttpRequest, form: BaseForm, template: str, error: TooManyTries, **context: Any
) -> HttpResponse:
    """Return the form's page again, with why nothing was done and how long to wait."""
    form.add_error(None, str(error.words))
    response = render(request, template, {"form": form, **context}, status=error.status)
    response["Retry-After"] = str(error.wait_s)
    return response


@never_cache
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_up(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect(next_address(request))
    if request.method != "POST":
        return render(request, "accounts/sign_up.html", {"form": SignUpForm()})
    form = SignUpForm(request.POST)
    if not form.is_valid():
        return render(request, "accounts/sign_up.html", {"form": form}, status=form_status(form))
    try:
        count_sign_up(request)
        with password_hashing.gate.share_of(client_address(request)):
            person = _store(form)
    except TooManyTries as error:
        if isinstance(error, password_hashing.TooBusy):
            refund_sign_up(request)
        return render_refusal(request, form, "accounts/sign_up.html", error)
    if person is None:
        return render(request, "accounts/sign_up.html", {"form": form}, status=422)
    login(request, person, backend=BACKEND)
    return redirect("accounts:consent" if person.is_adult else next_address(request))


def _store(form: SignUpForm) -> Person | None:
    """Store the account; None, with the error on its field, if somebody took the name a moment ago."""
    # Hashed before the transaction: nobody else could write while it takes its time.
    form.instance.set_password(form.cleaned_data["password"])
    try:
        with transaction.atomic():
            person: Person = form.save()
            return person
    except IntegrityError:
        form.add_error("username", _("This name is taken. Choose another."))
        return None


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("accounts:sign-in")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def link(request: HttpRequest, token: str) -> HttpResponse:
    """Show whom the link signs in, and sign in when the button is pressed: previews of links do not press buttons."""
    if request.method != "POST":
        person = person_for_link(token)
        return render(request, "accounts/link.html", {"person": person}, status=200 if person else 404)
    person = use_link(token)
    if person is None:
        return render(request, "accounts/link.html", {"person": None}, status=404)
    login(request, person, backend=BACKEND)
    return redirect(next_address(request))
