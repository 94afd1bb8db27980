"""Metrics of the engine. They come from recorded runs and model calls, so every process reports the same."""

from collections.abc import Iterator

from django.db.models import Count, Q
from django.utils import timezone
from prometheus_client.core import Metric

from agents.models import AgentCall, ModelCall
from agents.runtime.routing_records import agents_used
from agents.storage.raw_sql import last_generated_key
from agents.usage.agent_figures import FAILED, agent_calls, figures_by_agent
from agents.usage.metric_families import RATE_WINDOW, WINDOW, counter, counts, gauge, latencies, rate, shares
from agents.usage.percentiles import percentiles_by_agent


def collect_engine_metrics() -> Iterator[Metric]:
    """Yield the metrics of agents, runs and model calls. Eight queries."""
    yield from _agent_metrics()
    yield from _run_metrics()
    yield from _rate_metrics()
    yield counts(
        "routed_messages",
        "Messages that an agent of the companion got, by agent, over the last 5 minutes.",
        agents_used(since=WINDOW),
        by="agent",
    )


def _agent_metrics() -> Iterator[Metric]:
    calls = agent_calls(since=timezone.now() - WINDOW)
    timed_out = Q(ending=AgentCall.Ending.TIMED_OUT)
    figures = figures_by_agent(calls, at="run__created_at", errors=FAILED, timeouts=timed_out)
    yield latencies(
        "agent_latency_ms_by_agent",
        "Time that an agent took, in milliseconds, over the last 5 minutes.",
        percentiles_by_agent(calls),
        by="agent",
    )
    yield shares(
        "error_rate_by_agent",
        "Share of an agent's calls that ended without an answer, 0 to 1, over the last 5 minutes.",
        figures,
        "errors",
    )
    yield shares(
        "timeout_rate_by_agent",
        "Share of an agent's calls that exceeded its time limit, 0 to 1, over the last 5 minutes.",
        figures,
        "timeouts",
    )


def _run_metrics() -> Iterator[Metric]:
    # A run's calls are numbered from 1. To group the calls by run, SQLite would read all runs there are.
    first, second = (Count("pk", filter=Q(number=number)) for number in (1, 2))
    sums = agent_calls(since=timezone.now() - WINDOW).aggregate(calls=Count("pk"), runs=first, several=second)
    yield gauge(
        "multi_agent_percentage",
        "Percentage of requests for which more than one agent ran, 0 to 100, over the last 5 minutes.",
        100 * sums["several"] / sums["runs"] if sums["runs"] else None,
    )
    yield gauge(
        "average_agents_per_request",
        "Mean number of agents that ran for a request, over the last 5 minutes.",
        sums["calls"] / sums["runs"] if sums["runs"] else None,
    )


def _rate_metrics() -> Iterator[Metric]:
    since = timezone.now() - RATE_WINDOW
    yield rate(
        "agents_invoked_per_second",
        "Agents that ran for requests that have ended, per second, over the last minute.",
        agent_calls(since=since).count(),
    )
    yield counter(
        "agents_invoked",
        "Agents that ran for requests that have ended, since the site was installed.",
        last_generated_key(AgentCall),
    )
    yield rate(
        "api_calls_per_second",
        "Calls to providers of language models, per second, over the last minute.",
        ModelCall.objects.filter(started_at__gte=since).count(),
    )
    yield counter(
        "api_calls",
        "Calls to providers of language models, since the site was installed.",
        last_generated_key(ModelCall),
    )
