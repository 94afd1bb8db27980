"""Periodic jobs: each runs once per due time, in the first process that checks.

After downtime a job runs once, for the latest due time, not once for each missed one.
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
"""How long a process may take. If it dies or the job fails, the job is due again after that."""
NIGHT_HOUR = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class PeriodicJob:
    """A job and its schedule."""

    name: str
    latest: Callable[[datetime], datetime]
    """Given a time, returns the last due time at or before it."""
    do: Callable[[], None]


def latest_night(now: datetime) -> datetime:
    """Return the most recent 3 a.m. in the site's time zone."""
    local = timezone.localtime(now)
    night = local.replace(hour=NIGHT_HOUR, minute=0, second=0, microsecond=0)
    return night if night <= local else night - timedelta(days=1)


def latest_hour(now: datetime) -> datetime:
    """Return the beginning of the present hour."""
    return now.replace(minute=0, second=0, microsecond=0)


def latest_minutes(minutes: int) -> Callable[[datetime], datetime]:
    """Return a schedule: every so many minutes, a divisor of 60, from the full hour on."""
    return lambda now: now.replace(minute=now.minute // minutes * minutes, second=0, microsecond=0)


def run_due_jobs(works: Iterable[PeriodicJob], *, now: datetime | None = None) -> list[str]:
    """Run the jobs that are due and unclaimed; return their names. A failure is logged and does not stop the others."""
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
    """Claim the job for this process; False if it is done for that time or another process has it."""
    PeriodicWork.objects.get_or_create(name=name)
    # A claim further in the future than a lease can reach comes from a clock that was fast.
    waiting = PeriodicWork.objects.filter(Q(done_for=None) | Q(done_for__lt=due) | Q(done_for__gt=now), name=name)
    free = waiting.filter(Q(held_until=None) | Q(held_until__lte=now) | Q(held_until__gt=now + LEASE))
    return free.update(held_until=now + LEASE) > 0
