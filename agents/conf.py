"""The engine's one door to Django's settings: read lazily, checked, as values."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any, get_args

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.signals import setting_changed
from django.dispatch import receiver
from django.utils.module_loading import import_string

from agents.engine.roles import Tier
from agents.engine.speaker import Speaker
from agents.limits import ModelLimits, RunLimits
from agents.llm.base import LLMBackend
from agents.llm.offline import OfflineBackend
from agents.llm.sdk import SDKBackend
from agents.sandbox.bubblewrap import BubblewrapSandbox
from agents.sandbox.monty import MontySandbox
from agents.sandbox.program import Sandbox
from agents.tools.outside_services import OutsideServices

OFFLINE = "offline"
SANDBOXES: Mapping[str, Callable[[], Sandbox]] = {"monty": MontySandbox, "bubblewrap": BubblewrapSandbox}


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
    turns_in_process: int = 200
    """Turns of all people that one process serves at once; the others wait, in order."""
    sockets_at_once: int = 20
    """Open sockets of one person in one process."""
    prompt_messages: int = 20
    """Messages kept in a prompt beside the first."""
    lease_s: float = 15.0
    """How long a turn belongs to a process that no longer says it lives, in seconds."""
    max_attempts: int = 3
    """How many processes may take a turn up before it is given up."""
    flush_s: float = 0.5
    """Longest time that an event shown is not yet stored, in seconds."""
    flush_bytes: int = 1024
    model_limits: ModelLimits = field(default_factory=ModelLimits)
    services: OutsideServices = field(default_factory=OutsideServices)
    """What the tools that go outside ask; none where none is configured."""
    sandbox: str = "monty"
    """Where programs run: one of SANDBOXES; none are run where it is empty."""

    @property
    def limits(self) -> RunLimits:
        return RunLimits(turn_timeout_s=self.turn_timeout_s)


@cache
def agent_settings() -> AgentSettings:
    """Return the settings in force. Raise ImproperlyConfigured for a name that is none of ours."""
    given: Mapping[str, Any] = getattr(settings, "AGENTS", {})
    unknown = given.keys() - {each.name for each in fields(AgentSettings)}
    if unknown:
        raise ImproperlyConfigured(f"AGENTS: unknown option {', '.join(sorted(unknown))}")
    return AgentSettings(**given)


def services() -> OutsideServices:
    """Return the outside services in force."""
    return agent_settings().services


@cache
def sandbox() -> Sandbox | None:
    """Return where programs run, one for the process; None where none are. Raise ImproperlyConfigured for a wrong name."""
    name = agent_settings().sandbox
    if name and name not in SANDBOXES:
        raise ImproperlyConfigured(f"AGENTS: there is no sandbox {name!r}; there are {', '.join(SANDBOXES)}")
    return SANDBOXES[name]() if name else None


@cache
def llm_backends() -> Mapping[str, LLMBackend | Speaker]:
    """Return what stands behind each alias (the tiers, and `offline`), made once per process from `settings.LLMS`.

    A speaker stands there in tests only: it says whole plans by itself.
    """
    return {alias: _backend(alias) for alias in (*get_args(Tier), OFFLINE)}


def sdk_backends() -> list[SDKBackend]:
    """Return each backend that holds connections, for who opens or closes them in an event loop."""
    return [backend for backend in llm_backends().values() if isinstance(backend, SDKBackend)]


def offline_backend() -> OfflineBackend:
    """Return the backend that is always there."""
    backend = llm_backends()[OFFLINE]
    assert isinstance(backend, OfflineBackend)
    return backend


def _backend(alias: str) -> LLMBackend | Speaker:
    if alias == OFFLINE and OFFLINE not in settings.LLMS:
        return OfflineBackend()
    try:
        config = settings.LLMS[alias]
        backend = import_string(config["BACKEND"])(**config.get("OPTIONS", {}))
    except (KeyError, ImportError, TypeError, ValueError) as error:
        raise ImproperlyConfigured(f"LLMS[{alias!r}]: {error}") from error
    if not isinstance(backend, OfflineBackend if alias == OFFLINE else LLMBackend | Speaker):
        raise ImproperlyConfigured(f"LLMS[{alias!r}]: {config['BACKEND']} cannot stand there")
    return backend


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "LLMS"}:
        agent_settings.cache_clear()
        sandbox.cache_clear()
        llm_backends.cache_clear()
