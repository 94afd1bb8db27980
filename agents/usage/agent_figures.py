"""Figures of agents from recorded calls: how often each one ran, how long it took, how often it failed."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Avg, Count, Max, Q, QuerySet

from agents.models import AgentCall

FAILED: Final = ~Q(ending=AgentCall.Ending.ANSWERED)
"""The condition of a call that ended without an answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentFigures:
    """What an agent's calls add up to."""

    calls: int = 0
    avg_ms: float | None = None
    """Mean duration in milliseconds; None without calls."""
    last_at: datetime | None = None
    """When the latest call was recorded; None without calls."""
    counts: Mapping[str, int] = field(default_factory=dict)
    """Condition → how many of the calls meet it."""

    def share(self, condition: str) -> float:
        """Return the share of the calls that meet the condition, 0–1. There must be calls."""
        return self.counts[condition] / self.calls


def agent_calls(*, since: datetime) -> QuerySet[AgentCall]:
    """Return the calls of the runs recorded since then, over the whole site."""
    return AgentCall.objects.filter(run__created_at__gte=since)


def figures_by_agent(calls: QuerySet[Any], *, at: str, **conditions: Q) -> dict[str, AgentFigures]:
    """Return the figures of each agent that has calls; one query.

    `calls` are rows with the columns `agent` and `ms`; `at` names the column with their time.
    """
    counts = {name: Count("pk", filter=condition) for name, condition in conditions.items()}
    sums = calls.order_by().values("agent").annotate(calls=Count("pk"), avg_ms=Avg("ms"), last_at=Max(at), **counts)
    return {
        row["agent"]: AgentFigures(
            calls=row["calls"],
            avg_ms=row["avg_ms"],
            last_at=row["last_at"],
            counts={name: row[name] for name in conditions},
        )
        for row in sums
    }
