"""Work that comes round again: done once for each time it is due, by whichever process looks first.

What was missed while nothing ran is caught up on once, for the latest time it was due, not for every one.
"""

import logging
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from agents.models import PeriodicWork

logger = logging.getLogger(__name__)

LEASE = timedelta(hours=1)
"""How long a process has for it. Work whose process died, or that failed, is due again after that."""
NIGHT_HOUR = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicJob:
    """A piece of work, and when it is due."""

    name: str
    latest: Callable[[datetime], datetime]
    """The last time at or before another at which it is due."""
    do: Callable[[], None]


def latest_night(now: datetime) -> datetime:
    """Return the last three o'clock in the morning, of the site's time zone."""
    local = timezone.localtime(now)
    night = local.replace(hour=NIGHT_HOUR, minute=0, second=0, microsecond=0)
    return night if night <= local else night - timedelta(days=1)


def run_due_jobs(works: Iterable[PeriodicJob], *, now: datetime | None = None) -> list[str]:
    """Do what is due and nobody does yet; return the names of what was done. A failure is logged, and stops no other."""
    now, done = now or timezone.now(), []
    for work in works:
        due = work.latest(now)
        if not _claimed(work.name, due=due, now=now):
            continue
        try:
            work.do()
        except Exception:
            logger.exception("periodic work %s failed; again in %s", work.name, LEASE)
            continue
        PeriodicWork.objects.filter(name=work.name).update(done_for=due, held_until=None)
        done.append(work.name)
    return done


def _claimed(name: str, *, due: datetime, now: datetime) -> bool:
    """Take the work for this process; False where it is done for that time, or another process's."""
    PeriodicWork.objects.get_or_create(name=name)
    # What lies ahead of what can be is by a clock that ran ahead.
    waiting = PeriodicWork.objects.filter(Q(done_for=None) | Q(done_for__lt=due) | Q(done_for__gt=now), name=name)
    free = waiting.filter(Q(held_until=None) | Q(held_until__lte=now) | Q(held_until__gt=now + LEASE))
    return free.update(held_until=now + LEASE) > 0
