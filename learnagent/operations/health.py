"""`GET /health`: whether the place can do its work, for a machine that asks."""

import shutil
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models.functions import Now
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from redis import Redis
from redis.exceptions import RedisError

from agents.conf import llm_backends
from agents.models import PeriodicWork
from agents.storage.availability import lock_wait_limit
from conversations.models import Turn
from conversations.processes import heartbeats
from learnagent.operations.wal_checkpoints import wal_file

MIN_FREE_BYTES = 200_000_000
PROBE_TIMEOUT_S = 1.0
"""The time limit for a write, and for Redis, in seconds."""
CACHE_S = 5.0
"""How long the results are cached, in seconds, so that frequent checks cost nothing."""


class Probe:
    """A question that takes long where things are bad: asked by one at a time, its answer kept for a while."""

    def __init__(self, ask: Callable[[], str]) -> None:
        self.took_s: float | None = None
        """How long the latest answer took, in seconds; None before the first."""
        self._ask = ask
        self._asking = Lock()
        self._answer = ""
        self._answered_at = float("-inf")

    def answer(self) -> str:
        """Return the answer, at most `KEPT_S` old; while another asks, the one before."""
        if self._is_fresh() or not self._asking.acquire(blocking=not self._answer):
            return self._answer
        try:
            if not self._is_fresh():
                began = monotonic()
                self._answer, self._answered_at = self._ask(), monotonic()
                self.took_s = self._answered_at - began
            return self._answer
        finally:
            self._asking.release()

    def forget(self) -> None:
        self._answer, self._answered_at = "", float("-inf")

    def _is_fresh(self) -> bool:
        return monotonic() - self._answered_at < CACHE_S


@require_safe
@never_cache
def health(request: HttpRequest) -> JsonResponse:
    """Answer 200 `healthy` or `degraded`, 503 when the database is gone or cannot be written."""
    checks = run_probes()
    body = {
        "status": "healthy" if is_healthy(checks) else "degraded",
        "timestamp": timezone.now().isoformat(),
        "llm_provider": _provider(),
        "checks": checks,
    }
    if checks["database"] == "ok":
        return JsonResponse(body)
    return JsonResponse(body, status=503, headers={"Retry-After": f"{CACHE_S:g}"})


def run_probes() -> dict[str, Any]:
    """Return what was found, by its name; None is unknown."""
    checks: dict[str, Any] = {
        "database": _database(),
        "stuck_turns": None,
        "worker": None,
        "web_processes": None,
        "wal_bytes": wal_bytes(),
        "redis": redis_probe.answer(),
        "free_bytes": free_bytes(),
    }
    if checks["database"] == "gone":
        return checks
    try:
        checks["stuck_turns"] = Turn.objects.all().orphaned().count()
        checks["worker"] = "ok" if heartbeats.living_processes("worker") else "silent"
        checks["web_processes"] = len(heartbeats.living_processes("web"))
    except (DatabaseError, InterfaceError):
        # It went in between, or its tables are not there.
        checks["database"] = "gone"
    return checks


def is_healthy(checks: dict[str, Any]) -> bool:
    """Whether nothing is wrong that somebody should look at."""
    return (
        checks["database"] == checks["worker"] == "ok"
        and not checks["stuck_turns"]
        and checks["redis"] != "gone"
        and (checks["free_bytes"] or 0) >= MIN_FREE_BYTES
        and ((checks["web_processes"] or 0) <= 1 or heartbeats.has_shared_layer())
    )


def _provider() -> str:
    """Return who words what is said: the backends of the strong tier, separated by commas."""
    return ", ".join(getattr(backend, "name", "none") for backend in llm_backends()["strong"])


def wal_bytes() -> int | None:
    """Return the size of SQLite's write-ahead log; None on another database."""
    if connection.vendor != "sqlite":
        return None
    log = wal_file()
    return log.stat().st_size if log.exists() else 0


def free_bytes() -> int | None:
    """Return what is free where the data lie; None where there is no such folder."""
    try:
        return shutil.disk_usage(settings.DATA_DIR).free
    except OSError:
        return None


def redis_url() -> str:
    """Return where Redis is, empty where this place has none."""
    return str(settings.CACHES["default"].get("LOCATION", ""))


def _database() -> str:
    """Return `ok`, `gone`, or `read-only` for one that can be read and not be written just now, for whatever reason."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except (DatabaseError, InterfaceError):
        return "gone"
    return write_probe.answer()


def write_status() -> str:
    """Return `ok` where a row can be written now, else `read-only`."""
    try:
        with lock_wait_limit(PROBE_TIMEOUT_S), transaction.atomic():
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("SELECT set_config('statement_timeout', %s, true)", [f"{PROBE_TIMEOUT_S:g}s"])
            PeriodicWork.objects.update_or_create(name="health", defaults={"done_for": Now()})
    except (DatabaseError, InterfaceError):
        return "read-only"
    return "ok"


def _redis() -> str:
    url = redis_url()
    if not url:
        return "none"
    try:
        with Redis.from_url(url, socket_timeout=PROBE_TIMEOUT_S, socket_connect_timeout=PROBE_TIMEOUT_S) as redis:
            redis.ping()
    except RedisError:
        return "gone"
    return "ok"


write_probe, redis_probe = Probe(write_status), Probe(_redis)
