"""`manage.py work`: does the jobs that wait in the database. `serve` runs one beside itself."""

import logging
import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management import call_command
from django.db import connections
from django_tasks_db.management.commands import db_worker

from agents.ledger import forget_words
from agents.periodic import do_what_is_due
from conversations.history.arranging import purge
from conversations.library import reading_jobs
from conversations.library.deleting import forget_unsent
from conversations.searching.index import keep_up_for_ever
from learnagent.accounts.copies import look_after_copies
from learnagent.accounts.erasing import wake_erasures
from learnagent.accounts.sessions import SessionStore
from learnagent.periodic import WORKS
from learnagent.worker import END_WITHIN_S
from tutoring.writing.orders import wake_lost

logger = logging.getLogger(__name__)

WAKE_EVERY_S = 30.0
"""A worker that just started looks at once: it may have come in the place of one that died."""
RESULTS_KEPT_DAYS = 7
NICENESS = 10
"""Nobody waits for a job: whoever answers a learner goes first."""


class Command(db_worker.Command):
    help = "Does the jobs that wait in the database, until it is told to end."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--with-parent", action="store_true", help="End when standard input ends.")

    def handle(self, *, with_parent: bool, **options: Any) -> None:  # type: ignore[override]  # One option more.
        os.nice(NICENESS)
        threading.Thread(target=_look_after, daemon=True).start()
        reader = threading.Thread(target=reading_jobs.read_for_ever, daemon=True)
        reader.start()
        threading.Thread(target=keep_up_for_ever, daemon=True).start()
        if with_parent:
            threading.Thread(target=_end_with_parent, daemon=True).start()
        try:
            super().handle(**options)
        finally:
            reading_jobs.end(reader)
        logging.shutdown()
        # Not by Python's own end: the sentence model aborts a process that ends while another thread works with it.
        os._exit(0)


def _look_after() -> None:
    """As long as the worker lives: wake what was lost, forget what was done or said long ago, do what comes round again."""
    while True:
        try:
            wake_lost()
            forget_words()
            purge()
            forget_unsent()
            look_after_copies()
            wake_erasures()
            SessionStore.clear_expired()
            call_command("prune_db_task_results", min_age_days=RESULTS_KEPT_DAYS, verbosity=0)
            do_what_is_due(WORKS)
        except Exception:
            # A database away for a moment must not end the watch.
            logger.exception("could not look after the jobs")
        connections.close_all()
        time.sleep(WAKE_EVERY_S)


def _end_with_parent() -> None:
    """Wait for the end of standard input, which comes however the parent dies; then end, with the job or without it."""
    # Not through sys.stdin, whose lock would still be held when the interpreter ends.
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_WITHIN_S)
    os._exit(1)
