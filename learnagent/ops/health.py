"""The state of connected models and of periodic jobs, for admins."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, get_args

from django.db.models import Count, Max, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from agents.engine.roles import Tier
from agents.models import ModelCall, PeriodicWork
from agents.periodic_work import PeriodicJob, next_due
from agents.runtime.model_chain import breakers_for_tier
from agents.usage.percentiles import Percentiles, percentiles_by
from learnagent.ops.drawing import seconds
from learnagent.ops.state import State, connected_breakers

LOOKED_BACK: Final = timedelta(days=7)
TYPICAL, SLOW = 50, 95


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelHealth:
    """A connected model, or one that was used lately."""

    name: str
    tiers: str
    """What it is used for."""
    state: State
    load: str
    """Calls in progress, of those that its backend may answer at once; empty if it is not connected."""
    calls: int
    failed: int
    answered_at: datetime | None
    """When it last answered; None if not in LOOKED_BACK."""
    failed_at: datetime | None
    typical: str
    slow: str


@dataclass(frozen=True, slots=True, kw_only=True)
class JobHealth:
    """A periodic job."""

    name: str
    state: State
    ran_at: datetime | None
    took: str
    next_at: datetime
    may_run_now: bool


def model_health() -> list[ModelHealth]:
    """Return the connected models and others used lately, by their calls of the last days. Two queries."""
    calls = ModelCall.objects.filter(started_at__gte=timezone.now() - LOOKED_BACK)
    answered, failed = Q(status=ModelCall.Status.ANSWERED), Q(status=ModelCall.Status.FAILED)
    sums = (
        calls.order_by()
        .values("backend", "model")
        .annotate(
            calls=Count("pk"),
            failed=Count("pk", filter=failed),
            answered_at=Max("started_at", filter=answered),
            failed_at=Max("started_at", filter=failed),
        )
    )
    found: dict[tuple[str, str], dict[str, Any]] = {(row["backend"], row["model"]): dict(row) for row in sums}
    times = percentiles_by(calls.filter(answered, ms__isnull=False), by=("backend", "model"), of="ms")
    keys = dict.fromkeys([*connected_breakers(), *sorted(found)])
    return [_model(key, found.get(key, {}), times.get(key, {})) for key in keys]


def job_health(jobs: Iterable[PeriodicJob]) -> Sequence[JobHealth]:
    """Return the periodic jobs with their latest run. One query."""
    now = timezone.now()
    rows = {row.name: row for row in PeriodicWork.objects.all()}
    return [
        _job(job, rows.get(job.name) or PeriodicWork(name=job.name), now)
        for job in sorted(jobs, key=lambda each: each.name)
    ]


def _model(key: tuple[str, str], sums: Mapping[str, Any], times: Percentiles) -> ModelHealth:
    return ModelHealth(
        name=" · ".join(filter(None, key)),
        tiers=", ".join(tier for tier in get_args(Tier) if key in _models_of(tier)),
        state=_model_state(key),
        load=_load(key),
        calls=sums.get("calls", 0),
        failed=sums.get("failed", 0),
        answered_at=sums.get("answered_at"),
        failed_at=sums.get("failed_at"),
        typical=seconds(times.get(TYPICAL)),
        slow=seconds(times.get(SLOW)),
    )


def _models_of(tier: Tier) -> set[tuple[str, str]]:
    return {(each.name, each.model) for each in breakers_for_tier(tier)}


def _load(key: tuple[str, str]) -> str:
    breaker = connected_breakers().get(key)
    if breaker is None:
        return ""
    load = breaker.load
    if load.max_parallel is None:
        return str(load.in_flight)
    return _("%(count)d of %(all)d") % {"count": load.in_flight, "all": load.max_parallel}


def _model_state(key: tuple[str, str]) -> State:
    breaker = connected_breakers().get(key)
    if breaker is None:
        return State(tone="warn", words=_("no longer connected"))
    if breaker.circuit.state != "closed":
        return State(tone="bad", words=_("paused after failures"))
    if not breaker.is_ready():
        return State(tone="warn", words=_("asked us to wait"))
    if breaker.trouble is not None:
        return State(tone="warn", words=_("latest call failed"))
    return State(tone="good", words=_("ready"))


def _job(job: PeriodicJob, row: PeriodicWork, now: datetime) -> JobHealth:
    is_held = row.held_until is not None and row.held_until > now
    if row.error:
        state = State(tone="bad", words=_("failed: %(error)s") % {"error": row.error})
    elif is_held:
        state = State(tone="good", words=_("running"))
    elif row.done_for is None:
        state = State(tone="warn", words=_("waiting for the worker"))
    else:
        state = State(tone="good", words=_("done"))
    return JobHealth(
        name=job.name,
        state=state,
        ran_at=row.ran_at,
        took=seconds(row.ms),
        next_at=row.held_until if row.error and row.held_until else next_due(job, now),
        may_run_now=bool(row.error) or not is_held,
    )
