"""The turns of a call: one is begun per step of the call, and its answer is waited for or fetched later."""

import asyncio
import uuid
from datetime import timedelta
from typing import Final

from django.utils import timezone

from agents.conf import agent_settings
from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from conversations import access
from conversations.models import ConversationSummary, PhoneCall, Turn
from conversations.phone.calls import SESSION_KEY, speaker_of, turn_name
from conversations.speech.spoken_replies import spoken_reply
from conversations.turns import whole_turns
from conversations.v1.conversation import start_single_agent

ANSWER_WITHIN_S: Final = 8.0
"""Seconds to wait in one request. Twilio gives up after 15, and a caller hears silence meanwhile."""


async def begin_turn(call: PhoneCall, text: str, *, step: int) -> uuid.UUID:
    """Start the turn of this step of the call and return its id; the same step again is the same turn.

    One agent answers: to several at once, nobody can listen. Raises Rejection.
    """
    owner = await in_orm_thread(speaker_of)(call)
    return await start_single_agent(owner, text, SESSION_KEY, client_id=turn_name(call.pk, step))


async def wait_for_end(turn_id: uuid.UUID) -> bool:
    """Wait until the turn has ended, here or in another process, but not longer than a caller should; return whether."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            await whole_turns.wait_for_end(turn_id)
    except TimeoutError:
        return False
    return True


@in_orm_thread
def find_turn(call: PhoneCall, turn_id: str) -> Turn:
    """Return a turn of this call. Raises Rejection 404 for one of another call or of somebody else."""
    turn = access.turn_for(call.owner, turn_id)
    if not turn.client_id.startswith(turn_name(call.pk)):
        raise rejections.not_found()
    return turn


@in_orm_thread
def latest_turn(call: PhoneCall) -> Turn | None:
    """Return the latest turn of the caller's conversation; None if nothing was said yet."""
    rows = Turn.objects.filter(owner=call.owner, session__key=SESSION_KEY, session__deleted_at=None)
    return rows.order_by("-number").first() if call.owner is not None else None


def is_overdue(turn: Turn) -> bool:
    """Return whether the turn should have ended long ago."""
    allowed = agent_settings().turn_timeout_s + whole_turns.PATIENCE_S
    return timezone.now() - turn.created_at > timedelta(seconds=allowed)


@in_orm_thread
def answer_of(call: PhoneCall, turn_id: uuid.UUID) -> tuple[str, bool]:
    """Return a turn's reply as it is read aloud, empty until it has ended, and whether it says goodbye."""
    turn = Turn.objects.select_related("session").get(pk=turn_id)
    goodbyes = ConversationSummary.objects.filter(turn=turn, reason=ConversationSummary.Reason.GOODBYE)
    return spoken_reply(turn, call.owner), goodbyes.exists()
