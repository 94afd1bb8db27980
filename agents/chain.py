"""The chains of models: which are asked for whom, and everything that stands around each of them."""

from collections.abc import Mapping
from functools import cache
from typing import Any, get_args

from django.core.signals import setting_changed
from django.dispatch import receiver

from agents.alerts import alarm
from agents.conf import agent_settings, llm_backends, offline_backend
from agents.llm.aside import Aside
from agents.llm.base import LLMBackend
from agents.llm.breaker import Breaker
from agents.llm.cached import Cached
from agents.llm.fallback import Fallback
from agents.llm.limited import Limited
from agents.llm.recorded import Recorded
from agents.llm.retried import Retried
from agents.llm.structured import Structured
from agents.roles import Tier

IN_TURN: Mapping[Tier, tuple[Tier, ...]] = {"strong": ("strong", "fast"), "fast": ("fast",), "vision": ("vision",)}
"""Whose models answer for a tier, in this order; the offline backend stands behind them all."""


def chain(tier: Tier, *, aside: str = "") -> LLMBackend:
    """Return what answers for a tier. Where no model is connected that is the offline backend itself.

    `aside` names somebody whom nobody waits for: each of them has a circuit of their own at a model, so that one who is
    often late shuts no other out.
    """
    found = _asides(tier, aside) if aside else models(tier)
    if not found:
        return offline_backend()
    limits = agent_settings().model_limits
    return Cached(Fallback(found, offline_backend(), limits), limits)


def models(tier: Tier) -> tuple[Retried, ...]:
    """Return the models that a tier may be answered by, each once, the first choice first."""
    return _models()[tier]


def breakers(tier: Tier) -> tuple[Breaker, ...]:
    """Return the same models' breakers, which know how each of them does."""
    return tuple(model.inner for model in models(tier) if isinstance(model.inner, Breaker))


@cache
def _models() -> Mapping[Tier, tuple[Retried, ...]]:
    """Return every tier's models, made once per process: what fails for one tier is known to the others."""
    made: dict[Any, Retried] = {}
    for alias in get_args(Tier):
        backend = llm_backends()[alias]
        if isinstance(backend, LLMBackend) and backend.name != "offline":
            made.setdefault(_identity(backend), guarded(backend))
    return {
        tier: tuple(dict.fromkeys(made[key] for alias in aliases if (key := _identity(llm_backends()[alias])) in made))
        for tier, aliases in IN_TURN.items()
    }


@cache
def _asides(tier: Tier, who: str) -> tuple[Aside, ...]:
    return tuple(_aside(breaker, who) for breaker in breakers(tier))


@cache
def _aside(breaker: Breaker, who: str) -> Aside:
    """Return somebody's one way aside to a model, whatever the tier."""
    return Aside(breaker, agent_settings().model_limits)


def guarded(adapter: LLMBackend) -> Retried:
    """Wrap an adapter: recorded within the retries, since every attempt is a call of its own, and one without the limits
    would not know why it was cut off.

    The breaker stands within the retries: it counts every attempt, and ends the others' once a model is found gone.
    """
    limits = agent_settings().model_limits
    return Retried(Breaker(Structured(Recorded(Limited(adapter, limits))), limits, alarm=alarm), limits)


def _identity(backend: object) -> tuple[object, ...]:
    """Return what makes two backends the same model: the server, and the model's name there."""
    return tuple(getattr(backend, name, "") for name in ("name", "model", "base_url"))


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "LLMS"}:
        for each in (_models, _asides, _aside):
            each.cache_clear()
