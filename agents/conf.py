"""The engine's one door to Django's settings: read lazily, checked, as values."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, get_args

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.utils.module_loading import import_string

from agents.limits import Limits
from agents.llm.base import LLMBackend
from agents.roles import Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentSettings:
    """`settings.AGENTS`, with defaults."""

    turn_timeout_s: float = 300.0
    turns_per_minute: int = 30
    """Turns per person; 0 switches the limit off."""
    cards_per_minute: int = 120
    """Answers to cards per person; 0 switches the limit off."""
    turns_at_once: int = 2
    """Unfinished turns of one person, over all sessions."""
    prompt_messages: int = 20
    """Messages kept in a prompt beside the first."""
    lease_s: float = 15.0
    """How long a turn belongs to a process that no longer says it lives, in seconds."""
    max_attempts: int = 3
    """How many processes may take a turn up before it is given up."""
    flush_s: float = 0.5
    """Longest time that an event shown is not yet stored, in seconds."""
    flush_bytes: int = 1024

    @property
    def limits(self) -> Limits:
        return Limits(turn_timeout_s=self.turn_timeout_s)


@cache
def agent_settings() -> AgentSettings:
    """Return the settings in force. Raise ImproperlyConfigured for a name that is none of ours."""
    given: Mapping[str, Any] = getattr(settings, "AGENTS", {})
    unknown = given.keys() - {each.name for each in fields(AgentSettings)}
    if unknown:
        raise ImproperlyConfigured(f"AGENTS: unknown option {', '.join(sorted(unknown))}")
    return AgentSettings(**given)


@cache
def llm_backends() -> Mapping[Tier, LLMBackend]:
    """Return the backend of each tier, made once per process from `settings.LLMS`."""
    return {tier: _backend(tier) for tier in get_args(Tier)}


def _backend(alias: str) -> LLMBackend:
    try:
        config = settings.LLMS[alias]
        backend = import_string(config["BACKEND"])(**config.get("OPTIONS", {}))
    except (KeyError, ImportError, TypeError) as error:
        raise ImproperlyConfigured(f"LLMS[{alias!r}]: {error}") from error
    if not isinstance(backend, LLMBackend):
        raise ImproperlyConfigured(f"LLMS[{alias!r}]: {config['BACKEND']} is no LLMBackend")
    return backend


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "LLMS"}:
        agent_settings.cache_clear()
        llm_backends.cache_clear()
