"""Lists of a person's conversations: by day, archived, in the trash; and search results."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Count, Q
from django.db.models.functions import Now
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from conversations.history.actions import TRASH_RETENTION, trash_of
from conversations.models import Session
from conversations.owners import Owner
from conversations.search.messages import search_messages
from conversations.search.query import parse_query

ROWS = 50
"""Number of conversations on a page."""
HITS = 20
NAMED = 5
"""Number of conversations listed above the results because their name matches."""
UNDO_OFFERED_FOR = timedelta(minutes=10)
"""How long the list offers to undo the latest deletion; the trash keeps the conversation longer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DayGroup:
    label: str
    sessions: list[Session]


def list_active(person: Owner, *, page: int) -> dict[str, Any]:
    """Return a page of conversations: pinned ones first, then by day of last activity. Raises EmptyPage."""
    shown = Paginator(Session.objects.owned_by(person).listed(), ROWS).page(page)
    return {"groups": group_by_day(list(shown.object_list), today=timezone.localdate()), "page": shown}


def list_archived(person: Owner, *, page: int) -> dict[str, Any]:
    """Return a page of archived conversations, latest activity first. Raises EmptyPage."""
    rows = Session.objects.owned_by(person).filter(archived=True).order_by("-updated_at", "-pk")
    shown = Paginator(rows, ROWS).page(page)
    return {"sessions": shown.object_list, "page": shown}


def list_trash(person: Owner, *, page: int) -> dict[str, Any]:
    """Return a page of deleted conversations, each with the days it is still kept. Raises EmptyPage."""
    shown = Paginator(trash_of(person), ROWS).page(page)
    now = timezone.now()
    return {"deleted": [(row, _days_left(row.deleted_at, now)) for row in shown.object_list], "page": shown}


def counts(person: Owner) -> dict[str, int]:
    """Return the number of archived conversations and of those in the trash."""
    in_trash = Q(deleted_at__gt=Now() - TRASH_RETENTION)
    rows = Session.with_deleted.owned_by(person)
    return rows.aggregate(
        archived_count=Count("pk", filter=Q(archived=True, deleted_at=None)), trash_count=Count("pk", filter=in_trash)
    )


def last_deleted(person: Owner) -> Session | None:
    """Return the conversation the person deleted last, if that was a few minutes ago at most."""
    return Session.with_deleted.owned_by(person).in_trash(since=UNDO_OFFERED_FOR).first()


def list_hits(person: Owner, query: str, *, before: int | None) -> dict[str, Any]:
    """Return a page of search results, and whether there are more; conversations by name on the first page."""
    hits = search_messages(person, query, limit=HITS + 1, before=before)
    return {
        "named": [] if before is not None else _named(person, query),
        "hits": hits[:HITS],
        "more_before": hits[HITS - 1].id if len(hits) > HITS else None,
        "is_further": before is not None,
    }


def _named(person: Owner, query: str) -> Iterable[Session]:
    terms = [term for term in parse_query(query) if not term.is_excluded]
    if not terms:
        return []
    has_all = Q()
    for term in terms:
        has_all &= Q(title__icontains=term.text)
    return Session.objects.owned_by(person).filter(has_all).order_by("-updated_at")[:NAMED]


def group_by_day(sessions: Sequence[Session], *, today: date) -> list[DayGroup]:
    """Return the conversations grouped by day, in the given order; pinned ones form their own group."""
    groups: list[DayGroup] = []
    for session in sessions:
        label = _("Pinned") if session.pinned else day_label(timezone.localdate(session.updated_at), today=today)
        if not groups or groups[-1].label != label:
            groups.append(DayGroup(label=label, sessions=[]))
        groups[-1].sessions.append(session)
    return groups


def day_label(day: date, *, today: date) -> str:
    """Return the label of a day as seen from today: the more recent, the more exact."""
    if day >= today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    if day > today - timedelta(days=7):
        return _("Last 7 days")
    return date_format(day, "F" if day.year == today.year else "YEAR_MONTH_FORMAT")


def _days_left(deleted_at: datetime | None, now: datetime) -> int:
    """Return the days a deleted conversation is still kept, rounded up, at least 1."""
    left = TRASH_RETENTION - (now - deleted_at) if deleted_at else timedelta()
    return max(1, -(-left // timedelta(days=1)))
