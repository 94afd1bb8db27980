"""The page "Call from your phone": a code that links a number, and the linked numbers."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from conversations.phone import numbers
from learnagent.accounts.requests import PersonRequest


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def phone(request: PersonRequest) -> HttpResponse:
    """Show the linked numbers; a POST makes a code and shows it in its answer, the only page that ever has it."""
    if request.method != "POST":
        return _phone_page(request)
    if not settings.TWILIO_AUTH_TOKEN:
        return _phone_page(request, status=422)
    try:
        code = numbers.make_code(request.user)
    except numbers.TooManyNumbers:
        too_many = _("You have already linked %(most)d numbers, which is the maximum. Unlink one first.")
        return _phone_page(request, refusal=too_many % {"most": numbers.NUMBERS_AT_MOST}, status=422)
    # In twos, as people say and type it.
    shown = " ".join(code[at : at + 2] for at in range(0, len(code), 2))
    return _phone_page(request, code=shown, status=201)


def _phone_page(request: PersonRequest, *, status: int = 200, **shown: str) -> HttpResponse:
    context = {
        "is_set_up": bool(settings.TWILIO_AUTH_TOKEN),
        "call_number": settings.PHONE_NUMBER,
        "links": list(request.user.phone_links.all()),
        "minutes": int(numbers.CODE_LIFE.total_seconds()) // 60,
    }
    return render(request, "accounts/phone.html", context | shown, status=status)


@login_required
@require_POST
def unlink(request: PersonRequest, link: int) -> HttpResponse:
    numbers.unlink(request.user, link)
    messages.success(request, _("The number was unlinked. Calls from it no longer reach your conversation."))
    return redirect("accounts:phone")
