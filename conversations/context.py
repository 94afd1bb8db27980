"""What every page shows of a person's conversations."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from conversations.models import Session

SHOWN = 12


def recent_sessions(request: HttpRequest) -> dict[str, Any]:
    """Return the reader's latest conversations, grouped by when they were last touched; read when a template asks."""
    return {"recent_sessions": lambda: _recent(request)}


def _recent(request: HttpRequest) -> list[dict[str, str]]:
    if not request.user.is_authenticated:
        return []
    now = timezone.localtime()
    rows = Session.objects.filter(owner_id=request.user.pk, archived=False).order_by("-updated_at")
    return [
        {
            "title": row.title or _("A conversation"),
            "url": row.get_absolute_url(),
            "group": _group(now.date() - timezone.localtime(row.updated_at).date()),
        }
        for row in rows.only("key", "title", "updated_at")[:SHOWN]
    ]


def _group(age: timedelta) -> str:
    if age < timedelta(days=1):
        return _("Today")
    return _("Last week") if age < timedelta(days=7) else _("Older")
