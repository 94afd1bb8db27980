"""`manage.py work`: runs the jobs that wait in the database. `serve` starts one beside itself."""

import logging
import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser
from contextlib import suppress
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connections

from agents.storage.availability import FailureStreak
from learnagent.operations.jobs import JobWorker
from learnagent.operations.recurring_work import RECUR_EVERY_S, run_recurring_work
from learnagent.operations.service_manager import report_ready
from learnagent.operations.worker_process import STOP_TIMEOUT_S
from learnagent.operations.worker_threads import worker_threads

RETRY_AFTER_S = 5.0
"""Seconds between two attempts to run jobs while the database is unavailable."""


class Command(BaseCommand):
    help = "Runs queued jobs from the database until it is stopped."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--with-parent", action="store_true", help="Stop when standard input ends.")

    def handle(self, *, with_parent: bool, **options: Any) -> None:
        # An idle worker that is told to end raises SystemExit.
        with worker_threads(), suppress(SystemExit):
            threading.Thread(target=_recur, daemon=True).start()
            if with_parent:
                threading.Thread(target=_end_with_parent, daemon=True).start()
            else:
                report_ready()
            run_jobs(JobWorker())
        logging.shutdown()
        # Not by Python's own end: the sentence model aborts a process that ends while another thread works with it.
        os._exit(0)


def run_jobs(worker: JobWorker) -> None:
    """Run jobs until the worker is told to end; one that finds the database away waits for it."""
    worker.configure_signals()
    doing = FailureStreak("running jobs")
    while worker.running:
        with doing.survive():
            worker.run()
        if worker.running:
            connections.close_all()
            time.sleep(RETRY_AFTER_S)


def _recur() -> None:
    """As long as the worker lives: do the recurring work."""
    while True:
        run_recurring_work()
        connections.close_all()
        time.sleep(RECUR_EVERY_S)


def _end_with_parent() -> None:
    """Wait for the end of standard input, which comes however the parent dies; then end, with the job or without it."""
    # Not through sys.stdin, whose lock would still be held when the interpreter ends.
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(STOP_TIMEOUT_S)
    os._exit(1)
