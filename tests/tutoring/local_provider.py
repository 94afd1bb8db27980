"""A provider on this machine behind every tier, in either wire format, for turns that a stage plays."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any
from unittest.mock import patch

# Loaded here, because the first turn would otherwise wait for it longer than its limits allow on a slow machine.
import anthropic.resources.messages  # noqa: F401
import openai.resources.chat  # noqa: F401
from django.conf import settings
from django.test import override_settings

from agents.conf import sdk_backends
from agents.engine.roles import Tier
from agents.engine.speaker import PlanSpeaker, Speaker
from agents.limits import ModelLimits
from agents.runtime import model_chain as chains
from agents.runtime.model_chain import model_chain_for
from tests.agents.llm.conftest import KEY
from tests.agents.llm.wrappers.test_circuit_breaker import AlarmLog
from tests.provider import Provider

WIRES = ("anthropic", "openai")
BROKE_OFF = "It fell silent."
PATIENT = ModelLimits(least_s=0.05, attempts=2, pauses_s=(0.001, 0.002), retries_saved=(100, 100), failures=100)
"""Failures are retried at once. An answer may take as long as it does on a busy machine."""
IMPATIENT = replace(PATIENT, first_piece_s=0.3, stall_s=0.3)
"""For providers that fall silent."""


def options(provider: Provider, wire: str, **more: Any) -> dict[str, Any]:
    """Return `settings.LLMS` with the provider behind every tier."""
    backend = {"anthropic": "anthropic.AnthropicBackend", "openai": "openai.OpenAIBackend"}[wire]
    url = provider.url if wire == "anthropic" else f"{provider.url}/v1"
    given = {"model": "fake-strong", "api_key": KEY, "base_url": url, **more}
    return {alias: {"BACKEND": f"agents.llm.{backend}", "OPTIONS": given} for alias in ("strong", "fast", "vision")}


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """What a stage needs to speak by the provider."""

    speakers: Mapping[Tier, Speaker]
    walk: Callable[[Coroutine[Any, Any, Any]], Any]


@contextmanager
def connected(provider: Provider, wire: str, *, limits: ModelLimits = PATIENT, **more: Any) -> Iterator[Connected]:
    """Connect the provider for all turns of a stage. What admins would be told is kept from the database."""
    agents = {**settings.AGENTS, "model_limits": limits, "turns_per_minute": 0, "cards_per_minute": 0}
    with (
        override_settings(AGENTS=agents, LLMS=options(provider, wire, **more)),
        patch.object(chains, "alert_writer", AlarmLog()),
        asyncio.Runner() as runner,
    ):
        backends = sdk_backends()
        for backend in backends:
            runner.run(backend.aopen())  # Importing an SDK takes longer than these limits allow for an answer.
        speakers = {
            tier: PlanSpeaker(model_chain_for(tier), broke_off=BROKE_OFF) for tier in ("fast", "strong", "vision")
        }
        yield Connected(speakers=speakers, walk=runner.run)
        for backend in backends:
            runner.run(backend.aclose())
