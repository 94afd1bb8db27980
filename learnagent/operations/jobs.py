"""Background jobs: rows of django-tasks-db, each run by one worker process at a time.

A job is leased to its worker for as long as the worker sends heartbeats. A job whose worker is gone runs again, so
running a job twice must be harmless.
"""

import sys
from collections.abc import Iterable
from types import FrameType

from django.tasks import DEFAULT_TASK_BACKEND_ALIAS, TaskResultStatus
from django.utils import timezone
from django_tasks_db.management.commands import db_worker
from django_tasks_db.models import DBTaskResult

from agents.event_log import get_logger
from conversations.processes import heartbeats
from conversations.processes.identity import PROCESS
from learnagent.operations import job_signals

logger = get_logger(__name__)

POLL_EVERY_S = 1.0
"""Seconds between two looks at an empty queue."""

MAX_ATTEMPTS = 3
"""After so many workers were lost with a job, it counts as failed: it may be what kills them."""

_unstored: "list[DBTaskResult[..., object]]" = []
"""Jobs that have ended in this process, though it could not store that."""


class WorkerLost(Exception):
    """The error of a job that was lost with its worker each time."""


class JobWorker(db_worker.Worker):
    """Runs the jobs that are due, one after the other, until the process is told to end."""

    def __init__(self, *, only_one: bool = False) -> None:
        """With `only_one`, run one job at most, and do not wait for it."""
        super().__init__(
            queue_names=["*"],
            interval=POLL_EVERY_S,
            batch=only_one,
            backend_name=DEFAULT_TASK_BACKEND_ALIAS,
            startup_delay=False,
            max_tasks=1 if only_one else None,
            worker_id=PROCESS,
            excluded_queue_names=[],
        )

    def run(self) -> None:
        """Run jobs; an error means that the database is unavailable."""
        # Before it claims a job: one whose worker has no heartbeat is lost.
        heartbeats.record_heartbeat("worker")
        super().run()

    def run_task(self, db_task_result: "DBTaskResult[..., object]") -> None:
        try:
            super().run_task(db_task_result)
        except Exception as error:
            _unstored.append(db_task_result)
            job_signals.end_unstored(db_task_result.task_result.id, error)
            raise

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        """End after the present job, however many signals come: Ctrl+C sends one, and so does the server."""
        self.running = False
        if not self.running_task:
            sys.exit()


def requeue_unstored_jobs() -> None:
    """Let the jobs run again whose end this process could not store."""
    while _unstored:
        _requeue(_unstored[:1])
        del _unstored[0]


def requeue_lost_jobs() -> None:
    """Let the jobs run again whose worker is gone."""
    # Before the heartbeats: whoever claims a job has recorded one.
    running = list(DBTaskResult.objects.running())
    living = heartbeats.living_processes("worker")
    _requeue(job for job in running if heartbeats.heartbeat_name("worker", job.worker_ids[-1]) not in living)


def _requeue(jobs: "Iterable[DBTaskResult[..., object]]") -> None:
    for job in jobs:
        attempts = len(job.worker_ids)
        # Nothing is changed if the job has ended or was claimed again in the meantime.
        held = DBTaskResult.objects.running().filter(pk=job.pk, started_at=job.started_at)
        if attempts < MAX_ATTEMPTS:
            changed = held.update(status=TaskResultStatus.READY)
        else:
            changed = held.update(
                status=TaskResultStatus.FAILED,
                finished_at=timezone.now(),
                exception_class_path=f"{__name__}.{WorkerLost.__name__}",
            )
        if changed:
            logger.warning("job_lost", job=job.task_path, id=str(job.pk), attempt=attempts)
