"""`GET /metrics`: what Prometheus is told, and whom it is told to."""

import re

import pytest
from django.db import OperationalError, connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from agents.models import PeriodicWork
from agents.rollout.flags import mode_of
from agents.rollout.known_flags import STORAGE as V2_STORAGE
from agents.storage.availability import database
from conversations.models import Turn
from conversations.processes import heartbeats
from conversations.processes.identity import PROCESS
from conversations.turns.supervisor import supervisor
from learnagent.accounts.authentication.api_tokens import make_token
from learnagent.accounts.personal_data.copies import make_copy
from learnagent.configuration.environment import ROOT
from learnagent.operations import health
from learnagent.ops.state import connected_breakers
from tests.conversations.turn_helpers import begun, orphaned

pytestmark = [pytest.mark.db, pytest.mark.django_db]

MONITORED = {
    "request_latency_ms", "agent_latency_ms_by_agent", "synthesis_latency_ms",
    "requests_per_second", "agents_invoked_per_second",
    "error_rate_by_agent", "timeout_rate_by_agent", "fallback_rate",
    "concurrent_requests", "redis_operations_per_second", "api_calls_per_second",
    "multi_agent_percentage", "average_agents_per_request", "synthesis_quality_score",
}  # fmt: skip
"""The design's list of what is to be monitored."""
COUNTERS = {
    "requests_total", "agents_invoked_total", "api_calls_total", "redis_operations_total", "side_agent_analyses_total",
    "single_agent_fallbacks_total", "leases_taken_over_total", "database_errors_total",
}  # fmt: skip
OPERATIONS = {
    "healthy", "failure_rate", "stuck_requests", "running_requests", "queued_requests", "circuit_open",
    "database_write_seconds", "wal_bytes", "free_bytes", "redis_up", "worker_processes", "worker_heartbeat_age_seconds",
    "waiting_jobs", "failing_periodic_jobs", "last_backup_age_seconds",
}  # fmt: skip
"""What alert rules need besides."""
STORAGE = {"storage_divergence"}
COMPANION = {"routed_messages", "handoffs"}
ROUND_TABLES = {"round_completion_time_ms", "tool_call_success_rate"}
SIDE_AGENTS = {"side_agent_latency_ms", "side_agent_rejection_rate", "side_agent_reuse_rate"}


@pytest.fixture
def scrape(client, root):
    """Return a function that reads the metrics with an admin's token."""
    headers = {"Authorization": f"Bearer {make_token(root)}"}
    return lambda: client.get("/metrics", headers=headers)


def test_names_are_those_of_the_list_and_few_more(scrape):
    told = dict(re.findall(r"^# TYPE learnagent_(\S+) (\S+)$", scrape().text, re.MULTILINE))
    assert told.keys() == MONITORED | COUNTERS | OPERATIONS | SIDE_AGENTS | STORAGE | ROUND_TABLES | COMPANION
    assert {name for name, kind in told.items() if kind == "counter"} == COUNTERS
    assert {kind for name, kind in told.items() if name not in COUNTERS} == {"gauge"}


def test_operators_guide_lists_them(scrape):
    page = (ROOT / "docs" / "operations.md").read_text()
    names = re.findall(r"^# TYPE learnagent_(\S+) ", scrape().text, re.MULTILINE)
    assert [name for name in names if f"`{name}`" not in page] == []


def test_answer_is_text_for_prometheus(scrape):
    response = scrape()
    assert (response.status_code, response["Content-Type"]) == (200, "text/plain; version=0.0.4; charset=utf-8")
    assert "no-store" in response["Cache-Control"]
    assert "learnagent_concurrent_requests 0.0" in response.text.splitlines()


def test_process_names_what_only_it_knows(scrape):
    own = re.findall(r'^learnagent_(\S+)\{process="(\S+)"\}', scrape().text, re.MULTILINE)
    assert {name for name, _process in own} == {
        "requests_total", "single_agent_fallbacks_total", "redis_operations_total", "redis_operations_per_second",
        "running_requests", "queued_requests", "leases_taken_over_total", "database_errors_total",
    }  # fmt: skip
    assert {process for _name, process in own} == {PROCESS}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the plan is SQLite's")
