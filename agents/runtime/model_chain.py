"""Model chains: which models answer a tier, and the wrappers around each of them."""

from collections.abc import Mapping
from functools import cache
from typing import get_args

from django.core.signals import setting_changed
from django.dispatch import receiver

from agents.conf import agent_settings, llm_backends, offline_backend
from agents.engine.roles import Tier
from agents.llm.base import LLMBackend
from agents.llm.wrappers.backend_load import BackendLoad
from agents.llm.wrappers.background import BackgroundBackend
from agents.llm.wrappers.cache import CachingBackend
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.llm.wrappers.fallback import FallbackBackend
from agents.llm.wrappers.load_balancing import LoadBalancer
from agents.llm.wrappers.recording import RecordingBackend
from agents.llm.wrappers.retry import RetryingBackend
from agents.llm.wrappers.structured_output import StructuredBackend
from agents.llm.wrappers.time_limits import TimeLimitBackend
from agents.usage.alerts import alert_writer

TIER_FALLBACKS: Mapping[Tier, tuple[Tier, ...]] = {
    "strong": ("strong", "fast"),
    "fast": ("fast",),
    "vision": ("vision",),
}
"""Tiers whose models answer for a tier, in this order; the offline backend comes last."""
Group = tuple[CircuitBreaker, ...]
"""The backends that share the calls to an alias."""


def model_chain_for(tier: Tier, *, aside: str = "", inside_only: bool = False) -> LLMBackend:
    """Return the backend for a tier: the offline backend itself if no model is connected.

    `aside` names a background caller. Each has its own circuit per model, so that one that is often late does not block
    the others. `inside_only`: without the models that get a person's words outside this site.
    """
    groups = _groups(tier, inside_only)
    if not groups:
        return offline_backend()
    models = [_background_model(group, aside) if aside else _model(group) for group in groups]
    limits = agent_settings().model_limits
    return CachingBackend(FallbackBackend(models, offline_backend(), limits), limits)


def models_for_tier(tier: Tier, *, inside_only: bool = False) -> tuple[RetryingBackend, ...]:
    """Return the models that may answer for a tier, each once, first choice first. Backends that share calls are one."""
    return tuple(_model(group) for group in _groups(tier, inside_only))


def breakers_for_tier(tier: Tier, *, inside_only: bool = False) -> Group:
    """Return the circuit breakers of all backends of a tier, which know whether each of them works."""
    return tuple(breaker for group in _groups(tier, inside_only) for breaker in group)


@cache
def _groups(tier: Tier, inside_only: bool) -> tuple[Group, ...]:
    """Return the backends that may answer for a tier, each once, first choice first."""
    left = {key: each for key, each in _breakers().items() if not (inside_only and each.calls_outside)}
    groups = []
    for alias in TIER_FALLBACKS[tier]:
        keys = dict.fromkeys(_identity(backend) for backend in llm_backends()[alias])
        groups.append(tuple(left.pop(key) for key in keys if key in left))
    return tuple(filter(None, groups))


@cache
def _breakers() -> Mapping[tuple[object, ...], CircuitBreaker]:
    """Return every model by its identity, created once per process, so that tiers share what they learn about failures."""
    made: dict[tuple[object, ...], CircuitBreaker] = {}
    loads: dict[str, BackendLoad] = {}
    for alias in get_args(Tier):
        for backend in llm_backends()[alias]:
            if isinstance(backend, LLMBackend) and backend.name != "offline" and _identity(backend) not in made:
                load = loads.setdefault(backend.name, BackendLoad(backend.max_parallel))
                made[_identity(backend)] = wrap_adapter(backend, load)
    return made


@cache
def _model(group: Group) -> RetryingBackend:
    limits = agent_settings().model_limits
    return RetryingBackend(LoadBalancer(group, limits), limits)


@cache
def _background_model(group: Group, who: str) -> LoadBalancer:
    members = [_background_backend(breaker, who) for breaker in group]
    return LoadBalancer(members, agent_settings().model_limits, is_background=True)


@cache
def _background_backend(breaker: CircuitBreaker, who: str) -> BackgroundBackend:
    """Return a background caller's backend for a model, shared by all tiers."""
    return BackgroundBackend(breaker, agent_settings().model_limits)


def wrap_adapter(adapter: LLMBackend, load: BackendLoad | None = None) -> CircuitBreaker:
    """Wrap an adapter. Recording is inside the retries, because every attempt is a call of its own, and outside the
    limits, because it has to know why an attempt was cut off.

    The breaker is inside the retries: it counts every attempt, and stops the others once a model is known to be down.
    """
    limits = agent_settings().model_limits
    recorded = StructuredBackend(RecordingBackend(TimeLimitBackend(adapter, limits)))
    return CircuitBreaker(recorded, limits, load=load, alarm=alert_writer)


def _identity(backend: object) -> tuple[object, ...]:
    """Return what identifies a model: its server, and its name there."""
    return tuple(getattr(backend, name, "") for name in ("name", "model", "base_url"))


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "LLMS"}:
        for each in (_groups, _breakers, _model, _background_model, _background_backend):
            each.cache_clear()
