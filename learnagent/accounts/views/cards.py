"""Signing in with a printed card: type its code or scan it, read the class's agreement, choose a password."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_safe

from learnagent.accounts.authentication import password_hashing
from learnagent.accounts.authentication.rate_limits import TooManyTries
from learnagent.accounts.authentication.sign_in import TOO_MANY_FROM_ADDRESS, TOO_MANY_OVERALL, client_address
from learnagent.accounts.authentication.sign_in_cards import (
    CODES_FROM,
    CODES_OF_ALL,
    card_path,
    place_for_card,
    tidy_code,
    use_card,
)
from learnagent.accounts.forms import CardCodeForm, ResetPasswordForm, form_status
from learnagent.accounts.views.sign_in import BACKEND, render_refusal
from tutoring.classes.listings import teacher_names
from tutoring.models import Membership


@never_cache
@require_safe
def type_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code on a card, and go on to its page."""
    if "code" not in request.GET:
        return render(request, "accounts/card_code.html", {"form": CardCodeForm()})
    form = CardCodeForm(request.GET)
    if form.is_valid() and (code := tidy_code(form.cleaned_data["code"])):
        return redirect(card_path(code))
    if not form.errors:
        form.add_error("code", _("A code has 12 letters and digits. Look at your card and type it again."))
    return render(request, "accounts/card_code.html", {"form": form}, status=422)


@never_cache
@sensitive_post_parameters("password", "again")
@require_http_methods(["GET", "HEAD", "POST"])
def card(request: HttpRequest, code: str) -> HttpResponse:
    """Show whose card it is; a POST sets a password and signs in. Nothing uses the card up before that."""
    try:
        place = _find_place(request, code)
    except TooManyTries as error:
        return render_refusal(request, CardCodeForm({"code": code}), "accounts/card_code.html", error)
    if place is None:
        return _expired_page(request)
    if request.method != "POST":
        return _page(request, place, ResetPasswordForm(person=place.person))
    form = ResetPasswordForm(request.POST, person=place.person)
    if not form.is_valid():
        return _page(request, place, form, status=form_status(form))
    try:
        person = use_card(code, form.cleaned_data["password"])
    except password_hashing.TooBusy as error:
        return render_refusal(request, form, "accounts/card.html", error, **_context(place))
    if person is None:
        return _expired_page(request)
    login(request, person, backend=BACKEND)
    signed_in = _("You are signed in. Next time, use your username %(name)s and your new password.")
    messages.success(request, signed_in % {"name": person.username})
    return redirect("home")


def _find_place(request: HttpRequest, code: str) -> Membership | None:
    """Return the place of the card's owner; a wrong code counts. Raises TooManyTries."""
    address = client_address(request)
    if not CODES_FROM.count_try(address):
        raise TooManyTries(CODES_FROM.window_s, TOO_MANY_FROM_ADDRESS)
    if not CODES_OF_ALL.count_try():
        raise TooManyTries(CODES_OF_ALL.window_s, TOO_MANY_OVERALL)
    place = place_for_card(code)
    if place is not None:
        CODES_FROM.refund(address)
        CODES_OF_ALL.refund()
    return place


def _context(place: Membership) -> dict[str, object]:
    return {
        "person": place.person,
        "classroom": place.classroom,
        "teachers": teacher_names([place.classroom])[place.classroom_id],
    }


def _page(request: HttpRequest, place: Membership, form: ResetPasswordForm, *, status: int = 200) -> HttpResponse:
    return render(request, "accounts/card.html", _context(place) | {"form": form}, status=status)


def _expired_page(request: HttpRequest) -> HttpResponse:
    return render(request, "accounts/card.html", {"form": None}, status=404)
