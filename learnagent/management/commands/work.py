"""`manage.py work`: does the jobs that wait in the database. `serve` runs one beside itself."""

import os
import signal
import sys
import threading
import time
from argparse import ArgumentParser
from typing import Any

from django_tasks_db.management.commands import db_worker

from learnagent.worker import END_WITHIN_S

NICENESS = 10
"""Nobody waits for a job: whoever answers a learner goes first."""


class Command(db_worker.Command):
    help = "Does the jobs that wait in the database, until it is told to end."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("--with-parent", action="store_true", help="End when standard input ends.")

    def handle(self, *, with_parent: bool, **options: Any) -> None:  # type: ignore[override]  # One option more.
        os.nice(NICENESS)
        if with_parent:
            threading.Thread(target=_end_with_parent, daemon=True).start()
        super().handle(**options)


def _end_with_parent() -> None:
    """Wait for the end of standard input, which comes however the parent dies; then end, with the job or without it."""
    # Not through sys.stdin, whose lock would still be held when the interpreter ends.
    os.read(sys.stdin.fileno(), 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_WITHIN_S)
    os._exit(1)
