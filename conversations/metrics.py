"""Metrics of conversations: requests (turns), the panel's answers, side agents, and the storages."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from statistics import fmean

from django.db.models import Count, Q
from django.db.models.functions import Now
from django.utils import timezone
from prometheus_client.core import Metric

from agents.conf import agent_settings
from agents.storage.raw_sql import last_generated_key
from agents.usage.agent_figures import agent_calls, figures_by_agent
from agents.usage.metric_families import RATE_WINDOW, WINDOW, counter, counts, gauge, latencies, rate, shares
from agents.usage.percentiles import percentiles_by_agent, percentiles_of
from conversations.models import SELF_REPORT, Analysis, Transition, Turn, TurnStatus
from conversations.panel.roles import synthesis
from conversations.processes.identity import PROCESS
from conversations.round_table.figures.metrics import collect_table_metrics
from conversations.turns.supervisor import supervisor
from conversations.v1_storage.divergence import recent_divergence

FAILED_STATUSES = (TurnStatus.FAILED, TurnStatus.INTERRUPTED)
UNCLASSIFIED = "none"
"""The label of requests that were not classified for the panel, such as those of a lesson."""

EndedTurn = tuple[datetime, datetime, str, str | None, bool | None, float | None]
"""When a turn began and ended, how, its classification, whether it fell back, and its share of passed checks."""


def collect_conversation_metrics() -> Iterator[Metric]:
    """Yield the metrics of requests, of the panel's answers, of side agents, of round tables, of handoffs and of the storages. 14 queries."""
    yield from _request_metrics()
    yield from _answer_metrics(list(_ended_turns()))
    yield from _synthesis_metrics()
    yield from _side_agent_metrics()
    yield from collect_table_metrics()
    yield counts(
        "handoffs",
        "Handoffs by the agent that took over, over the last 5 minutes.",
        _handoffs(),
        by="agent",
    )
    yield gauge(
        "storage_divergence",
        "Exchanges that differ between the stores of v1 and v2, at most a minute ago; 0 if the stores are equal.",
        recent_divergence(),
    )


def _handoffs() -> dict[str, int]:
    rows = Transition.objects.filter(created_at__gt=Now() - WINDOW, strategy="handoff")
    return dict(rows.values_list("to_agent").annotate(count=Count("pk")).order_by("to_agent"))


def _request_metrics() -> Iterator[Metric]:
    yield rate(
        "requests_per_second",
        "Requests accepted per second, over the last minute.",
        Turn.objects.filter(created_at__gt=Now() - RATE_WINDOW).count(),
    )
    yield counter(
        "requests", "Requests that this process has accepted since it started.", supervisor.accepted, process=PROCESS
    )
    yield counter(
        "single_agent_fallbacks",
        "Requests that one agent answered because the panel failed before its first words, since this process started.",
        supervisor.fell_back,
        process=PROCESS,
    )
    yield gauge(
        "concurrent_requests",
        "Requests that were accepted and have not ended, in all processes.",
        Turn.objects.all().unfinished().count(),
    )
    yield gauge(
        "stuck_requests",
        "Requests that have not ended and that no process serves.",
        Turn.objects.all().orphaned().count(),
    )
    yield gauge("running_requests", "Requests that this process serves.", supervisor.running, process=PROCESS)
    yield gauge(
        "queued_requests", "Requests that wait in this process for capacity.", supervisor.waiting, process=PROCESS
    )
    yield counter(
        "leases_taken_over",
        "Requests that this process has taken over from another one, since it started.",
        supervisor.taken_over,
        process=PROCESS,
    )


def _ended_turns() -> Iterator[EndedTurn]:
    # Only the beginning has an index, and a turn lasts no longer than its time limit, unless its process died.
    earliest = Now() - WINDOW - timedelta(seconds=agent_settings().turn_timeout_s)
    ended = Turn.objects.filter(created_at__gt=earliest, finished_at__gt=Now() - WINDOW)
    fields = ("status", "answer__classification", "answer__metadata__fallback", "answer__confidence__synthesis")
    yield from ended.values_list("created_at", "finished_at", *fields)


def _answer_metrics(turns: list[EndedTurn]) -> Iterator[Metric]:
    durations: dict[str, list[float]] = defaultdict(list)
    for began, ended, _status, classification, *_ in turns:
        durations[classification or UNCLASSIFIED].append((ended - began) / timedelta(milliseconds=1))
    yield latencies(
        "request_latency_ms",
        "Time from accepting a request to its end, in milliseconds, over the last 5 minutes.",
        {classification: percentiles_of(each) for classification, each in durations.items()},
        by="classification",
    )
    yield gauge(
        "failure_rate",
        "Share of requests that failed or were interrupted, 0 to 1, over the last 5 minutes.",
        fmean(status in FAILED_STATUSES for _began, _ended, status, *_ in turns) if turns else None,
    )
    fallbacks = [fallback for *_, fallback, _score in turns if fallback is not None]
    yield gauge(
        "fallback_rate",
        "Share of requests whose answer lacks a model's words or an agent's part, 0 to 1, over the last 5 minutes.",
        fmean(fallbacks) if fallbacks else None,
    )
    scores = [score for *_, score in turns if score is not None]
    yield gauge(
        "synthesis_quality_score",
        "Mean share of the automatic checks that the panel's answers passed, 0 to 1, over the last 5 minutes.",
        fmean(scores) if scores else None,
    )


def _synthesis_metrics() -> Iterator[Metric]:
    name = synthesis.ROLE.public_name
    # Of all agents: for the calls of one, SQLite would read all calls there are.
    found = percentiles_by_agent(agent_calls(since=timezone.now() - WINDOW))
    yield latencies(
        "synthesis_latency_ms",
        "Time that the synthesis agent took, in milliseconds, over the last 5 minutes.",
        {name: found.get(name, {})},
        by="agent",
    )


def _side_agent_metrics() -> Iterator[Metric]:
    analyses = Analysis.objects.filter(created_at__gte=timezone.now() - WINDOW).exclude(agent=SELF_REPORT)
    made = analyses.filter(reused=False)
    yield latencies(
        "side_agent_latency_ms",
        "Time that a side agent took for an analysis, in milliseconds, over the last 5 minutes.",
        percentiles_by_agent(made),
        by="agent",
    )
    yield shares(
        "side_agent_rejection_rate",
        "Share of a side agent's analyses for which a model's result was rejected, 0 to 1, over the last 5 minutes.",
        figures_by_agent(made, at="created_at", rejected=Q(status=Analysis.Status.REJECTED)),
        "rejected",
    )
    yield shares(
        "side_agent_reuse_rate",
        "Share of a side agent's analyses that were copied from an identical one, 0 to 1, over the last 5 minutes.",
        figures_by_agent(analyses, at="created_at", reused=Q(reused=True)),
        "reused",
    )
    yield counter(
        "side_agent_analyses",
        "Analyses stored since the site was installed, including what learners say about themselves.",
        last_generated_key(Analysis),
    )
