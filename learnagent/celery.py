"""Celery, which runs the jobs where there is a Redis: `celery -A learnagent worker` and `celery -A learnagent beat`.

Jobs are rows of the database. A message names none of them: it has a process run whichever is next. So a message that
is lost, late or delivered twice does no harm.
"""

import os
import signal
import threading
import time
from contextlib import ExitStack
from typing import Any

import django
from celery import Celery, beat, signals
from celery.concurrency import get_implementation
from celery.concurrency.prefork import TaskPool
from django.apps import apps
from django.conf import settings
from kombu.exceptions import KombuError
from redis.exceptions import RedisError

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "learnagent.settings")
if not settings.REDIS_URL:
    raise SystemExit("Celery needs REDIS_URL. Without Redis, manage.py serve and manage.py work run the jobs.")
if not apps.ready:
    django.setup()

from django.db import close_old_connections, connections  # Django must be set up first.
from django_tasks_db.models import DBTaskResult

from agents.storage.availability import FailureStreak, ServiceLost
from learnagent.backends.celery_broker import broker
from learnagent.backends.redis import outage
from learnagent.operations import recurring_work
from learnagent.operations.jobs import JobWorker
from learnagent.operations.service_manager import report_ready
from learnagent.operations.worker_threads import worker_threads

TIME_LIMIT_S = 3600
"""A process that takes longer for one job is ended."""
PUBLISH_EVERY_S = 1.0
MAX_MESSAGES = 100
"""The most messages that wait for a worker, however many jobs do."""

# Celery's fixup for Django would close the database's connection pool after each task, while other threads use it.
app = Celery("learnagent", fixups=[])
app.conf.update(
    **broker(settings.REDIS_URL, longest_task_s=TIME_LIMIT_S),
    accept_content=["json"],
    task_ignore_result=True,
    task_acks_late=True,
    task_reject_on_worker_lost=True,
    task_publish_retry=False,
    worker_prefetch_multiplier=1,
    # A forked process would have its parent's name on its leases, and its parent's locks.
    worker_pool_start_method="spawn",
    worker_proc_alive_timeout=60,
    # The database knows what was done when, so that beat has nothing to remember.
    beat_scheduler=f"{__name__}:Scheduler",
    beat_schedule={
        "recurring work": {
            "task": "learnagent.run_recurring_work",
            "schedule": recurring_work.RECUR_EVERY_S,
            "options": {"expires": recurring_work.RECUR_EVERY_S},
        }
    },
)
_running, _publishing = FailureStreak("running jobs"), FailureStreak("telling Celery of the jobs that wait")
_until_end = ExitStack()
"""What runs in a process of the pool until it ends."""


@app.task(name="learnagent.run_next_job")
def run_next_job() -> None:
    """Run the job that is next, if there is one."""
    # With Celery's handler, a job whose process is ended would count as failed. So another process runs it again.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    # Ends the process. Celery's own time limit was once seen to end nothing.
    signal.alarm(TIME_LIMIT_S)
    with _running.survive():
        JobWorker(only_one=True).run()
    signal.alarm(0)


@app.task(name="learnagent.run_recurring_work")
def run_recurring_work() -> None:
    recurring_work.run_recurring_work()


def publish() -> None:
    """Send as many messages as jobs wait, less those that wait already. Raises ServiceLost."""
    due = DBTaskResult.objects.ready()[:MAX_MESSAGES].count()
    if not due:
        return
    try:
        with app.connection_for_write() as connection, connection.channel() as channel:
            queue = app.amqp.queues[app.conf.task_default_queue](channel)
            producer = app.amqp.Producer(channel)
            for _ in range(due - queue.queue_declare().message_count):
                run_next_job.apply_async(producer=producer)
    except (KombuError, RedisError) as error:
        outage.failed(error)
        raise ServiceLost from error
    outage.worked()


class Scheduler(beat.Scheduler):
    """Beat's scheduler, which tells once that Redis is away."""

    def apply_entry(self, entry: beat.ScheduleEntry, producer: Any = None) -> None:
        try:
            self.apply_async(entry, producer=producer, advance=False)
        except beat.SchedulingError as error:
            outage.failed(error)
        else:
            outage.worked()


def _publish_forever() -> None:
    while True:
        with _publishing.survive():
            publish()
        connections.close_all()
        time.sleep(PUBLISH_EVERY_S)


# As Django does for each request: a connection that the database has closed is replaced.
signals.task_prerun.connect(close_old_connections)
signals.task_postrun.connect(close_old_connections)


@signals.setup_logging.connect
def _keep_logging(**_: Any) -> None:
    """Leave the log as Django has set it up: with a receiver here, Celery adds no handlers of its own."""


@signals.worker_init.connect
def _require_processes(sender: Any, **_: Any) -> None:
    """Refuse other pools: in them, no job could be killed, or be told from the others of its process."""
    if not issubclass(get_implementation(sender.pool_cls), TaskPool):
        raise SystemExit("Jobs need Celery's pool of processes: leave out --pool.")


@signals.worker_init.connect
def _report_ready(**_: Any) -> None:
    """Not only once it is connected: nobody who starts it is to wait until Redis is back."""
    report_ready()


@signals.worker_process_init.connect
def _begin(**_: Any) -> None:
    _until_end.enter_context(worker_threads())
    threading.Thread(target=_publish_forever, daemon=True).start()


@signals.worker_process_shutdown.connect
def _end(**_: Any) -> None:
    _until_end.close()
