"""Signs of life in the database: which processes serve and which work, on whatever machines they run."""

import asyncio
import logging
from datetime import datetime, timedelta
from typing import Literal

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from agents.models import PeriodicWork
from agents.storage.availability import FailureStreak
from agents.storage.threads import in_orm_thread
from conversations.processes.identity import PROCESS, is_known_dead

logger = logging.getLogger(__name__)

ProcessKind = Literal["web", "worker"]

HEARTBEAT_EVERY_S = 15.0
ALIVE_FOR = timedelta(seconds=60)
"""How long after its last sign a process counts as living."""
KEPT_FOR = timedelta(days=1)
ALONE_WARNING = (
    "%d other web processes serve this database, and REDIS_URL is not set: tabs on one do not hear of turns on another, and"
    " limits on sign-in are counted by each"
)


def record_heartbeat(kind: ProcessKind) -> datetime:
    """Note that this process lives; return when, by the database's clock."""
    row, _ = PeriodicWork.objects.update_or_create(name=_own(kind), defaults={"done_for": Now()})
    _of(kind).filter(done_for__lt=Now() - KEPT_FOR).delete()
    row.refresh_from_db()
    assert row.done_for is not None  # It was set a moment ago.
    return row.done_for


def remove_heartbeat(kind: ProcessKind) -> None:
    """Note that this process ends."""
    PeriodicWork.objects.filter(name=_own(kind)).delete()


def living_processes(kind: ProcessKind, *, since: datetime | None = None) -> list[str]:
    """Return the names of the processes that gave a sign of life lately, and after `since`; one query."""
    # Bounded above as well: signs that a clock which ran ahead has dated later say nothing.
    lately = _of(kind).filter(done_for__gt=Now() - ALIVE_FOR, done_for__lt=Now() + ALIVE_FOR)
    if since is not None:
        lately = lately.filter(done_for__gt=since)
    own = _own(kind)
    names = lately.values_list("name", flat=True)
    return [name for name in names if name == own or not is_known_dead(name.partition(" ")[2])]


def has_shared_layer() -> bool:
    """Whether web processes hear of one another: through Redis."""
    return "redis" in settings.CHANNEL_LAYERS["default"]["BACKEND"]


async def beat_forever() -> None:
    """Note as long as this process serves that it does, and log once when others do so too and cannot hear of it."""
    beating, since, told = FailureStreak("signs of life of this web process"), None, False
    while True:
        with beating.survive():
            at = await in_orm_thread(record_heartbeat)("web")
            since = since or at
            # Of those before our own first sign one may have died.
            others = len(await in_orm_thread(living_processes)("web", since=since)) - 1
            if others > 0 and not told and not has_shared_layer():
                logger.warning(ALONE_WARNING, others)
                told = True
        await asyncio.sleep(HEARTBEAT_EVERY_S)


def _own(kind: ProcessKind) -> str:
    # Its name has room for 40 characters, and six at its end tell it from every other.
    return f"{kind} {PROCESS[:-6]}"


def _of(kind: ProcessKind) -> "models.QuerySet[PeriodicWork]":
    return PeriodicWork.objects.filter(name__startswith=f"{kind} ")
