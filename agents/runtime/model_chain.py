"""Model chains: which models answer a tier, and the wrappers around each of them."""

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from django.core.signals import setting_changed
from django.dispatch import receiver

from agents.conf import agent_settings, llm_backends, offline_backend
from agents.engine.roles import Tier
from agents.llm.base import LLMBackend
from agents.llm.wrappers.background import BackgroundBackend
from agents.llm.wrappers.cache import CachingBackend
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.llm.wrappers.fallback import FallbackBackend
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


def model_chain_for(tier: Tier, *, aside: str = "") -> LLMBackend:
    """Return the backend for a tier: the offline backend itself if no model is connected.

    `aside` names a background caller. Each has its own circuit per model, so that one that is often late does not block
    the others.
    """
    found = _background_models(tier, aside) if aside else models_for_tier(tier)
    if not found:
        return offline_backend()
    limits = agent_settings().model_limits
    return CachingBackend(FallbackBackend(found, offline_backend(), limits), limits)


def models_for_tier(tier: Tier) -> tuple[RetryingBackend, ...]:
    """Return the models that may answer for a tier, each once, first choice first."""
    return _models()[tier]


def breakers_for_tier(tier: Tier) -> tuple[CircuitBreaker, ...]:
    """Return the circuit breakers of these models, which know whether each of them works."""
    return tuple(model.inner for model in models_for_tier(tier) if isinstance(model.inner, CircuitBreaker))


@cache
def _models() -> Mapping[Tier, tuple[RetryingBackend, ...]]:
    """Return every tier's models, created once per process, so that tiers share what they learn about failures."""
    made: dict[Any, RetryingBackend] = {}
    for alias in get_args(Tier):
        backend = llm_backends()[alias]
        if isinstance(backend, LLMBackend) and backend.name != "offline":
            made.setdefault(_identity(backend), wrap_adapter(backend))
    return {
        tier: tuple(dict.fromkeys(made[key] for alias in aliases if (key := _identity(llm_backends()[alias])) in made))
        for tier, aliases in TIER_FALLBACKS.items()
    }


@cache
def _background_models(tier: Tier, who: str) -> tuple[BackgroundBackend, ...]:
    return tuple(_background_model(breaker, who) for breaker in breakers_for_tier(tier))


@cache
def _background_model(breaker: CircuitBreaker, who: str) -> BackgroundBackend:
    """Return a background caller's backend for a model, shared by all tiers."""
    return BackgroundBackend(breaker, agent_settings().model_limits)


def wrap_adapter(adapter: LLMBackend) -> RetryingBackend:
    """Wrap an adapter. Recording is inside the retries, because every attempt is a call of its own, and outside the
    limits, because it has to know why an attempt was cut off.

    The breaker is inside the retries: it counts every attempt, and stops the others once a model is known to be down.
    """
    limits = agent_settings().model_limits
    return RetryingBackend(
        CircuitBreaker(
            StructuredBackend(RecordingBackend(TimeLimitBackend(adapter, limits))), limits, alarm=alert_writer
        ),
        limits,
    )


def _identity(backend: object) -> tuple[object, ...]:
    """Return what identifies a model: its server, and its name there."""
    return tuple(getattr(backend, name, "") for name in ("name", "model", "base_url"))


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "LLMS"}:
        for each in (_models, _background_models, _background_model):
            each.cache_clear()
