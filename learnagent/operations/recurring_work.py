"""Recurring work, of which some worker begins a round every 15 s: requeue lost jobs, delete what expired, run what is due."""

from collections.abc import Callable
from datetime import timedelta
from functools import cache

from django.core.management import call_command
from django.db.models import Q
from django.db.models.functions import Now

from agents.models import PeriodicWork
from agents.periodic_work import run_due_jobs
from agents.rollout.planned_changes import make_due_changes
from agents.storage.availability import FailureStreak
from agents.usage.retention import erase_old_call_texts
from conversations.history.actions import purge
from conversations.library.deletion import delete_unsent
from learnagent.accounts.authentication.sessions import SessionStore
from learnagent.accounts.personal_data.copies import clean_up_copies
from learnagent.accounts.personal_data.erasure import resume_erasures
from learnagent.operations.jobs import requeue_lost_jobs
from learnagent.operations.periodic_jobs import PERIODIC_JOBS
from tutoring.document_courses.jobs import requeue_lost_drafts
from tutoring.question_writing.orders import requeue_lost

RECUR_EVERY_S = 15.0
PAUSE = timedelta(seconds=10)
"""The least time between the beginnings of two rounds, however many workers there are."""
LATE_AFTER = timedelta(minutes=2)
RESULT_RETENTION_DAYS = 7
ROUND = "recurring work"
"""The name of the row with the time at which the latest round began."""


def _prune_results() -> None:
    call_command("prune_db_task_results", min_age_days=RESULT_RETENTION_DAYS, verbosity=0)


def _run_periodic_jobs() -> None:
    run_due_jobs(PERIODIC_JOBS)


RECURRING_WORK: tuple[Callable[[], object], ...] = (
    requeue_lost_jobs,
    requeue_lost,
    requeue_lost_drafts,
    erase_old_call_texts,
    purge,
    delete_unsent,
    clean_up_copies,
    resume_erasures,
    SessionStore.clear_expired,
    _prune_results,
    make_due_changes,
    _run_periodic_jobs,
)


_streak = cache(FailureStreak)
"""The failures of a work, by its name."""


def run_recurring_work() -> None:
    """Do a round of the recurring work, unless another process has just begun one. Failures are logged."""
    with _streak("beginning of recurring work").survive():
        if _claim_round():
            for work in RECURRING_WORK:
                with _streak(f"recurring work ({work.__name__})").survive():
                    work()


def is_late() -> bool:
    """Return whether no worker has begun a round for a while."""
    return not PeriodicWork.objects.filter(name=ROUND, done_for__gt=Now() - LATE_AFTER).exists()


def _claim_round() -> bool:
    PeriodicWork.objects.get_or_create(name=ROUND)
    # A time in the future comes from a clock that was fast.
    due = Q(done_for=None) | Q(done_for__lte=Now() - PAUSE) | Q(done_for__gt=Now() + PAUSE)
    return PeriodicWork.objects.filter(due, name=ROUND).update(done_for=Now()) > 0
