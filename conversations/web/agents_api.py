"""The v2 API for agents: what each one does, and how it has been doing in the last day."""

from datetime import timedelta
from typing import Any

from django.core.cache import cache
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from ninja import Router

from agents.engine.registry import roles
from agents.rollout.flags import is_enabled
from agents.usage.agent_figures import FAILED, agent_calls, figures_by_agent
from agents.usage.percentiles import percentiles_by_agent
from conversations.models import SELF_REPORT, Analysis
from conversations.timestamps import wire_time
from conversations.turns.agent_states import AgentState, busy_agents
from conversations.web.answers import ResponseSchema
from conversations.web.api import READ_REFUSALS

router = Router(tags=["agents"])

LATELY = timedelta(hours=24)
CACHED_S = 10
"""How long figures are cached, in seconds: those of a busy day take the database a second, and anybody may ask."""
CACHE_KEY = "agent-figures"
P95 = 95


class AgentDescription(ResponseSchema):
    """An agent and its figures for the last 24 hours across the whole site, at most 10 seconds old.

    An invocation is a call recorded when a turn ended, or a side agent's analysis. Nothing else is counted, such as the
    reading of a message by a model, or background jobs.
    """

    name: str
    """Its name in events. A side agent can have the same name as an agent that answers."""
    purpose: str
    tools: list[str]
    """The tools that it may use."""
    timeout_s: float
    enabled: bool
    """Whether it runs for you; false if an admin has turned it off with a feature flag."""
    status: AgentState
    """Across all turns on the site, about half a second ago. `processing`: it is working on one; `waiting`: it was
    chosen for one and has not started; otherwise `idle`."""
    invocations: int = 0
    avg_latency_ms: float | None = None
    """Null if there were no invocations, as are `p95_ms` and `error_rate`."""
    p95_ms: float | None = None
    """95% of the invocations took at most this long."""
    errors: int = 0
    """How many invocations ended without an answer. For a side agent: without a model's answer, when one was asked."""
    error_rate: float | None = None
    """Share of the invocations that count as `errors`, 0–1."""
    last_update: str | None = None
    """When the latest invocation was recorded; null if there was none."""


@router.get(
    "/agents",
    response={200: list[AgentDescription], **READ_REFUSALS},
    operation_id="agents",
    summary="List the agents with their figures for the last 24 hours",
)
def agents(request: HttpRequest) -> list[AgentDescription]:
    """List every agent of this site, in alphabetical order."""
    person = request.auth  # type: ignore[attr-defined]  # Ninja's: the person, as `learnagent.api.ninja_api` found them.
    figures: dict[str, Any] = cache.get_or_set(CACHE_KEY, _figures_by_role, CACHED_S) or {}
    busy = busy_agents()
    return [
        AgentDescription(
            name=role.public_name,
            purpose=str(role.purpose),
            tools=list(role.tools),
            timeout_s=role.timeout_s,
            enabled=not role.flag or is_enabled(role.flag, person),
            status=busy.get(role.public_name, "idle"),
            **figures.get(role.name, {}),
        )
        for role in sorted(roles.values(), key=lambda role: (role.public_name, role.name))
    ]


def _figures_by_role() -> dict[str, dict[str, Any]]:
    """Return the figures by the name of the role: agents that answer, and side agents. Four queries."""
    since = timezone.now() - LATELY
    calls = _figures(agent_calls(since=since), at="run__created_at", failed=FAILED)
    # Calls are recorded under the name in events, analyses under the role's own.
    renamed = {role.public_name: role.name for role in roles.values() if role.known_as}
    analyses = Analysis.objects.filter(created_at__gte=since, reused=False).exclude(agent=SELF_REPORT)
    unanswered = Q(status=Analysis.Status.FAILED)
    beside = _figures(analyses, at="created_at", failed=unanswered)
    return {renamed.get(agent, agent): each for agent, each in calls.items()} | beside


def _figures(calls: QuerySet[Any], *, at: str, failed: Q) -> dict[str, dict[str, Any]]:
    figures = figures_by_agent(calls, at=at, errors=failed)
    percentiles = percentiles_by_agent(calls, percents=(P95,))
    return {
        agent: {
            "invocations": each.calls,
            "avg_latency_ms": each.avg_ms,
            "p95_ms": percentiles.get(agent, {}).get(P95),
            "errors": each.counts["errors"],
            "error_rate": each.share("errors"),
            "last_update": wire_time(each.last_at),
        }
        for agent, each in figures.items()
    }
