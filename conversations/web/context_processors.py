"""Context of every page: the person's recent conversations."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.models import Session

SHOWN = 12
PINNED_SHOWN = 8
"""Number of pinned conversations shown as well; the rest are in the full list."""


def recent_sessions(request: HttpRequest) -> dict[str, Any]:
    """Return the reader's latest conversations, pinned ones first, then by last activity; queried only when used."""
    return {"recent_sessions": lambda: _recent(request)}


def _recent(request: HttpRequest) -> list[dict[str, Any]]:
    if not request.user.is_authenticated:
        return []
    today = timezone.localdate()
    rows = Session.objects.owned_by(request.user).listed()
    shown: list[Any] = list(rows.only("key", "title", "pinned", "updated_at")[: SHOWN + 2 * PINNED_SHOWN])
    pinned = [row for row in shown if row.pinned][:PINNED_SHOWN]
    others = [row for row in shown if not row.pinned][:SHOWN]
    return [
        {
            "title": row.title or _("A conversation"),
            "url": row.get_absolute_url(),
            "is_lesson": bool(row.topic),
            "group": _("Pinned") if row.pinned else _group(today - timezone.localdate(row.updated_at)),
        }
        for row in (*pinned, *others)
    ]


def _group(age: timedelta) -> str:
    if age < timedelta(days=1):
        return _("Today")
    return _("Last 7 days") if age < timedelta(days=7) else _("Older")
