"""Periodic jobs: each runs once per due time, in the first process that checks.

After downtime a job runs once, for the latest due time, not once for each missed one.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from agents.event_log import get_logger
from agents.models import PeriodicWork

logger = get_logger(__name__)

LEASE = timedelta(hours=1)
"""How long a process may take. If it dies or the job fails, the job is due again after that."""
LONGEST_PAUSE = timedelta(days=2)
"""No schedule has a longer pause between two due times."""
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
        if _did(work):
            PeriodicWork.objects.filter(name=work.name).update(done_for=due, held_until=None)
            done.append(work.name)
    return done


def request_run(name: str) -> bool:
    """Make a job due at once, for the next process that checks; return whether it is neither running nor unknown."""
    now = timezone.now()
    waiting = PeriodicWork.objects.filter(Q(held_until=None) | Q(held_until__lte=now) | ~Q(error=""), name=name)
    return waiting.update(done_for=None, held_until=None) > 0


def next_due(job: PeriodicJob, now: datetime) -> datetime:
    """Return when the job is due next, to the second."""
    before, after = now, now + LONGEST_PAUSE
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) / 2
        before, after = (before, middle) if job.latest(middle) > now else (middle, after)
    return job.latest(after)


def _did(work: PeriodicJob) -> bool:
    """Run the job and record the run; return whether it succeeded."""
    began, error = time.monotonic(), ""
    had_failed = PeriodicWork.objects.filter(name=work.name).exclude(error="").exists()
    PeriodicWork.objects.filter(name=work.name).update(ran_at=timezone.now(), error="")
    try:
        work.do()
    except Exception as failure:
        logger.exception("job_failed", job=work.name, again_in_s=LEASE.total_seconds())
        error = type(failure).__name__[:40]
    else:
        if had_failed:
            logger.warning("job_recovered", job=work.name)
    took_ms = (time.monotonic() - began) * 1000
    PeriodicWork.objects.filter(name=work.name).update(ms=took_ms, error=error)
    return not error


def _claimed(name: str, *, due: datetime, now: datetime) -> bool:
    """Claim the job for this process; False if it is done for that time or another process has it."""
    PeriodicWork.objects.get_or_create(name=name)
    # A claim further in the future than a lease can reach comes from a clock that was fast.
    waiting = PeriodicWork.objects.filter(Q(done_for=None) | Q(done_for__lt=due) | Q(done_for__gt=now), name=name)
    free = waiting.filter(Q(held_until=None) | Q(held_until__lte=now) | Q(held_until__gt=now + LEASE))
    return free.update(held_until=now + LEASE) > 0
