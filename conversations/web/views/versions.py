"""View of older versions of a message, shown at their place."""

from dataclasses import replace

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from conversations.models import Turn
from conversations.turns import versions
from conversations.web import presentation
from conversations.web.request_lookup import own_turn


@login_required
@require_safe
def version(request: HttpRequest, key: str, turn_id: str, place: int) -> HttpResponse:
    """Show a version of the message and what followed it; nothing for the newest, which is on the page."""
    turn = own_turn(request, key, turn_id)
    found = versions.versions_of([turn]).get(turn.pk)
    if found is None or not 1 <= place <= found.total:
        raise Http404
    is_piece = bool(request.headers.get("HX-Request"))
    if place == found.total:
        return HttpResponse() if is_piece else redirect(turn.session)
    context = {
        "session": presentation.session_view(turn.session),
        "newest": turn,
        "newest_url": reverse("message-version", args=[key, turn.pk, found.total]),
        "place": place,
        "total": found.total,
        "earlier": place - 1,
        "later": place + 1,
        "turns": _old_turns(request, turn, found, place),
    }
    return render(request, f"conversations/version.html{'#past' if is_piece else ''}", context)


def _old_turns(
    request: HttpRequest, turn: Turn, found: versions.MessageVersions, place: int
) -> list[presentation.TurnView]:
    """Return an older version's turns; cards that are also in the current conversation are left out."""
    turns = versions.turns_of_version(found, place, at_most=presentation.TURNS_SHOWN)
    shown = versions.ids_of_current_cards(turn.session)
    return [
        replace(view, parts=tuple(part for part in view.parts if part.get("card_id") not in shown))
        for view in presentation.turn_views(request.user, turns=turns, request=request)
    ]
