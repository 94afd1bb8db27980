"""An admin's second factor: set it up, enter a code, get new recovery codes, remove it."""

import segno
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from learnagent.accounts.authentication import second_factor as factors
from learnagent.accounts.authentication.rate_limits import TooManyTries
from learnagent.accounts.forms import CodeForm
from learnagent.accounts.models import SecondFactor
from learnagent.accounts.requests import PersonRequest
from learnagent.accounts.views.sign_in import next_address, render_refusal
from learnagent.site.look import site_look

SETUP, CODE, RECOVERY = (f"accounts/second_factor{part}.html" for part in ("", "_code", "_recovery"))


@never_cache
@sensitive_post_parameters("code")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def setup(request: PersonRequest) -> HttpResponse:
    """Show the state of the factor, or what is needed to set it up; a POST of the first code turns it on."""
    _require_admin(request)
    factor = factors.factor_of(request.user)
    if factor is not None:
        if factors.is_code_needed(request):
            return redirect("accounts:second-factor-code")
        unused = factor.recovery_codes.filter(used_at=None).count()
        return render(request, SETUP, {"factor": factor, "unused": unused})
    secret = factors.pending_secret(request)
    context = {"qr": _qr_code(factors.setup_address(secret, request.user, site=site_look().name)), "secret": secret}
    if request.method != "POST":
        return render(request, SETUP, {"form": CodeForm(), **context})
    form = CodeForm(request.POST)
    try:
        _count_try(request)
    except TooManyTries as error:
        return render_refusal(request, form, SETUP, error, **context)
    made = factors.set_up(request.user, secret, form.cleaned_data["code"]) if form.is_valid() else None
    if made is None:
        return _wrong(request, form, SETUP, **context)
    factors.CODES.forget(request.user.pk)
    factors.remember(request, made)
    return render(request, RECOVERY, {"codes": factors.replace_recovery_codes(made)})


@never_cache
@sensitive_post_parameters("code")
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def code(request: PersonRequest) -> HttpResponse:
    """Ask for a code, then go on to the page that was wanted."""
    _require_admin(request)
    factor = factors.factor_of(request.user)
    if factor is None:
        return redirect("accounts:second-factor")
    context = {"next": request.POST.get("next") or request.GET.get("next")}
    if request.method != "POST":
        return render(request, CODE, {"form": CodeForm(), **context})
    form = CodeForm(request.POST)
    try:
        _count_try(request)
    except TooManyTries as error:
        return render_refusal(request, form, CODE, error, **context)
    if not (form.is_valid() and factors.use_any_code(factor, form.cleaned_data["code"])):
        return _wrong(request, form, CODE, **context)
    factors.CODES.forget(request.user.pk)
    factors.remember(request, factor)
    return redirect(next_address(request))


@never_cache
@login_required
@require_POST
def recovery_codes(request: PersonRequest) -> HttpResponse:
    """Show new recovery codes in place of the old ones."""
    codes = factors.replace_recovery_codes(_verified_factor(request))
    return render(request, RECOVERY, {"codes": codes})


@login_required
@require_POST
def remove(request: PersonRequest) -> HttpResponse:
    """Remove the factor; only a session that has entered a code may do so."""
    _verified_factor(request)
    factors.remove_factor(request.user)
    messages.success(request, _("Codes are no longer asked for."))
    return redirect("accounts:second-factor")


def _require_admin(request: PersonRequest) -> None:
    if not request.user.is_staff:
        raise Http404


def _verified_factor(request: PersonRequest) -> SecondFactor:
    """Return the factor if this session has entered a code. Raises Http404."""
    _require_admin(request)
    factor = factors.factor_of(request.user)
    if factor is None or factors.is_code_needed(request):
        raise Http404
    return factor


def _count_try(request: PersonRequest) -> None:
    if not factors.CODES.count_try(request.user.pk):
        raise TooManyTries(factors.CODES.window_s, _("Too many wrong codes. Wait ten minutes, then try again."))


def _wrong(request: PersonRequest, form: CodeForm, template: str, **context: object) -> HttpResponse:
    if form.is_valid():
        form.add_error("code", _("That code is not right, or it was used already. Wait for the next one and enter it."))
    return render(request, template, {"form": form, **context}, status=422)


def _qr_code(address: str) -> SafeString:
    drawn = segno.make(address, error="m", micro=False)
    return mark_safe(drawn.svg_inline(light="white", omitsize=True))  # Squares; the address is not in it.
