"""Heartbeats in the database: which web and worker processes are alive, on all machines."""

import asyncio
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from agents.event_log import get_logger
from agents.models import PeriodicWork
from agents.storage.availability import FailureStreak, database
from agents.storage.threads import in_orm_thread
from conversations.processes.identity import PROCESS, is_known_dead

logger = get_logger(__name__)

ProcessKind = Literal["web", "worker"]

HEARTBEAT_EVERY_S = 15.0
ALIVE_FOR = timedelta(seconds=60)
"""How long a process counts as alive after its last heartbeat."""
KEPT_FOR = timedelta(days=1)
ALONE_HINT = (
    "Set REDIS_URL: tabs on one process do not see turns on another, and each counts sign-in limits on its own."
)


def record_heartbeat(kind: ProcessKind) -> datetime:
    """Record that this process is alive; return the time, by the database's clock."""
    row, _ = PeriodicWork.objects.update_or_create(name=heartbeat_name(kind), defaults={"done_for": Now()})
    _of(kind).filter(done_for__lt=Now() - KEPT_FOR).delete()
    database.worked()
    row.refresh_from_db()
    assert row.done_for is not None  # Just set.
    return row.done_for


def remove_heartbeat(kind: ProcessKind) -> None:
    """Record that this process ends."""
    PeriodicWork.objects.filter(name=heartbeat_name(kind)).delete()


def remove_all_heartbeats() -> None:
    """Forget all processes, in a database that was restored: none of them runs on it."""
    PeriodicWork.objects.filter(models.Q(name__startswith="web ") | models.Q(name__startswith="worker ")).delete()


def living_processes(kind: ProcessKind, *, since: datetime | None = None) -> list[str]:
    """Return the names of the processes with a recent heartbeat, after `since` if given; one query."""
    # Also an upper bound: future times come from a clock that was fast.
    lately = _of(kind).filter(done_for__gt=Now() - ALIVE_FOR, done_for__lt=Now() + ALIVE_FOR)
    if since is not None:
        lately = lately.filter(done_for__gt=since)
    own = heartbeat_name(kind)
    names = lately.values_list("name", flat=True)
    return [name for name in names if name == own or not is_known_dead(name.partition(" ")[2])]


def last_heartbeat(kind: ProcessKind) -> datetime | None:
    """Return when such a process was last known to be alive; None if none is known."""
    latest: datetime | None = _of(kind).aggregate(at=models.Max("done_for"))["at"]
    return latest


def has_shared_layer() -> bool:
    """Return whether web processes can reach each other, through Redis."""
    return "redis" in settings.CHANNEL_LAYERS["default"]["BACKEND"]


async def beat_forever() -> None:
    """Send heartbeats while this process serves; log once if other processes serve too and cannot be reached."""
    beating, since, told = FailureStreak("heartbeat of this web process"), None, False
    while True:
        with beating.survive():
            at = await in_orm_thread(record_heartbeat)("web")
            since = since or at
            # Ignore heartbeats before our own first: those processes may have died.
            others = len(await in_orm_thread(living_processes)("web", since=since)) - 1
            if others > 0 and not told and not has_shared_layer():
                logger.warning("redis_missing", other_web_processes=others, hint=ALONE_HINT)
                told = True
        await asyncio.sleep(HEARTBEAT_EVERY_S)


def heartbeat_name(kind: ProcessKind, process: str = PROCESS) -> str:
    """Return the name of a process's heartbeat, as `living_processes` returns it."""
    # The name can have 40 characters; the last six are unique.
    return f"{kind} {process[:-6]}"


def _of(kind: ProcessKind) -> "models.QuerySet[PeriodicWork]":
    return PeriodicWork.objects.filter(name__startswith=f"{kind} ")
