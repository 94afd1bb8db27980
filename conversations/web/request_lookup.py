"""Looks up what a request names: sessions, turns, folders, numbers; 404 if the reader may not see it."""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse

from agents.wire.rejections import Rejection
from conversations import access
from conversations.models import Folder, Session, Turn

NUMBER = re.compile(r"[1-9][0-9]{0,9}")
LARGEST_NUMBER = 2**31 - 1


def own_session(request: HttpRequest, key: str) -> Session:
    """Return the reader's own session. Raises Http404 for any other."""
    try:
        return access.session_for(request.user, key)
    except Rejection:
        raise Http404 from None


def number_in(request: HttpRequest, name: str) -> int | None:
    """Return a whole number from the query, None if it is missing. Raises Http404 for anything else."""
    text = request.GET.get(name)
    if text is None:
        return None
    if not NUMBER.fullmatch(text):
        raise Http404
    return int(text)


def own_turn(request: HttpRequest, key: str, turn_id: str) -> Turn:
    """Return a turn of the reader's own conversation. Raises Http404 for any other."""
    session = own_session(request, key)
    try:
        turn = access.turn_for(request.user, turn_id)
    except Rejection:
        raise Http404 from None
    if turn.session_id != session.pk:
        raise Http404
    return turn


type View = Callable[..., HttpResponse]


def missing_is_404(view: View) -> View:
    """Decorate a view: rejections with status 404 become Http404."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            return view(request, *args, **kwargs)
        except Rejection as rejection:
            if rejection.status != 404:
                raise
            raise Http404 from None

    return guarded


def folder_named(request: HttpRequest, text: str, *, door: Callable[[Any, int], Folder]) -> Folder | None:
    """Return the folder named in a query or form, None if empty. Raises Http404 if it is not a number."""
    if not text:
        return None
    if not (text.isascii() and text.isdecimal() and len(text) < 20):
        raise Http404
    return door(request.user, int(text))
