"""Celery runs the jobs: as many messages as jobs wait, and a real worker that runs one, tells of it and ends."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from importlib import import_module

import pytest
from django.db import connection
from django_tasks_db.models import DBTaskResult

from agents import tracing
from agents.storage.availability import ServiceLost
from learnagent.accounts.authentication.password_resets import send_reset_mails
from learnagent.configuration.environment import ROOT
from learnagent.operations.tracing import start_tracing, stop_tracing
from tests import redis
from tests.collector import Collector
from tests.people import make_ben

PATIENCE_S = 90


@pytest.fixture
def celery(shared, settings):
    """The module, with the tests' Redis."""
    settings.REDIS_URL = shared.url
    from learnagent import celery

    return celery


@pytest.fixture
def messages(celery):
    """Return a function that tells how many messages wait."""

    def count():
        with celery.app.connection_for_read() as wire, wire.channel() as channel:
            return celery.app.amqp.queues["celery"](channel).queue_declare().message_count

    with celery.app.connection_for_write() as wire:
        celery.app.control.purge(connection=wire)
    return count


def enqueue(number):
    for _ in range(number):
        send_reset_mails.enqueue([])


@pytest.mark.django_db
class TestPublish:
    def test_each_job_that_waits_has_a_message(self, celery, messages):
        enqueue(3)
        for _ in range(2):
            celery.publish()
            assert messages() == 3
        enqueue(1)
        celery.publish()
        assert messages() == 4

    def test_nothing_is_sent_for_jobs_that_do_not_wait(self, celery, messages):
        enqueue(2)
        DBTaskResult.objects.update(status="RUNNING")
        celery.publish()
        assert messages() == 0

    def test_messages_are_limited(self, celery, messages, monkeypatch):
        monkeypatch.setattr(celery, "MAX_MESSAGES", 2)
        enqueue(3)
        celery.publish()
        assert messages() == 2

    def test_messages_that_redis_lost_are_sent_again(self, celery, messages, shared):
        """G6: flushed, or killed and started without its data."""
        enqueue(3)
        celery.publish()
        shared.kill()
        with pytest.raises(ServiceLost):
            celery.publish()
        shared.start()
        celery.publish()
        assert messages() == 3


def test_beat_tells_once_that_redis_is_away(celery, messages, shared, log):
    """G6"""
    scheduler = celery.Scheduler(app=celery.app)
    [entry], producer = scheduler.schedule.values(), scheduler.producer
    shared.kill()
    for _ in range(2):
        scheduler.apply_entry(entry, producer=producer)
    shared.start()
    scheduler.apply_entry(entry, producer=producer)
    assert messages() == 1
    assert [event["service"] for event in log.named("service_lost")] == ["redis"]
    assert [event["failures"] for event in log.named("service_back")] == [2]


def test_celery_without_redis_says_so_in_one_line(settings, monkeypatch):
    settings.REDIS_URL = ""
    monkeypatch.delitem(sys.modules, "learnagent.celery", raising=False)
    with pytest.raises(SystemExit, match="Celery needs REDIS_URL"):
        import_module("learnagent.celery")


@pytest.fixture
def collector():
    with Collector() as collector:
        yield collector


@pytest.fixture
def data(transactional_db, tmp_path, settings, collector):
    """A data folder with one job, which sends a mail and was ordered in a span."""
    if connection.vendor != "sqlite":
        pytest.skip("copies the tests' SQLite file")
    settings.TRACES_ENDPOINT = collector.url
    start_tracing()
    with tracing.span("request", {}):
        send_reset_mails.enqueue([make_ben(email="ben@mail.example").pk])
    stop_tracing()
    with connection.cursor() as cursor:
        cursor.execute("VACUUM INTO %s", [str(tmp_path / "learnagent.sqlite3")])
    return tmp_path


@pytest.fixture
def broker(tmp_path):
    server = redis.Server(tmp_path)
    try:
        server.start()
    except redis.CannotStart as error:
        pytest.skip(f"no Redis here: {error}")
    yield server
    server.kill()


@pytest.fixture
def manager(tmp_path):
    """A service manager's socket, as systemd has one."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.settimeout(PATIENCE_S)
        listening.bind(str(tmp_path / "notify"))
        yield listening


def test_worker_runs_a_job_and_ends_when_it_is_told_to(data, broker, collector, manager):
    environment = os.environ | {
        "LEARNAGENT_DATA": str(data), "DATABASE_URL": "", "REDIS_URL": broker.url, "LLM_PROVIDER": "offline",
        "EMAIL_URL": "", "LOG_LEVEL": "INFO", "LOG_FORMAT": "text", "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url,
        "NOTIFY_SOCKET": manager.getsockname(),
    }  # fmt: skip
    worker = subprocess.Popen(
        [sys.executable, "-m", "celery", "-A", "learnagent", "worker", "--concurrency", "1"],
        cwd=ROOT, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        assert any("job_succeeded" in line and "send_reset_mails" in line for line in worker.stderr)
        assert manager.recv(100) == b"READY=1"
        worker.send_signal(signal.SIGTERM)
        worker.communicate(timeout=PATIENCE_S)
    finally:
        worker.kill()
    assert worker.returncode == 0
    assert len(list((data / "mail").iterdir())) == 1
    with sqlite3.connect(data / "learnagent.sqlite3") as database:
        heartbeats = database.execute("SELECT name FROM agents_periodicwork WHERE name LIKE 'worker %'").fetchall()
    assert heartbeats == []
    [request], [job] = collector.named("request"), collector.named(f"job {send_reset_mails.module_path}")
    assert job.parent_id == request.span_id
