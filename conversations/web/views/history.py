"""Views of whole conversations: list, search, actions, trash, export, feedback."""

import uuid
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import EmptyPage
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from agents.wire.rejections import Rejection
from conversations.history import actions, exports, listing
from conversations.models import Session, Turn
from conversations.turns import feedback as opinions
from conversations.turns import notices
from conversations.turns.supervisor import supervisor
from conversations.web.request_lookup import number_in, own_session, own_turn

LISTS = {"": listing.list_active, "archived": listing.list_archived, "trash": listing.list_trash}
WRITERS = {
    "md": (exports.as_markdown, "text/markdown; charset=utf-8"),
    "json": (exports.as_json, "application/json; charset=utf-8"),
}


@login_required
@require_safe
def conversations(request: HttpRequest) -> HttpResponse:
    """List the reader's conversations: active or archived ones, the trash, or results for `?q=`."""
    query, show = request.GET.get("q", "").strip(), request.GET.get("show", "")
    if show not in LISTS:
        raise Http404
    context: dict[str, Any] = {"query": query, "show": show, "just_deleted": listing.last_deleted(request.user)}
    context |= listing.counts(request.user)
    if query:
        context |= listing.list_hits(request.user, query, before=number_in(request, "before"))
    else:
        try:
            context |= LISTS[show](request.user, page=number_in(request, "page") or 1)
        except EmptyPage:
            raise Http404 from None
    return render(request, "conversations/conversations.html", context)


@login_required
@require_POST
def rename(request: HttpRequest, key: str) -> HttpResponse:
    session = own_session(request, key)
    try:
        actions.rename(session, request.POST.get("title", ""))
    except Rejection as rejection:
        messages.error(request, rejection.message)
    return redirect(session)


@login_required
@require_POST
def pin(request: HttpRequest, key: str) -> HttpResponse:
    session = own_session(request, key)
    Session.objects.filter(pk=session.pk).update(pinned=request.POST.get("on") == "yes")
    return redirect(session)


@login_required
@require_POST
def choose_answered_by(request: HttpRequest, key: str) -> HttpResponse:
    """Store who answers open questions in the conversation from now on."""
    session = own_session(request, key)
    wanted = request.POST.get("answered_by", "")
    if wanted not in Session.AnsweredBy.values:
        return HttpResponse(status=422)
    Session.objects.filter(pk=session.pk).update(answered_by=wanted)
    return HttpResponse(status=204) if request.headers.get("HX-Request") else redirect(session)


@login_required
@require_POST
def archive(request: HttpRequest, key: str) -> HttpResponse:
    """Archive the conversation, or bring it back."""
    session = own_session(request, key)
    archived = request.POST.get("on") == "yes"
    Session.objects.filter(pk=session.pk).update(archived=archived)
    if not archived:
        return redirect(session)
    messages.success(request, _("Archived. You can still find it under Archived or by searching."))
    return redirect("conversations")


@login_required
@require_POST
async def delete(request: HttpRequest, key: str) -> HttpResponse:
    """Move the conversation to the trash and stop its running turns."""
    session, unfinished = await sync_to_async(_deleted)(request, key)
    for turn_id in unfinished:
        await supervisor.stop_anywhere(turn_id)
    notices.notify_session_deleted(session)
    return redirect("conversations")


def _deleted(request: HttpRequest, key: str) -> tuple[Session, list[uuid.UUID]]:
    session = own_session(request, key)
    return session, actions.delete(session)


@login_required
@require_POST
def restore(request: HttpRequest, deleted: int) -> HttpResponse:
    """Restore a conversation from the trash."""
    session = actions.restore(request.user, deleted)
    if session is None:
        raise Http404
    return redirect(session)


@login_required
@require_POST
def delete_forever(request: HttpRequest, deleted: int) -> HttpResponse:
    """Delete a conversation in the trash for good."""
    if not actions.delete_forever(request.user, deleted):
        raise Http404
    messages.success(request, _("Deleted for good. Your answers still count toward your progress."))
    return redirect(f"{reverse('conversations')}?show=trash")


@login_required
@require_safe
async def export(request: HttpRequest, key: str, ending: str) -> StreamingHttpResponse:
    """Send the conversation as a file, turn by turn."""
    session = await sync_to_async(own_session)(request, key)
    written, media_type = WRITERS[ending]
    person = await request.auser()
    response = StreamingHttpResponse(written(session, person), content_type=media_type)
    name = exports.file_name(session, ending)
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name) or "attachment"
    return response


@login_required
@require_POST
def feedback(request: HttpRequest, key: str, turn_id: str) -> HttpResponse:
    """Store the reader's feedback on a reply, or delete it."""
    turn = own_turn(request, key, turn_id)
    error = ""
    try:
        _store_feedback(request, turn)
    except Rejection as rejection:
        error = rejection.message
    if not request.headers.get("HX-Request"):
        if error:
            messages.error(request, error)
        return redirect(f"{turn.session.get_absolute_url()}?at={turn.number}#turn-{turn.pk}")
    given = turn.feedback.filter(person=turn.owner_id).first()
    context = {"session": turn.session, "turn": {"id": turn.pk, "feedback": given}, "feedback_error": error}
    return render(request, "conversations/_feedback.html", context, status=422 if error else 200)


def _store_feedback(request: HttpRequest, turn: Turn) -> None:
    verdict = request.POST.get("verdict", "")
    if verdict == "none":
        opinions.withdraw(turn, request.user)
    else:
        opinions.give(turn, request.user, verdict=verdict, words=request.POST.get("words", ""))
