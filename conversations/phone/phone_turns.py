"""The turns of a call: one is begun per step of the call, and its answer is waited for or fetched later."""

import asyncio
import uuid
from functools import partial
from typing import Final

from agents.conf import agent_settings
from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from conversations import access, validators
from conversations.models import ConversationSummary, PhoneCall, Session, Turn
from conversations.owners import Owner
from conversations.phone.calls import SESSION_KEY, speaker_of
from conversations.speech.spoken_replies import spoken_reply
from conversations.turns import begin, stream
from conversations.turns.supervisor import supervisor

ANSWER_WITHIN_S: Final = 8.0
"""Seconds to wait in one request. Twilio gives up after 15, and a caller hears silence meanwhile."""
PATIENCE_S: Final = 60.0
"""Extra seconds to wait for an answer beyond a turn's own time, because another process may have to redo it."""


async def begin_turn(call: PhoneCall, text: str, *, step: int) -> Turn:
    """Start the turn of this step of the call; the same step again is the same turn. Raises Rejection."""
    text = validators.validate_text(text)
    owner = await in_orm_thread(_prepare)(call)
    unit = partial(
        begin.begin_turn, owner=owner, session_key=SESSION_KEY, text=text, client_id=_client_id(call.pk, step)
    )
    accepted = await supervisor.writer.write(unit)
    supervisor.start(accepted)
    return accepted.turn


async def wait_for_end(turn: Turn) -> bool:
    """Wait until the turn has ended, here or in another process, but not longer than a caller should; return whether."""
    try:
        async with asyncio.timeout(ANSWER_WITHIN_S):
            await supervisor.finished(turn.pk)
            async for _batch in stream.watch(turn.pk, after=0):
                pass
    except TimeoutError:
        return False
    return True


@in_orm_thread
def find_turn(call: PhoneCall, turn_id: str) -> Turn:
    """Return a turn of this call. Raises Rejection 404 for one of another call or of somebody else."""
    turn = access.turn_for(call.owner, turn_id)
    if not turn.client_id.startswith(_client_id(call.pk, "")):
        raise rejections.not_found()
    return turn


@in_orm_thread
def latest_turn(call: PhoneCall) -> Turn | None:
    """Return the latest turn of the caller's conversation; None if nothing was said yet."""
    rows = Turn.objects.filter(owner=call.owner, session__key=SESSION_KEY, session__deleted_at=None)
    return rows.select_related("session").order_by("-number").first() if call.owner is not None else None


def is_overdue(turn: Turn, *, now_s: float) -> bool:
    """Return whether the turn should have ended long ago; `now_s` is the time as a timestamp."""
    return now_s - turn.created_at.timestamp() > agent_settings().turn_timeout_s + PATIENCE_S


@in_orm_thread
def answer_of(call: PhoneCall, turn_id: uuid.UUID) -> tuple[str, bool]:
    """Return a finished turn's reply as it is read aloud, and whether it says goodbye."""
    turn = Turn.objects.select_related("session").get(pk=turn_id)
    goodbyes = ConversationSummary.objects.filter(turn=turn, reason=ConversationSummary.Reason.GOODBYE)
    return spoken_reply(turn, call.owner), goodbyes.exists()


def _prepare(call: PhoneCall) -> Owner:
    """Return whose turn it will be, with a session that the tutor alone answers."""
    owner = speaker_of(call)
    # Several agents at once are for the page: nobody can listen to them.
    Session.objects.get_or_create(owner=owner, key=SESSION_KEY, defaults={"answered_by": Session.AnsweredBy.TUTOR})
    return owner


def _client_id(sid: str, step: int | str) -> str:
    return f"call:{sid}:{step}"
