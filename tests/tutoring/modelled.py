"""A provider on this machine behind every tier, in either wire format, for turns that a stage plays."""

import asyncio
from collections.abc import Mapping
from typing import Any

from agents import chain as chains
from agents.chain import chain
from agents.conf import llm_backends
from agents.limits import ModelLimits
from agents.llm.sdk import SDKBackend
from agents.roles import Tier
from agents.speaking import PlanSpeaker, Speaker
from tests.agents.llm.conftest import KEY
from tests.agents.llm.test_breaker import Heard
from tests.provider import Provider

WIRES = ("anthropic", "openai")
BROKE_OFF = "It fell silent."
IMPATIENT = ModelLimits(
    first_piece_s=0.3, stall_s=0.3, least_s=0.05, attempts=2, pauses_s=(0.001, 0.002), retries_saved=(100, 100), failures=100
)  # fmt: skip


def options(provider: Provider, wire: str, **more: Any) -> dict[str, Any]:
    """Return `settings.LLMS` with the provider behind every tier."""
    backend = {"anthropic": "anthropic.AnthropicBackend", "openai": "openai.OpenAIBackend"}[wire]
    url = provider.url if wire == "anthropic" else f"{provider.url}/v1"
    given = {"model": "fake-strong", "api_key": KEY, "base_url": url, **more}
    return {alias: {"BACKEND": f"agents.llm.{backend}", "OPTIONS": given} for alias in ("strong", "fast", "vision")}


def connect(settings: Any, monkeypatch: Any, provider: Provider, wire: str, **more: Any) -> Mapping[Tier, Speaker]:
    """Connect the provider, and return who speaks then. What admins would be told is kept from the database."""
    monkeypatch.setattr(chains, "alarm", Heard())
    settings.AGENTS = {**settings.AGENTS, "model_limits": IMPATIENT, "turns_per_minute": 0, "cards_per_minute": 0}
    settings.LLMS = options(provider, wire, **more)
    for backend in set(llm_backends().values()):
        if isinstance(backend, SDKBackend):
            asyncio.run(backend.aopen())  # Importing an SDK takes longer than these limits allow for an answer.
    return {tier: PlanSpeaker(chain(tier), broke_off=BROKE_OFF) for tier in ("fast", "strong", "vision")}
