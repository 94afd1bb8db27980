"""Live figures: what turns, agents and models did in a period. Every figure comes from stored rows."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.core.cache import cache
from django.db.models import Count, F, FloatField, Q, QuerySet, Sum
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from agents.models import AgentCall, Alert, ModelCall
from agents.usage.agent_figures import agent_calls, figures_by_agent
from agents.usage.budgets import budget_of
from agents.usage.percentiles import Percentiles, percentiles_by
from agents.usage.saving import is_saving
from conversations.models import Turn, TurnStatus
from learnagent.ops.periods import Period

NOW: Final = timedelta(minutes=5)
"""The time that counts as now."""
LAST_HOUR: Final = timedelta(hours=1)
CACHED_S: Final = 5
CACHED_TIMES: Final = 20
IS_FAILED: Final = Count("pk", filter=Q(status__in=(TurnStatus.FAILED, TurnStatus.INTERRUPTED)))
TYPICAL, SLOW = 50, 95
"""Percentiles: the typical one, and that of the slowest 5 of 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFigures:
    """What one model, or the built-in text, did."""

    backend: str
    model: str
    calls: int
    typical_ms: float | None
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentRow:
    """What one agent did in the last hour."""

    name: str
    calls: int
    typical_ms: float | None
    timed_out: int
    usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFigures:
    """All figures of the page."""

    people: int
    recent_turns: int
    """Turns that began in the last NOW."""
    recent_failures: int
    running: int
    waiting: int
    turns: Mapping[int, int]
    """Step → turns that began in it."""
    failed: Mapping[int, int]
    first_word: Mapping[int, Percentiles]
    """Step → milliseconds to the first word."""
    typical_ms: float | None
    costs: Mapping[tuple[int, str], float]
    """Step and model → US dollars."""
    budget_usd: float | None
    is_saving: bool
    alerts: Sequence[Alert]
    """Alerts of the period, the latest first."""
    sources: Sequence[SourceFigures]
    agents: Sequence[AgentRow]


def live_figures(period: Period) -> LiveFigures:
    """Return the figures as of at most CACHED_S ago, or CACHED_TIMES as long as it takes to compute them."""
    key = f"ops-{period.days}-{period.since.timestamp():.0f}"
    found: LiveFigures | None = cache.get(key)
    if found is None:
        began = time.monotonic()
        found = compute_figures(period)
        # Open pages would otherwise keep the database of a large site busy.
        cache.set(key, found, max(CACHED_S, CACHED_TIMES * (time.monotonic() - began)))
    return found


def compute_figures(period: Period) -> LiveFigures:
    """Return the figures of now. 16 queries."""
    recent = Turn.objects.filter(created_at__gt=period.now - NOW)
    now = recent.aggregate(turns=Count("pk"), people=Count("owner", distinct=True), failed=IS_FAILED)
    states = dict(Turn.objects.all().unfinished().order_by().values_list("status").annotate(Count("pk")))
    turns, failed = _turns_by_step(period)
    words = _first_words(period)
    return LiveFigures(
        people=now["people"],
        recent_turns=now["turns"],
        recent_failures=now["failed"],
        running=states.get(TurnStatus.RUNNING, 0),
        waiting=states.get(TurnStatus.QUEUED, 0),
        turns=turns,
        failed=failed,
        first_word={key[0]: found for key, found in percentiles_by(words, by=("step",), of="first_ms").items()},
        typical_ms=percentiles_by(words, by=(), of="first_ms").get((), {}).get(TYPICAL),
        costs=_costs(period),
        budget_usd=_site_budget(),
        is_saving=is_saving(("site",)),
        alerts=list(
            Alert.objects.filter(Q(settled_at=None) | Q(settled_at__gte=period.since)).order_by("-first_at")[:20]
        ),
        sources=_sources(period),
        agents=_agents(period),
    )


def _turns_by_step(period: Period) -> tuple[dict[int, int], dict[int, int]]:
    """Return the turns of each step, and those of them that failed."""
    rows = list(
        Turn.objects.filter(created_at__gte=period.since)
        .order_by()
        .values(step=period.step_of("created_at"))
        .annotate(count=Count("pk"), failed=IS_FAILED)
    )
    return {row["step"]: row["count"] for row in rows}, {row["step"]: row["failed"] for row in rows}


def _first_words(period: Period) -> QuerySet[Any]:
    """Return the turns of the period with their step and the milliseconds to their first word."""
    metadata = KeyTextTransform("first_word_ms", KeyTextTransform("metadata", "answer"))
    turns = Turn.objects.filter(created_at__gte=period.since, answer__metadata__has_key="first_word_ms")
    return turns.annotate(step=period.step_of("created_at"), first_ms=Cast(metadata, FloatField()))


def _costs(period: Period) -> dict[tuple[int, str], float]:
    rows = (
        ModelCall.objects.filter(started_at__gte=period.since, cost_usd__gt=0)
        .order_by()
        .values_list(period.step_of("started_at"), "model")
        .annotate(Sum("cost_usd"))
    )
    return {(step, model): usd for step, model, usd in rows}


def _site_budget() -> float | None:
    limit = budget_of("site").usd_per_day
    return float(limit) if limit else None


def _sources(period: Period) -> list[SourceFigures]:
    """Return the models and the built-in text, by how often they answered."""
    calls = agent_calls(since=period.since).exclude(backend="")
    counts = calls.order_by().values_list("backend", "model").annotate(Count("pk"))
    typical = percentiles_by(calls, by=("backend", "model"), of="ms", percents=(TYPICAL,))
    asked = ModelCall.objects.filter(started_at__gte=period.since, status=ModelCall.Status.FAILED)
    failures = asked.order_by().values_list("backend", "model").annotate(Count("pk"))
    failed = {(backend, model): count for backend, model, count in failures}
    found = {(backend, model): count for backend, model, count in counts}
    return [
        SourceFigures(
            backend=key[0],
            model=key[1],
            calls=found.get(key, 0),
            typical_ms=typical.get(key, {}).get(TYPICAL),
            failed=failed.get(key, 0),
        )
        for key in sorted({*found, *failed}, key=lambda each: -found.get(each, 0))
    ]


def _agents(period: Period) -> list[AgentRow]:
    calls = agent_calls(since=period.now - LAST_HOUR)
    timed_out = Q(ending=AgentCall.Ending.TIMED_OUT)
    figures = figures_by_agent(calls, at="run__created_at", timed_out=timed_out)
    typical = percentiles_by(calls, by=("agent",), of="ms", percents=(TYPICAL,))
    costs = dict(calls.order_by().values_list("agent").annotate(Sum(F("cost_usd"))))
    return [
        AgentRow(
            name=name,
            calls=each.calls,
            typical_ms=typical.get((name,), {}).get(TYPICAL),
            timed_out=each.counts["timed_out"],
            usd=costs.get(name) or 0.0,
        )
        for name, each in sorted(figures.items(), key=lambda pair: -pair[1].calls)
    ]
