"""Leases on turns: claim, renew, release. One process at a time serves a turn; the length is a setting."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db.models import F, Max, Q
from django.db.models.functions import Now

from agents.conf import agent_settings
from conversations.models import Turn, TurnStatus
from conversations.processes.identity import PROCESS, is_known_dead
from conversations.turns import raw_sql
from conversations.turns.feed import Wire, store_events


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimedTurn:
    """A turn as claimed by the process that serves it."""

    turn: Turn
    next_seq: int


def _lease() -> dict[str, Any]:
    """Return the field values of a lease for this process, by the database's clock."""
    return {"lease_owner": PROCESS, "lease_until": Now() + timedelta(seconds=agent_settings().lease_s)}


def renew_leases(turn_ids: Sequence[uuid.UUID]) -> int:
    """Extend this process's leases on the turns, by the database's clock. Return how many it still holds."""
    held = Turn.objects.unfinished().filter(Q(lease_owner=PROCESS) | Q(lease_owner=""), pk__in=turn_ids)
    return held.update(**_lease())


def release_leases() -> int:
    """Release all leases of this process, so that others can take the turns at once. Return how many."""
    return _expire_leases([PROCESS])


def release_dead_leases() -> int:
    """Release the leases of processes known to be dead, before they run out. Return how many."""
    holders = Turn.objects.unfinished().filter(lease_until__gte=Now()).values_list("lease_owner", flat=True).distinct()
    dead = [holder for holder in holders if is_known_dead(holder)]
    return _expire_leases(dead) if dead else 0


def shorten_leases() -> int:
    """Shorten leases that a fast clock has set too far in the future; return how many.

    They are not ended at once: a live process renews its own long before.
    """
    lease = timedelta(seconds=agent_settings().lease_s)
    too_long = Turn.objects.unfinished().filter(lease_until__gt=Now() + 2 * lease)
    return too_long.update(lease_until=Now() + lease) if too_long.exists() else 0


def claim_new(turn: Turn) -> bool:
    """Claim a turn just started here. False if another process has it."""
    if not raw_sql.claim_new(turn, lease_s=agent_settings().lease_s):
        return False
    turn.status, turn.attempt = TurnStatus.RUNNING, 1
    return True


def claim(turn_id: uuid.UUID) -> ClaimedTurn | None:
    """Claim a turn: one started here, or one whose lease ran out. None if another process has it."""
    mine = Q(lease_owner=PROCESS, status=TurnStatus.QUEUED)
    free = Q(lease_until__lt=Now())
    taken = (
        Turn.objects.unfinished()
        .filter(mine | free, pk=turn_id)
        .update(
            status=TurnStatus.RUNNING,
            attempt=F("attempt") + 1,
            **_lease(),
        )
    )
    if not taken:
        return None
    turn = Turn.objects.select_related("session", "owner").get(pk=turn_id)
    last = turn.events.aggregate(seq=Max("seq"))["seq"] or 0
    return ClaimedTurn(turn=turn, next_seq=last + 1)


def store_if_leased(shown: Sequence[tuple[Turn, Sequence[Wire]]]) -> None:
    """Store events of running turns, except turns taken over by another process, which numbers its own."""
    held = raw_sql.leased_turns(PROCESS, [turn.pk for turn, _ in shown])
    store_events([wire for turn, events in shown if (turn.pk, turn.attempt) in held for wire in events])


def _expire_leases(holders: Sequence[str]) -> int:
    return Turn.objects.unfinished().filter(lease_owner__in=holders).update(lease_until=Now() - timedelta(seconds=1))
