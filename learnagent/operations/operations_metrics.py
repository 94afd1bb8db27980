"""Metrics of what an operator looks after: health, database, disk, Redis, models, worker and jobs."""

from collections.abc import Iterator

from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from prometheus_client.core import Metric

from agents.models import PeriodicWork
from agents.storage.availability import database
from agents.usage.metric_families import counter, gauge, labelled, rate
from conversations.processes import heartbeats
from conversations.processes.identity import PROCESS
from learnagent.backends.redis_operations import operations
from learnagent.backups.record import latest_backup
from learnagent.operations import health
from learnagent.ops.state import connected_breakers


def collect_operations_metrics() -> Iterator[Metric]:
    """Yield the metrics. Ten queries, and at most every five seconds a small write and a question to Redis."""
    checks = health.run_probes()
    yield gauge("healthy", "1 if /health says healthy, else 0.", health.is_healthy(checks))
    yield from _database_metrics(checks["wal_bytes"])
    yield gauge("free_bytes", "Free space on the disk of the data folder, in bytes.", checks["free_bytes"])
    yield from _redis_metrics(checks["redis"])
    yield labelled(
        "circuit_open",
        "1 if this process does not call the model because it failed, else 0.",
        [((*key, PROCESS), breaker.circuit.state != "closed") for key, breaker in connected_breakers().items()],
        labels=("backend", "model", "process"),
    )
    yield from _worker_metrics()
    made_at = latest_backup()
    yield gauge(
        "last_backup_age_seconds",
        "Time since the latest backup was made, in seconds; absent before the first.",
        (timezone.now() - made_at).total_seconds() if made_at else None,
    )


def _database_metrics(wal_bytes: int | None) -> Iterator[Metric]:
    yield gauge(
        "database_write_seconds",
        "Time that a small write took, in seconds, at most 5 s ago.",
        health.write_probe.took_s,
    )
    yield counter(
        "database_errors",
        "Uses of the database that failed in this process because it was locked or away, since it started.",
        database.total,
        process=PROCESS,
    )
    yield gauge("wal_bytes", "Size of SQLite's write-ahead log, in bytes.", wal_bytes)


def _redis_metrics(found: str) -> Iterator[Metric]:
    is_up = {"ok": 1, "gone": 0}.get(found)
    yield gauge("redis_up", "1 if Redis answers, else 0; absent if none is used.", is_up)
    yield rate(
        "redis_operations_per_second",
        "Operations of this process on Redis, per second, over the last minute.",
        operations.recent(),
        process=PROCESS,
    )
    yield counter(
        "redis_operations",
        "Operations of this process on Redis since it started.",
        operations.total,
        process=PROCESS,
    )


def _worker_metrics() -> Iterator[Metric]:
    yield gauge(
        "worker_processes",
        "Workers that have reported in the last minute.",
        len(heartbeats.living_processes("worker")),
    )
    last = heartbeats.last_heartbeat("worker")
    yield gauge(
        "worker_heartbeat_age_seconds",
        "Time since a worker last reported, in seconds; absent if none runs that is not known to have ended.",
        (timezone.now() - last).total_seconds() if last else None,
    )
    yield gauge("waiting_jobs", "Jobs that wait for a worker.", DBTaskResult.objects.ready().count())
    yield gauge(
        "failing_periodic_jobs",
        "Periodic jobs whose latest run failed.",
        PeriodicWork.objects.exclude(error="").count(),
    )
