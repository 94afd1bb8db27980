"""`manage.py work`: does the jobs that wait in the database. `serve` runs one beside itself."""

import logging
import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.core.management import call_command
from django.db import DatabaseError, InterfaceError, connections
from django_tasks_db.management.commands import db_worker

from agents.local_models.imports import import_runtimes
from agents.periodic_work import run_due_jobs
from agents.rollout.planned_changes import make_due_changes
from agents.storage.availability import LOCK_WAIT_S, FailureStreak, lock_wait_limit
from agents.usage.retention import erase_old_call_texts
from conversations.history.actions import purge
from conversations.library import reading_jobs
from conversations.library.deletion import delete_unsent
from conversations.processes import heartbeats
from conversations.search.index import update_index_forever
from learnagent.accounts.authentication.sessions import SessionStore
from learnagent.accounts.personal_data.copies import clean_up_copies
from learnagent.accounts.personal_data.erasure import resume_erasures
from learnagent.operations.periodic_jobs import PERIODIC_JOBS
from learnagent.operations.tracing import start_tracing, stop_tracing
from learnagent.operations.worker_process import STOP_TIMEOUT_S
from tutoring.document_courses.jobs import requeue_lost_drafts
from tutoring.question_writing.orders import requeue_lost

RECUR_EVERY_S = 30.0
"""A new worker starts at once, since it may replace one that died."""
RETRY_AFTER_S = 5.0
"""Seconds between two attempts to run jobs while the database is unavailable."""
RESULT_RETENTION_DAYS = 7
NICENESS = 10
"""Lower priority than the processes that answer learners: nobody waits for a job."""


class Command(db_worker.Command):
    help = "Runs queued jobs from the database until it is stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--with-parent", action="store_true", help="Stop when standard input ends.")

    def handle(self, *, with_parent: bool, **options: Any) -> None:  # type: ignore[override]  # One option more.
        os.nice(NICENESS)
        import_runtimes()
        start_tracing()
        threading.Thread(target=_run_recurring_work, daemon=True).start()
        threading.Thread(target=_send_heartbeats, daemon=True).start()
        reader = threading.Thread(target=reading_jobs.read_forever, daemon=True)
        reader.start()
        threading.Thread(target=update_index_forever, daemon=True).start()
        if with_parent:
            threading.Thread(target=_end_with_parent, daemon=True).start()
        try:
            self._do_jobs(**options)
        finally:
            reading_jobs.stop_reader(reader)
            with suppress(DatabaseError, InterfaceError), lock_wait_limit(LOCK_WAIT_S):
                heartbeats.remove_heartbeat("worker")
        stop_tracing()
        logging.shutdown()
        # Not by Python's own end: the sentence model aborts a process that ends while another thread works with it.
        os._exit(0)

    def _do_jobs(self, **options: Any) -> None:
        """Do jobs until the worker is told to end; one that finds the database away waits for it."""
        doing, is_over = FailureStreak("running jobs"), False
        while not is_over:
            with doing.survive():
                super().handle(**options)
                is_over = True
            if not is_over:
                connections.close_all()
                time.sleep(RETRY_AFTER_S)


def _prune_results() -> None:
    call_command("prune_db_task_results", min_age_days=RESULT_RETENTION_DAYS, verbosity=0)


def _run_periodic_jobs() -> None:
    run_due_jobs(PERIODIC_JOBS)


RECURRING_WORK: tuple[Callable[[], object], ...] = (
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


def _run_recurring_work() -> None:
    """As long as the worker lives: wake what was lost, forget what was done or said long ago, do what comes round again."""
    looked_after = [(each, FailureStreak(f"recurring work ({each.__name__})")) for each in RECURRING_WORK]
    while True:
        for work, streak in looked_after:
            with streak.survive():
                work()
        connections.close_all()
        time.sleep(RECUR_EVERY_S)


def _send_heartbeats() -> None:
    """As long as the worker lives: let everybody see that it does."""
    beating = FailureStreak("this worker's heartbeat")
    while True:
        with beating.survive():
            heartbeats.record_heartbeat("worker")
        connections.close_all()
        time.sleep(heartbeats.HEARTBEAT_EVERY_S)


def _end_with_parent() -> None:
    """Wait for the end of standard input, which comes however the parent dies; then end, with the job or without it."""
    # Not through sys.stdin, whose lock would still be held when the interpreter ends.
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOP_TIMEOUT_S)
    os._exit(1)
