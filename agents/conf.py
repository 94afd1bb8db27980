"""The engine's settings, read from Django's settings when first used and validated."""

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
from agents.tools.salesforce import SalesforceAccount

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
    panels_per_minute: int = 5
    """Turns per person that several agents answer together; 0 switches the limit off."""
    table_rounds: int = 10
    """The most rounds in which the agents of a round table speak."""
    saving_percent: int = 80
    """Share of a daily budget in percent from which turns go on with fewer agents and the smaller model."""
    turns_at_once: int = 2
    """Unfinished turns one person may have, over all conversations."""
    turns_in_process: int = 200
    """Turns that one process serves at once, over all people; the others wait in order."""
    turns_waiting: int = 200
    """Turns that may wait in one process; further messages are refused. As many as are served at once: so the last in
    line waits about as long as a turn takes."""
    sockets_at_once: int = 20
    """Open sockets of one person in one process."""
    prompt_messages: int = 20
    """Messages kept in a prompt besides the first."""
    state_life_s: float = 24 * 3600.0
    """How long the state of an agent in a conversation is kept in the cache; it can be made anew."""
    lease_s: float = 15.0
    """How long a process keeps a turn after its last heartbeat, in seconds."""
    max_attempts: int = 3
    """How many processes may try a turn before it is given up."""
    flush_s: float = 0.5
    """Longest time before a shown event is stored, in seconds."""
    flush_bytes: int = 1024
    model_limits: ModelLimits = field(default_factory=ModelLimits)
    services: OutsideServices = field(default_factory=OutsideServices)
    """Services that the network tools call; none by default."""
    outside_database_url: str = field(default="", repr=False)
    """The database that agents may read; empty: none. It may contain a password."""
    salesforce: SalesforceAccount = field(default_factory=SalesforceAccount)
    """The account that reads Salesforce; none by default."""
    sandbox: str = "monty"
    """Name of the sandbox that runs programs, from SANDBOXES; empty: programs are not run."""

    @property
    def limits(self) -> RunLimits:
        return RunLimits(turn_timeout_s=self.turn_timeout_s)


@cache
def agent_settings() -> AgentSettings:
    """Return the current settings. Raises ImproperlyConfigured for an unknown option."""
    given: Mapping[str, Any] = getattr(settings, "AGENTS", {})
    unknown = given.keys() - {each.name for each in fields(AgentSettings)}
    if unknown:
        raise ImproperlyConfigured(f"AGENTS: unknown option {', '.join(sorted(unknown))}")
    return AgentSettings(**given)


def services() -> OutsideServices:
    """Return the configured outside services."""
    return agent_settings().services


@cache
def sandbox() -> Sandbox | None:
    """Return the process's sandbox for programs, or None. Raises ImproperlyConfigured for an unknown name."""
    name = agent_settings().sandbox
    if name and name not in SANDBOXES:
        raise ImproperlyConfigured(f"AGENTS: unknown sandbox {name!r}; choose one of {', '.join(SANDBOXES)}")
    return SANDBOXES[name]() if name else None


@cache
def llm_backends() -> Mapping[str, tuple[LLMBackend | Speaker, ...]]:
    """Return the backends of each alias (the tiers, and `offline`), created once per process from `settings.LLMS`.

    There an alias has one backend, or a list of those that share its calls. Only tests put a Speaker there; it speaks
    whole plans without a model.
    """
    return {alias: _backends(alias) for alias in (*get_args(Tier), OFFLINE)}


def sdk_backends() -> list[SDKBackend]:
    """Return the backends that hold connections, so that an event loop can open and close them."""
    return [each for backends in llm_backends().values() for each in backends if isinstance(each, SDKBackend)]


async def close_sdk_backends() -> None:
    """Close this event loop's connections to the models."""
    for backend in sdk_backends():
        await backend.aclose()


def offline_backend() -> OfflineBackend:
    """Return the offline backend, which is always available."""
    [backend] = llm_backends()[OFFLINE]
    assert isinstance(backend, OfflineBackend)
    return backend


def _backends(alias: str) -> tuple[LLMBackend | Speaker, ...]:
    if alias == OFFLINE and OFFLINE not in settings.LLMS:
        return (OfflineBackend(),)
    try:
        given: Any = settings.LLMS[alias]
        configs = [given] if isinstance(given, Mapping) else given
        backends = tuple(import_string(each["BACKEND"])(**each.get("OPTIONS", {})) for each in configs)
    except (KeyError, ImportError, TypeError, ValueError) as error:
        raise ImproperlyConfigured(f"LLMS[{alias!r}]: {error}") from error
    if not backends:
        raise ImproperlyConfigured(f"LLMS[{alias!r}] names no backend")
    for config, backend in zip(configs, backends, strict=True):
        if not isinstance(backend, OfflineBackend if alias == OFFLINE else LLMBackend | Speaker):
            raise ImproperlyConfigured(f"LLMS[{alias!r}]: {config['BACKEND']} is not a suitable backend")
    return backends


@receiver(setting_changed)
def _forget(*, setting: str, **kwargs: object) -> None:
    if setting in {"AGENTS", "LLMS"}:
        agent_settings.cache_clear()
        sandbox.cache_clear()
        llm_backends.cache_clear()
