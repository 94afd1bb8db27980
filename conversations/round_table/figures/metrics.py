"""Metrics of round tables: how long rounds take, how many agents fail, how often tools succeed."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from statistics import fmean
from typing import Any

from django.db.models.functions import Now
from prometheus_client.core import Metric

from agents.conf import agent_settings
from agents.usage.metric_families import WINDOW, gauge, latencies
from agents.usage.percentiles import percentiles_of
from conversations.models import Event, Turn
from conversations.round_table.names import PAYLOAD_KEY

MEASURED = ("round_started", "round_finished", "tool_returned")


def collect_table_metrics() -> Iterator[Metric]:
    """Yield the metrics of the round tables that began in the last 5 minutes, or still ran then."""
    earliest = Now() - WINDOW - timedelta(seconds=agent_settings().turn_timeout_s)
    # In two queries: joined, SQLite reads the whole table of events.
    turns = list(
        Turn.objects.filter(created_at__gt=earliest, payload__has_key=PAYLOAD_KEY).values_list("pk", flat=True)
    )
    rows = Event.objects.filter(turn__in=turns, type__in=MEASURED).order_by("turn_id", "seq")
    yield from table_metrics(rows.values_list("body", flat=True))


def table_metrics(events: Any) -> Iterator[Metric]:
    """Yield the metrics of these events, those of each turn in order."""
    began: dict[tuple[str, int], datetime] = {}
    durations: dict[str, list[float]] = defaultdict(list)
    succeeded: list[bool] = []
    for body in events:
        at = datetime.fromisoformat(body["at"])
        match body["type"]:
            case "round_started":
                # A round that a dead process began is measured from its first beginning: so long did people wait.
                began.setdefault((body["turn_id"], body["round"]), at)
            case "round_finished" if since := began.get((body["turn_id"], body["round"])):
                durations[str(body["round"])].append((at - since) / timedelta(milliseconds=1))
            case "tool_returned":
                succeeded.append(body["ok"])
    yield latencies(
        "round_completion_time_ms",
        "Time from the beginning of a round of a round table to its end, in milliseconds, over the last 5 minutes.",
        {number: percentiles_of(each) for number, each in sorted(durations.items())},
        by="round",
    )
    yield gauge(
        "tool_call_success_rate",
        "Share of the tool calls of round tables that succeeded, 0 to 1, over the last 5 minutes.",
        fmean(succeeded) if succeeded else None,
    )
