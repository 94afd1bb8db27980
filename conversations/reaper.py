"""Takes up turns whose process died: by the lease in the database, so that no broker has to be trusted."""

import asyncio
import logging
import uuid

from agents.ledger import release_lost
from agents.threads import in_orm_thread
from conversations import turns
from conversations.models import Turn
from conversations.processes import is_known_dead
from conversations.supervisor import supervisor

logger = logging.getLogger(__name__)

EVERY_S = 5.0
AT_ONCE = 20
"""Turns taken up in one look: a crowded crash is worked off in portions."""


@in_orm_thread
def orphans() -> list[uuid.UUID]:
    """Return the turns whose lease ran out, or whose process is known to have died, oldest first."""
    turns.release_leases_of_the_dead()
    release_lost(is_known_dead)
    return list(Turn.objects.all().orphaned().values_list("pk", flat=True)[:AT_ONCE])


async def reap() -> list[uuid.UUID]:
    """Take up every orphaned turn once; return which."""
    found = await orphans()
    for turn_id in found:
        logger.info("turn=%s taken up again", turn_id)
        supervisor.take_up(turn_id)
    return found


async def reap_for_ever() -> None:
    """Look for orphaned turns as long as the process lives."""
    while True:
        try:
            await reap()
        except Exception:
            # A database away for a moment must not end the watch.
            logger.exception("could not look for orphaned turns")
        await asyncio.sleep(EVERY_S)
