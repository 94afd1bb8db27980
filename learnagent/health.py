"""`GET /health`: whether the place can do its work, for a machine that asks."""

from pathlib import Path
from typing import Any

from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from agents.conf import llm_backends
from conversations.models import Turn


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 `healthy` or `degraded`, 503 when the database is gone."""
    checks: dict[str, Any] = {"database": _database(), "stuck_turns": None, "wal_bytes": wal_bytes()}
    if checks["database"] == "ok":
        checks["stuck_turns"] = Turn.objects.all().orphaned().count()
    healthy = checks["database"] == "ok" and not checks["stuck_turns"]
    body = {
        "status": "healthy" if healthy else "degraded",
        "timestamp": timezone.now().isoformat(),
        "llm_provider": _provider(),
        "checks": checks,
    }
    return JsonResponse(body, status=200 if checks["database"] == "ok" else 503)


def _provider() -> str:
    """Return who words what is said: the backend of the strong tier."""
    return getattr(llm_backends()["strong"], "name", "none")


def wal_bytes() -> int | None:
    """Return the size of SQLite's write-ahead log; None on another database."""
    if connection.vendor != "sqlite":
        return None
    log = Path(f"{connection.settings_dict['NAME']}-wal")
    return log.stat().st_size if log.exists() else 0


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "gone"
    return "ok"
