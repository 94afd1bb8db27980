"""Views of sign-in cards, and of the class list as a file."""

from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agents.wire.csv_export import csv_lines
from learnagent.accounts.authentication.sign_in_cards import card_path, make_codes
from learnagent.accounts.requests import PersonRequest
from tutoring.classes.pupils import chosen_pupils, is_managed, parse_keys, pupils_of, waiting_pupils
from tutoring.classes.teacher_access import class_for

MAX_CARDS = 120
"""Cards on one page to print."""


@login_required
@require_POST
def print_cards(request: PersonRequest, code: str) -> HttpResponse:
    """Make cards for the chosen pupils whose accounts this class's teachers created, and show them to be printed."""
    classroom = class_for(request.user, code)
    keys = request.POST.getlist("only") or request.POST.getlist("person")
    waiting = request.POST.get("who") == "waiting"
    places = waiting_pupils(classroom) if waiting else chosen_pupils(classroom, keys)
    start = min(parse_keys([request.POST.get("start", "")]), default=0)
    chosen = list(places[start : start + MAX_CARDS + 1])
    own = [place for place in chosen[:MAX_CARDS] if is_managed(place)]
    if not own:
        messages.error(request, _("Choose pupils whose accounts you created. Others sign in with their own passwords."))
        return redirect("class-pupils", code)
    codes, expires_at = make_codes([place.person for place in own])
    context = {
        "classroom": classroom,
        "cards": [(place, codes[place.person_id], qr_code(codes[place.person_id])) for place in own],
        "others": [place for place in chosen[:MAX_CARDS] if not is_managed(place)],
        "next_start": start + MAX_CARDS if waiting and len(chosen) > MAX_CARDS else None,
        "site": urlsplit(settings.PUBLIC_URL).netloc,
        "card_address": f"{urlsplit(settings.PUBLIC_URL).netloc}{reverse('card-code')}".rstrip("/"),
        "expires_at": expires_at,
    }
    return render(request, "rosters/cards.html", context)


@login_required
@require_safe
def export_pupils(request: PersonRequest, code: str) -> HttpResponse:
    """Return the class list as CSV, in the columns that an import reads."""
    classroom = class_for(request.user, code)
    head = [[_("Name"), _("Username"), _("Group"), _("Joined")]]
    rows = [
        [str(place.person), place.person.username, "; ".join(group.name for group in place.groups.all()),
         timezone.localdate(place.joined_at).isoformat()]
        for place in pupils_of(classroom).prefetch_related("groups")
    ]  # fmt: skip
    # The byte order mark tells a spreadsheet program that this is UTF-8.
    response = HttpResponse("\ufeff" + csv_lines(head + rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{code}-pupils.csv"'
    return response


def qr_code(code: str) -> SafeString:
    """Return an SVG of a QR code that opens a card's page. It holds nothing but the site's address and the code."""
    drawn = segno.make_qr(f"{settings.PUBLIC_URL}{card_path(code)}", error="m")
    return mark_safe(drawn.svg_inline(omitsize=True, border=2, svgclass="qr", lineclass=None))
