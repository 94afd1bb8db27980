"""The chains of models: which are asked for whom, and everything that stands around each of them."""

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
"""Whose models answer for a tier, in this order; the offline backend stands behind them all."""


def model_chain_for(tier: Tier, *, aside: str = "") -> LLMBackend:
    """Return what answers for a tier. Where no model is connected that is the offline backend itself.

    `aside` names somebody whom nobody waits for: each of them has a circuit of their own at a model, so that one who is
    often late shuts no other out.
    """
    found = _background_models(tier, aside) if aside else models_for_tier(tier)
    if not found:
        return offline_backend()
    limits = agent_settings().model_limits
    return CachingBackend(FallbackBackend(found, offline_backend(), limits), limits)


def models_for_tier(tier: Tier) -> tuple[RetryingBackend, ...]:
    """Return the models that a tier may be answered by, each once, the first choice first."""
    return _models()[tier]


def breakers_for_tier(tier: Tier) -> tuple[CircuitBreaker, ...]:
    """Return the same models' breakers, which know how each of them does."""
    return tuple(model.inner for model in models_for_tier(tier) if isinstance(model.inner, CircuitBreaker))


@cache
def _models() -> Mapping[Tier, tuple[RetryingBackend, ...]]:
    """Return every tier's models, made once per process: what fails for one tier is known to the others."""
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
    """Return somebody's one way aside to a model, whatever the tier."""
    return BackgroundBackend(breaker, agent_settings().model_limits)


def wrap_adapter(adapter: LLMBackend) -> RetryingBackend:
    """Wrap an adapter: recorded within the retries, since every attempt is a call of its own, and one without the limits
    would not know why it was cut off.

    The breaker stands within the retries: it counts every attempt, and ends the others' once a model is found gone.
    """
    limits = agent_settings().model_limits
    return RetryingBackend(
        CircuitBreaker(
            StructuredBackend(RecordingBackend(TimeLimitBackend(adapter, limits))), limits, alarm=alert_writer
        ),
        limits,
    )


def _identity(backend: object) -> tuple[object, ...]:
    """Return what makes two backends the same model: the server, and the model's name there."""
    return tuple(getattr(backend, name, "") for name in ("name", "model", "base_url"))


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "LLMS"}:
        for each in (_models, _background_models, _background_model):
            each.cache_clear()
