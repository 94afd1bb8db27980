"""Figures of exchanges, as the storage mode says."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Max, QuerySet
from django.db.models.functions import Now

from conversations.models import Capture, Turn
from conversations.owners import Owner
from conversations.timestamps import wire_time
from conversations.v1_storage.modes import StorageMode, storage_mode

ACTIVE_FOR = timedelta(minutes=30)
"""How long a session counts as active after its last message, as long as its context is kept in the cache."""
MOST_ACTIVE = 100
"""Active sessions that are listed."""


def count_exchanges(person: Owner, *, of_everybody: bool) -> dict[str, Any]:
    """Return the figures of the person's own exchanges, or of everybody's, over all surfaces.

    They count what `read_history` returns: orphans, which nobody can read, are left out.
    """
    parts = _parts(None if of_everybody else person)
    counts = [each.aggregate(total=Count("pk"), last=Max("at")) for each in parts]
    keys = [each.values_list("owner_id", "key").distinct() for each in parts]
    active = _active_keys(parts)
    return {
        "database": {
            "total_captures": sum(each["total"] for each in counts),
            # A union has each conversation once.
            "unique_sessions": keys[0].union(*keys[1:]).count(),
            "last_capture": wire_time(max((each["last"] for each in counts if each["last"]), default=None)),
        },
        "sessions": {"active": len(active), "ids": active[:MOST_ACTIVE]},
    }


def _parts(owner: Owner | None) -> Sequence[QuerySet[Any]]:
    """Return the rows that are read, each exchange in one of them, with its conversation's `key` and its time `at`."""
    turns = Turn.objects.filter(replaced_by=None, session__deleted_at=None).order_by()
    captures = Capture.objects.readable().exclude(owner=None).order_by()
    if owner is not None:
        turns, captures = turns.filter(owner=owner), captures.filter(owner=owner)
    in_v2 = turns.annotate(key=F("session__key"), at=F("created_at"))
    in_v1 = captures.annotate(key=F("session_id"), at=F("timestamp"))
    match storage_mode():
        case StorageMode.V1:
            return [in_v1]
        case StorageMode.V2:
            return [in_v2]
        case StorageMode.DUAL:
            return [in_v2, in_v1.filter(turn=None)]


def _active_keys(parts: Sequence[QuerySet[Any]]) -> list[str]:
    """Return the keys of the sessions with a message in the last ACTIVE_FOR, the latest first."""
    latest: dict[tuple[int, str], datetime] = {}
    for part in parts:
        recent = part.filter(at__gt=Now() - ACTIVE_FOR).values_list("owner_id", "key").annotate(last=Max("at"))
        for owner, key, last in recent:
            latest[owner, key] = max(last, latest.get((owner, key), last))
    return [key for (_, key), _ in sorted(latest.items(), key=lambda each: each[1], reverse=True)]
