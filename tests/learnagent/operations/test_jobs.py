"""Jobs are run once by one worker, and again by another one if theirs is gone."""

import signal
from datetime import timedelta

import pytest
from django.db import OperationalError
from django.tasks import TaskResultStatus, task
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from agents.models import PeriodicWork
from conversations.processes import heartbeats
from conversations.processes.identity import PROCESS
from learnagent.operations import jobs
from learnagent.operations.jobs import MAX_ATTEMPTS, JobWorker, requeue_lost_jobs

pytestmark = [pytest.mark.db, pytest.mark.django_db]
ELSEWHERE = "0123456789abcdef:1:0123456789ab"
"""A process on another machine."""
runs = []


@task
def note(name):
    runs.append(name)


@pytest.fixture(autouse=True)
def _clean_slate(monkeypatch):
    runs.clear()
    # The connection in whose transaction the test stands is not an old one.
    monkeypatch.setattr(jobs.db_worker, "close_old_connections", lambda: None)


def claimed(*holders):
    """Return a job that these processes claimed one after the other; the last one has it."""
    row = DBTaskResult.objects.get(pk=note.enqueue("claimed").id)
    for holder in holders:
        row.claim(holder)
    return row


def send_heartbeat(process, *, ago=timedelta(0)):
    PeriodicWork.objects.create(name=heartbeats.heartbeat_name("worker", process), done_for=timezone.now() - ago)


def away(*args):
    raise OperationalError


def status_of(row):
    row.refresh_from_db()
    return row.status


def test_worker_runs_one_job_and_has_said_before_that_it_lives():
    for name in ("first", "second"):
        note.enqueue(name)
    JobWorker(only_one=True).run()
    assert runs == ["first"]
    assert [row.worker_ids for row in DBTaskResult.objects.successful()] == [[PROCESS]]
    assert heartbeats.living_processes("worker") == [heartbeats.heartbeat_name("worker")]


def test_worker_without_jobs_ends():
    JobWorker(only_one=True).run()
    assert runs == []


def test_job_of_a_living_worker_is_left_to_it():
    """G9: however long it takes."""
    send_heartbeat(ELSEWHERE)
    row = claimed(ELSEWHERE)
    requeue_lost_jobs()
    JobWorker(only_one=True).run()
    assert (status_of(row), runs) == (TaskResultStatus.RUNNING, [])


@pytest.mark.parametrize("ago", [None, heartbeats.ALIVE_FOR + timedelta(seconds=1)], ids=["none", "old"])
def test_job_whose_worker_sends_no_heartbeats_is_run_by_another(ago):
    """G8: a worker that was killed loses no job."""
    if ago:
        send_heartbeat(ELSEWHERE, ago=ago)
    row = claimed(ELSEWHERE)
    requeue_lost_jobs()
    JobWorker(only_one=True).run()
    assert (status_of(row), runs) == (TaskResultStatus.SUCCESSFUL, ["claimed"])
    assert row.worker_ids == [ELSEWHERE, PROCESS]


def test_job_that_is_lost_every_time_fails():
    row = claimed(*[ELSEWHERE] * MAX_ATTEMPTS)
    requeue_lost_jobs()
    assert status_of(row) == TaskResultStatus.FAILED
    [error] = row.task_result.errors
    assert error.exception_class is jobs.WorkerLost


def test_job_whose_end_could_not_be_stored_is_run_again(monkeypatch):
    """G10: the database was away at its end."""
    note.enqueue("claimed")
    with monkeypatch.context() as patch:
        for ending in ("set_successful", "set_failed"):
            patch.setattr(DBTaskResult, ending, away)
        with pytest.raises(OperationalError):
            JobWorker(only_one=True).run()
    for _ in range(2):
        jobs.requeue_unstored_jobs()
        JobWorker(only_one=True).run()
    assert (runs, DBTaskResult.objects.successful().count()) == (["claimed", "claimed"], 1)


def test_job_that_ended_meanwhile_is_not_run_again():
    row = claimed(ELSEWHERE)
    DBTaskResult.objects.get(pk=row.pk).set_successful(None)
    jobs._requeue([row])
    assert status_of(row) == TaskResultStatus.SUCCESSFUL


def test_second_signal_does_not_cut_the_job_off():
    """Ctrl+C reaches the worker by itself, and by its server."""
    worker = JobWorker()
    worker.running_task = True
    for number in (signal.SIGINT, signal.SIGTERM):
        worker.shutdown(number, None)
    assert not worker.running


def test_idle_worker_ends_at_once():
    with pytest.raises(SystemExit):
        JobWorker().shutdown(signal.SIGTERM, None)
