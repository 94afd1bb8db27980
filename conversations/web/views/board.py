"""Views of the drawing board: take a snapshot, show it, delete it."""

from uuid import UUID

from asgiref.sync import async_to_sync
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agents.runtime.model_chain import models_for_tier
from agents.wire import rejections
from agents.wire.rejections import Rejection
from conversations.board import snapshots
from conversations.drawing.rendering import render_png
from conversations.drawing.schema import MAX_BYTES, Board
from conversations.models import Snapshot
from conversations.turns.supervisor import supervisor
from conversations.web import error_responses
from conversations.web.request_lookup import own_session
from conversations.web.views.documents import SANDBOX


@login_required
@require_POST
def take(request: HttpRequest, key: str) -> JsonResponse:
    """Store the board sent as JSON; return its id and what geometry reads, or what is wrong."""
    try:
        snapshot, is_new = _taken(request, key)
    except Rejection as rejection:
        return error_responses.rejection_response(request, rejection)
    if snapshot is None:
        return JsonResponse({"id": None, "reading": None})
    if is_new and models_for_tier("vision"):
        async_to_sync(_look)(snapshot)
    return JsonResponse({"id": str(snapshot.pk), "reading": snapshot.reading}, status=201)


async def _look(snapshot: Snapshot) -> None:
    """Let a model look at it in the server's own event loop, without waiting for it."""
    supervisor.listening.look(snapshot)


def _taken(request: HttpRequest, key: str) -> tuple[Snapshot | None, bool]:
    """Store the board; return its snapshot, and whether it is new."""
    session = own_session(request, key)
    if int(request.headers.get("Content-Length") or 0) > MAX_BYTES:
        raise rejections.too_large(_("There is too much on the board. Erase some of it."))
    before = snapshots.latest_of(session)
    snapshot = snapshots.take(session, request.body)
    return snapshot, snapshot is not None and snapshot != before


@login_required
@require_safe
def drawing(request: HttpRequest, key: str, drawing: UUID) -> HttpResponse:
    """Show a drawing as a picture, rendered from its strokes."""
    snapshot = _own_drawing(request, key, drawing)
    if snapshot.deleted_at is not None:
        raise Http404
    headers = {
        "Content-Security-Policy": SANDBOX,
        "Cross-Origin-Resource-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(render_png(Board.model_validate(snapshot.board)), content_type="image/png", headers=headers)


@login_required
@require_POST
def delete(request: HttpRequest, key: str, drawing: UUID) -> HttpResponse:
    """Delete a drawing; the message still shows that there was one."""
    snapshot = _own_drawing(request, key, drawing)
    if snapshot.deleted_at is None:
        snapshots.delete(snapshot)
    if not request.headers.get("HX-Request"):
        return redirect(snapshot.session)
    return render(request, "conversations/_board_snapshot.html", {"shot": snapshots.drawing_context(snapshot)})


def _own_drawing(request: HttpRequest, key: str, drawing: UUID) -> Snapshot:
    """Return a drawing of the reader's own conversation. Raises Http404 for any other."""
    session = own_session(request, key)
    snapshot = session.snapshots.filter(pk=drawing).first()
    if snapshot is None:
        raise Http404
    snapshot.session = session
    return snapshot
