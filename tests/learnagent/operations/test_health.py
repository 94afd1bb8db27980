"""`GET /health`: for a machine that asks."""

import asyncio
from datetime import timedelta
from threading import Barrier, Event, Thread

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.db import InterfaceError, OperationalError, connection
from django.utils import timezone

from agents.models import PeriodicWork
from conversations.processes import heartbeats
from learnagent.checks import check_shared_channel_layer
from learnagent.operations import health
from tests.conversations.turn_helpers import begun, orphaned
from tests.sqlite_locks import foreign_write_lock

pytestmark = [pytest.mark.db, pytest.mark.django_db, pytest.mark.usefixtures("host", "worker")]


def forget():
    for probe in (health.write_probe, health.redis_probe):
        probe.forget()


@pytest.fixture
def worker(db):
    """A place whose worker lives."""
    heartbeats.record_heartbeat("worker")


def serve_elsewhere(kind="web", *, ago=timedelta(0)):
    """Be seen as a process of another machine."""
    PeriodicWork.objects.create(name=f"{kind} elsewhere:1:abcdef", done_for=timezone.now() - ago)


def told(client):
    answer = client.get("/health")
    return answer.status_code, answer.json()["status"], answer.json()["checks"]


def test_healthy_place_says_so_without_a_sign_in(client):
    answer = client.get("/health")
    assert (answer.status_code, answer.json()["status"], answer.json()["llm_provider"]) == (200, "healthy", "offline")
    assert answer.json().keys() == {"status", "timestamp", "llm_provider", "checks"}


def test_turn_that_nobody_serves_degrades_it(client, ada):
    orphaned(begun(ada))
    status_code, status, checks = told(client)
    assert (status_code, status, checks["stuck_turns"]) == (200, "degraded", 1)


@pytest.mark.parametrize("lost", [OperationalError, InterfaceError])
def test_place_without_its_database_is_not_there(client, lost):
    def gone(execute, sql, params, many, context):
        raise lost("secret path")

    with connection.execute_wrapper(gone):
        answer = client.get("/health")
    assert (answer.status_code, answer["Retry-After"], answer.json()["status"]) == (503, "5", "degraded")
    assert "secret" not in answer.text


def test_place_whose_database_cannot_be_written_is_not_there(client):
    """G3, G4: whether it is locked, full or read-only."""

    def refuse(execute, sql, params, many, context):
        if sql.lstrip().startswith(("INSERT", "UPDATE")):
            raise OperationalError("database or disk is full")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(refuse):
        status_code, status, checks = told(client)
    assert (status_code, status, checks["database"]) == (503, "degraded", "read-only")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL locks no whole database")
def test_locked_place_says_so_and_recovers(client):
    """G3"""
    with foreign_write_lock():
        assert told(client)[0] == 503
    forget()
    assert told(client)[:2] == (200, "healthy")


@pytest.mark.parametrize("kind", ["worker", "web"])
def test_process_counts_as_living_for_a_minute_of_any_clock(kind):
    heartbeats.remove_heartbeat("worker")
    for ago in (timedelta(minutes=2), timedelta(days=-3)):
        serve_elsewhere(kind, ago=ago)
        assert heartbeats.living_processes(kind) == []
        PeriodicWork.objects.all().delete()
    serve_elsewhere(kind, ago=timedelta(seconds=30))
    assert len(heartbeats.living_processes(kind)) == 1
    heartbeats.record_heartbeat(kind)
    assert len(heartbeats.living_processes(kind)) == 2
    heartbeats.remove_heartbeat(kind)
    assert len(heartbeats.living_processes(kind)) == 1


def test_place_whose_worker_died_is_degraded(client):
    heartbeats.remove_heartbeat("worker")
    status_code, status, checks = told(client)
    assert (status_code, status, checks["worker"]) == (200, "degraded", "silent")


def test_place_short_of_disk_is_degraded(client, monkeypatch):
    monkeypatch.setattr(health, "MIN_FREE_BYTES", 10**18)
    assert told(client)[:2] == (200, "degraded")


def test_two_web_processes_without_redis_are_told_everywhere(client, capsys):
    heartbeats.record_heartbeat("web")
    assert told(client)[1] == "healthy"
    assert check_shared_channel_layer(databases=["default"]) == []
    serve_elsewhere()
    status_code, status, checks = told(client)
    assert (status_code, status, checks["web_processes"]) == (200, "degraded", 2)
    assert [warning.id for warning in check_shared_channel_layer(databases=["default"])] == ["learnagent.W002"]
    call_command("check", databases=["default"])
    assert "set REDIS_URL" in capsys.readouterr().err.replace("Set", "set")


@pytest.mark.django_db(transaction=True)
async def test_server_logs_once_that_another_serves(log, monkeypatch):
    monkeypatch.setattr(heartbeats, "HEARTBEAT_EVERY_S", 0)
    task = asyncio.create_task(heartbeats.beat_forever())
    async with asyncio.timeout(30):
        while not await PeriodicWork.objects.filter(name__startswith="web ").aexists():  # noqa: ASYNC110  # Nobody tells.
            await asyncio.sleep(0)
        await sync_to_async(serve_elsewhere)(ago=timedelta(seconds=-1))
        while not log.lines:  # noqa: ASYNC110  # As above.
            await asyncio.sleep(0)
    task.cancel()
    [event] = log.named("redis_missing")
    assert event["other_web_processes"] == 1


def test_place_whose_redis_is_gone_is_degraded(client, shared):
    assert told(client)[2]["redis"] == "ok"
    shared.kill()
    forget()
    status_code, status, checks = told(client)
    assert (status_code, status, checks["redis"]) == (200, "degraded", "gone")


def test_write_is_tried_by_one_at_a_time_and_told_again():
    """Whoever asks while things are bad costs nothing more."""
    asked, go_on, all_there = [], Event(), Barrier(4)

    def slow():
        asked.append(True)
        go_on.wait(10)
        return "ok"

    probe, answers = health.Probe(slow), []

    def ask():
        all_there.wait(10)
        answers.append(probe.answer())

    threads = [Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    go_on.set()
    for thread in threads:
        thread.join(10)
    assert (answers, asked) == (["ok"] * 4, [True])


def test_is_asked_anew_each_time(client):
    assert "no-store" in client.get("/health")["Cache-Control"]


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_only_tells(client, method):
    assert getattr(client, method)("/health").status_code == 405
