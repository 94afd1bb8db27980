"""Turns that a client asks for as a whole: started here, and waited for until they have ended."""

import asyncio
import uuid
from collections.abc import Callable

from django.utils.translation import gettext as _

from agents.conf import agent_settings
from agents.storage.threads import in_orm_thread
from agents.wire import rejections
from conversations.models import Turn
from conversations.turns import fault_injection, stream
from conversations.turns.begin import AcceptedTurn
from conversations.turns.supervisor import supervisor

PATIENCE_S = 60.0
"""Extra seconds to wait for an answer beyond a turn's own time, because another process may have to redo it."""


async def start_turn(begin: Callable[[], AcceptedTurn]) -> AcceptedTurn:
    """Store a turn by `begin`, and have it served. It goes on if the caller is cancelled. Raises what `begin` raises."""
    accepted = await supervisor.writer.write(begin)
    if accepted.created:
        fault_injection.kill_point("after_accept")
    supervisor.start(accepted)
    return accepted


async def wait_for_end(turn_id: uuid.UUID) -> Turn:
    """Return the turn once it has ended, here or in another process. Raises Rejection 503 if it takes too long."""
    try:
        async with asyncio.timeout(agent_settings().turn_timeout_s + PATIENCE_S):
            # Served here, it may also have to wait until the process has capacity.
            await supervisor.finished(turn_id)
            turn = await _turn(turn_id)
            if turn.is_open:
                async for _batch in stream.watch(turn_id, after=0):
                    pass
                turn = await _turn(turn_id)
    except TimeoutError:
        raise rejections.unavailable(
            _("This is taking too long. Your message is saved. Check back later for the answer.")
        ) from None
    return turn


@in_orm_thread
def _turn(turn_id: uuid.UUID) -> Turn:
    return Turn.objects.select_related("session").get(pk=turn_id)
