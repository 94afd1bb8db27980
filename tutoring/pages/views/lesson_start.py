"""A concept's address: leads to the conversation in which it is learned."""

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_GET

from agents.wire.rejections import Rejection
from conversations.turns import fault_injection, stream
from conversations.turns.begin import AcceptedTurn
from conversations.turns.supervisor import supervisor
from tutoring.access import concept_for
from tutoring.dialogue.lesson_start import find_lesson, start_lesson
from tutoring.pages.views.requests import LearnerRequest

FIRST_WORDS_S = 0.1
"""Seconds that a new lesson's page waits for the tutor's first words, so that they are on it when it is drawn."""


@login_required
@require_GET
async def concept(request: LearnerRequest, course: str, concept: str) -> HttpResponse:
    response, accepted = await sync_to_async(concept_core)(request, course, concept, claimed=supervisor.has_room())
    if accepted is not None:
        fault_injection.kill_point("after_accept")
        supervisor.start(accepted)
        await stream.wait_for_first_words(accepted.turn.pk, within_s=FIRST_WORDS_S)
    return response


def concept_core(
    request: LearnerRequest, course: str, concept: str, *, claimed: bool = False
) -> tuple[HttpResponse, AcceptedTurn | None]:
    """Return the redirect to the lesson, and the turn that opens it if it starts now."""
    found = concept_for(request.user, course, concept)
    lesson = find_lesson(request.user, found)
    if lesson is not None:
        return redirect(lesson.session), None
    try:
        accepted = start_lesson(request.user, found, claimed=claimed)
    except Rejection as rejection:
        messages.error(request, rejection.message)
        return redirect(found.course), None
    return redirect(accepted.turn.session), accepted
