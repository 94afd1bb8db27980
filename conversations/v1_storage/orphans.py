"""Conversations of v1 files that nobody owns yet."""

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min

from conversations.models import Capture

LISTED = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class OrphanedSession:
    session_id: str
    exchanges: int
    first_at: datetime
    last_at: datetime


def list_orphans(*, at_most: int = LISTED) -> list[OrphanedSession]:
    """Return the v1 sessions without an owner, the longest first."""
    rows = Capture.objects.filter(owner=None).values("session_id").order_by()
    found = rows.annotate(exchanges=Count("pk"), first_at=Min("timestamp"), last_at=Max("timestamp"))
    return [OrphanedSession(**row) for row in found.order_by("-exchanges", "session_id")[:at_most]]


def count_orphaned_sessions() -> int:
    return Capture.objects.filter(owner=None).order_by().values("session_id").distinct().count()
