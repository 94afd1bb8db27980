"""Views of a conversation's page and its parts."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST, require_safe

from conversations.web import findings_panel, presentation
from conversations.web.request_lookup import LARGEST_NUMBER, number_in, own_session


@login_required
@require_safe
def conversation(request: HttpRequest, key: str) -> HttpResponse:
    """Show the conversation; with `?at=` the part of it with that turn."""
    session = own_session(request, key)
    at = number_in(request, "at")
    context = (
        presentation.page_context(session, request)
        if at is None
        else presentation.page_context_at(session, request, at)
    )
    return render(request, "conversations/conversation.html", context)


@login_required
@require_safe
def earlier(request: HttpRequest, key: str, before: int) -> HttpResponse:
    """Return the turns before a number, to insert above those on the page."""
    session = own_session(request, key)
    turns = presentation.recent_turns(session, before=before)
    below = presentation.cards_from(session, before)
    context = {
        "session": session,
        "thread": presentation.thread_of(
            presentation.turn_views(request.user, turns=turns, request=request, below=below), is_latest=False
        ),
        "earlier": turns[0].number if turns and turns[0].number > 1 else None,
    }
    return render(request, "conversations/conversation.html#earlier", context)


@login_required
@require_safe
def later(request: HttpRequest, key: str, start: int) -> HttpResponse:
    """Return the turns from a number on, to insert below those on the page."""
    session = own_session(request, key)
    turns, following = presentation.turns_from(session, min(start, LARGEST_NUMBER))
    context = {
        "session": session,
        "thread": presentation.thread_of(presentation.turn_views(request.user, turns=turns, request=request)),
        "later": following,
    }
    return render(request, "conversations/conversation.html#later", context)


@login_required
@require_safe
def board_panel(request: HttpRequest) -> HttpResponse:
    """Return the drawing board, which a page loads when it is first opened."""
    return render(request, "conversations/_board.html")


@login_required
@require_POST
def contest_finding(request: HttpRequest, key: str, finding: int) -> HttpResponse:
    """Store the learner's opinion of a finding: it is wrong, or with `is_so` that it is right after all."""
    session = own_session(request, key)
    is_there = 0 < finding < 2**63 and findings_panel.contest(
        session, finding, is_so=request.POST.get("is_so") == "yes"
    )
    if not is_there:
        raise Http404
    if not request.headers.get("HX-Request"):
        return redirect(session)
    context = {"session": presentation.session_view(session), **presentation.findings_context(session)}
    return render(request, "conversations/conversation.html#noticed", context)
