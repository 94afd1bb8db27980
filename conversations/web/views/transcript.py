"""Views of how replies came about: below a reply, or for a whole conversation on its own page."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import EmptyPage, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from conversations.web import presentation
from conversations.web.request_lookup import number_in, own_session, own_turn
from conversations.web.turn_story import stories

TURNS_A_PAGE = 20


@login_required
@require_safe
def story(request: HttpRequest, key: str, turn_id: str) -> HttpResponse:
    """Return how one reply came about; without JavaScript, redirect to the page that shows it."""
    turn = own_turn(request, key, turn_id)
    if not request.headers.get("HX-Request"):
        before = turn.session.turns.filter(replaced_by=None, number__lt=turn.number).count()
        page = before // TURNS_A_PAGE + 1
        return redirect(f"{reverse('transcript', args=[key])}?page={page}#story-{turn.pk}")
    [told] = stories([turn], whole=_is_admin(request))
    return render(request, "conversations/transcript.html#story", {"story": told})


@login_required
@require_safe
def transcript(request: HttpRequest, key: str) -> HttpResponse:
    """Show how each reply of the conversation came about, with the messages, oldest first."""
    session = own_session(request, key)
    rows = session.turns.filter(replaced_by=None).order_by("number")
    try:
        page = Paginator(rows, TURNS_A_PAGE).page(number_in(request, "page") or 1)
    except EmptyPage:
        raise Http404 from None
    turns = list(page.object_list)
    views = presentation.turn_views(request.user, turns=turns, request=request)
    context = {
        "session": presentation.session_view(session),
        "told": list(zip(views, stories(turns, whole=_is_admin(request)), strict=True)),
        "page": page,
    }
    return render(request, "conversations/transcript.html", context)


def _is_admin(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_staff", False))
