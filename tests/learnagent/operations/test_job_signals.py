"""A job that fails has one line in the log, and each is a part of the trace in which it was ordered."""

import pytest
from django.db import OperationalError
from django_tasks_db.models import DBTaskResult

from agents import tracing
from learnagent.accounts.personal_data.copies import make_copy
from learnagent.operations.jobs import JobWorker
from learnagent.operations.tracing import start_tracing, stop_tracing
from tests.collector import Collector

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

JOB = "learnagent.accounts.personal_data.copies.make_copy"
NONE_SUCH, NO_ID = "00000000-0000-0000-0000-000000000000", "CANARY"


@pytest.fixture
def collector(settings):
    with Collector() as collector:
        settings.TRACES_ENDPOINT = collector.url
        start_tracing()
        yield collector
        stop_tracing()


def do_jobs():
    for _ in range(DBTaskResult.objects.ready().count()):
        JobWorker(only_one=True).run()


def test_failure_is_told_once_with_its_place(log):
    enqueued = make_copy.enqueue(NO_ID)
    do_jobs()
    [event] = [event for event in log.events if event["level"] == "error"]
    assert (event["event"], event["job"], event["id"]) == ("job_failed", JOB, enqueued.id)
    assert "ValidationError" in event["exception"]


def test_success_is_told(log):
    enqueued = make_copy.enqueue(NONE_SUCH)
    do_jobs()
    [event] = [event for event in log.events if event.get("job")]
    assert (event["event"], event["job"], event["id"]) == ("job_succeeded", JOB, enqueued.id)


def test_job_belongs_to_the_trace_in_which_it_was_ordered(collector):
    with tracing.span("POST /accounts/data/", {}):
        make_copy.enqueue(NONE_SUCH)
        make_copy.enqueue(NO_ID)
    make_copy.enqueue(NONE_SUCH)
    do_jobs()
    stop_tracing()
    [request], jobs = collector.named("POST /accounts/data/"), collector.named(f"job {JOB}")
    assert [job.parent_id for job in jobs] == [request.span_id, request.span_id, ""]
    assert [job.is_error for job in jobs] == [False, True, False]


def test_job_whose_end_cannot_be_stored_ends_its_span(collector, monkeypatch):
    def away(*args):
        raise OperationalError

    make_copy.enqueue(NONE_SUCH)
    with monkeypatch.context() as patch:
        for ending in ("set_successful", "set_failed"):
            patch.setattr(DBTaskResult, ending, away)
        with pytest.raises(OperationalError):
            JobWorker(only_one=True).run()
    with tracing.span("next", {}):
        pass
    stop_tracing()
    [job], [after] = collector.named(f"job {JOB}"), collector.named("next")
    assert (job.is_error, after.parent_id) == (True, "")


def test_without_traces_a_job_is_stored_as_ever():
    assert make_copy.enqueue(NONE_SUCH).db_result.args_kwargs == {"args": [NONE_SUCH], "kwargs": {}}