def test_no_table_is_read_whole(scrape):
    """Its cost must not grow with the site, as the number of flags does not."""
    mode_of(V2_STORAGE)  # All flags are read at once, and kept.
    with CaptureQueriesContext(connection) as queries:
        scrape()
    for query in queries.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}")
            steps = [row[3] for row in cursor.fetchall()]
        whole = [step for step in steps if step.startswith(("SCAN agents_", "SCAN conversations_"))]
        # It has one row for each kind of job, and for each process of the last day.
        assert {*whole} <= {"SCAN agents_periodicwork"}, query["sql"]


def test_requests_begun_here_are_counted(scrape, monkeypatch):
    monkeypatch.setattr(supervisor, "accepted", 7)
    assert f'learnagent_requests_total{{process="{PROCESS}"}} 7.0' in scrape().text


def test_nobody_is_asked_to_sign_in(client):
    response = client.get("/metrics")
    assert (response.status_code, response["WWW-Authenticate"]) == (401, 'Bearer realm="learnagent"')
    assert response.json()["error"]["code"] == "unauthenticated"


@pytest.mark.parametrize("scopes", [["read"], ["read", "converse"]])
def test_admins_token_without_the_scope_finds_nothing(client, root, scopes):
    headers = {"Authorization": f"Bearer {make_token(root, scopes=scopes)}"}
    assert client.get("/metrics", headers=headers).status_code == 404


def test_teachers_token_finds_nothing(client, grace):
    headers = {"Authorization": f"Bearer {make_token(grace)}"}
    response = client.get("/metrics", headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (404, "not_found")


@pytest.mark.parametrize("method", ["post", "put", "delete"])
def test_only_tells(client, root, method):
    headers = {"Authorization": f"Bearer {make_token(root)}"}
    assert getattr(client, method)("/metrics", headers=headers).status_code == 405


def figure(scrape, name):
    found = re.findall(rf"^learnagent_{name}(?:{{.*}})? (\S+)$", scrape().text, re.MULTILINE)
    return [float(value) for value in found]


def test_what_is_wrong_shows(scrape, ada, monkeypatch):
    assert figure(scrape, "healthy") == [0]  # No worker runs.
    assert figure(scrape, "worker_processes") == [0]
    assert figure(scrape, "worker_heartbeat_age_seconds") == []
    assert figure(scrape, "database_write_seconds") > [0]
    heartbeats.record_heartbeat("worker")
    assert figure(scrape, "healthy") == figure(scrape, "worker_processes") == [1]
    assert 0 <= figure(scrape, "worker_heartbeat_age_seconds")[0] < 60
    orphaned(begun(ada))
    assert (figure(scrape, "stuck_requests"), figure(scrape, "healthy")) == ([1], [0])
    PeriodicWork.objects.create(name="sweep", error="ValueError")
    assert figure(scrape, "failing_periodic_jobs") == [1]
    errors = figure(scrape, "database_errors_total")
    database.failed(OperationalError("database is locked"))
    assert figure(scrape, "database_errors_total") == [errors[0] + 1]


def test_share_of_failed_turns(scrape, ada):
    assert figure(scrape, "failure_rate") == []
    for number, status in enumerate(("done", "failed", "interrupted", "degraded")):
        turn = begun(ada, key=f"s{number}")
        Turn.objects.filter(pk=turn.pk).update(status=status, finished_at=Now(), lease_until=None)
    assert figure(scrape, "failure_rate") == [0.5]


def test_job_that_waits_is_counted(scrape):
    assert figure(scrape, "waiting_jobs") == [0]
    make_copy.enqueue("0")
    assert figure(scrape, "waiting_jobs") == [1]


def test_redis_that_is_away_shows(scrape, shared):
    """G6"""
    assert figure(scrape, "redis_up") == [1]
    shared.kill()
    health.redis_probe.forget()
    assert figure(scrape, "redis_up") == [0]


def test_model_that_is_paused_shows(scrape, settings):
    backend = {"BACKEND": "agents.llm.openai.OpenAIBackend", "OPTIONS": {"model": "m", "api_key": "k", "base_url": ""}}
    settings.LLMS = settings.LLMS | {"strong": backend}
    [breaker] = connected_breakers().values()
    assert f'learnagent_circuit_open{{backend="openai",model="m",process="{PROCESS}"}} 0.0' in scrape().text
    breaker.circuit.settle("call", "barred")
    assert figure(scrape, "circuit_open") == [1]
