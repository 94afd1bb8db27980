"""The start of a conversation without a topic: the learner says something, and the team finds its topic."""

import re
import uuid

from asgiref.sync import sync_to_async
from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from agents.rollout.flags import is_enabled
from agents.rollout.known_flags import ROUND_TABLE
from agents.wire.rejections import Rejection
from conversations.models import TEXT_MAX_LENGTH
from conversations.turns import fault_injection, stream
from conversations.turns.begin import AcceptedTurn, begin_turn
from conversations.turns.supervisor import supervisor
from tutoring.pages.forms.answer_form import validate_storable
from tutoring.pages.views.lesson_start import FIRST_WORDS_S
from tutoring.pages.views.requests import LearnerRequest

OWN_ID = re.compile(r"[0-9a-f]{32}")


class FirstMessageForm(forms.Form):
    """The first message of a conversation."""

    text = forms.CharField(max_length=TEXT_MAX_LENGTH, validators=[validate_storable])


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
async def start_conversation(request: LearnerRequest) -> HttpResponse:
    """Ask what the conversation is about; a POST starts one with that message and leads there."""
    response, accepted = await sync_to_async(start_conversation_core)(request, claimed=supervisor.has_room())
    if accepted is not None:
        fault_injection.kill_point("after_accept")
        supervisor.start(accepted)
        await stream.wait_for_first_words(accepted.turn.pk, within_s=FIRST_WORDS_S)
    return response


def start_conversation_core(
    request: LearnerRequest, *, claimed: bool = False
) -> tuple[HttpResponse, AcceptedTurn | None]:
    """Return the page, or the redirect to the conversation and its first turn. Its form, sent twice, starts one."""
    if request.method != "POST":
        return _page(request, FirstMessageForm()), None
    form = FirstMessageForm(request.POST)
    if not form.is_valid():
        return _page(request, form, status=422), None
    try:
        accepted = _begun(request, form.cleaned_data["text"], claimed=claimed)
    except Rejection as rejection:
        form.add_error("text", rejection.message)
        return _page(request, form, status=rejection.status), None
    return redirect(accepted.turn.session), accepted


def _begun(request: LearnerRequest, text: str, *, claimed: bool) -> AcceptedTurn:
    sent = request.POST.get("client_id", "")
    own_id = sent if OWN_ID.fullmatch(sent) else uuid.uuid4().hex
    return begin_turn(owner=request.user, session_key=f"talk-{own_id}", text=text, client_id=own_id, claimed=claimed)


def _page(request: LearnerRequest, form: FirstMessageForm, *, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "client_id": uuid.uuid4().hex,
        "has_round_table": is_enabled(ROUND_TABLE, request.user),
    }
    return render(request, "tutoring/ask_team.html", context, status=status)
