"""Recovery of turns whose process died: by their leases in the database, without relying on a broker."""

import asyncio
import uuid

from agents.storage.availability import FailureStreak
from agents.storage.threads import in_orm_thread
from agents.usage.ledger import settle_lost_calls
from conversations.models import Turn
from conversations.processes.identity import is_known_dead
from conversations.turns import leases
from conversations.turns.supervisor import supervisor

EVERY_S = 5.0
AT_ONCE = 20
"""Number of turns recovered per check, so that a large crash is handled in batches."""


@in_orm_thread
def find_orphans() -> list[uuid.UUID]:
    """Return the turns whose lease ran out or whose process is known to be dead, oldest first."""
    settle_lost_calls(is_known_dead)
    if not Turn.objects.unfinished().exists():
        return []  # Most of the time, in a process that is idle.
    leases.release_dead_leases()
    leases.shorten_leases()
    return list(Turn.objects.all().orphaned().values_list("pk", flat=True)[:AT_ONCE])


async def recover_orphans() -> list[uuid.UUID]:
    """Serve every orphaned turn again; return which."""
    found = await find_orphans()
    for turn_id in found:
        supervisor.claim(turn_id)
    return found


async def recover_forever() -> None:
    """Check for orphaned turns as long as the process lives."""
    looking = FailureStreak("looking for orphaned turns")
    while True:
        with looking.survive():
            await recover_orphans()
        await asyncio.sleep(EVERY_S)
