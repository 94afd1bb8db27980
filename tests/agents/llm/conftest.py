"""A provider on this machine, and our backends speaking to it, each by its real SDK."""

from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Any

import pytest

from agents.llm.anthropic import AnthropicBackend
from agents.llm.openai import OpenAIBackend
from agents.llm.prices import Price
from agents.llm.sdk import SDKBackend
from tests.provider import Provider

KEY = "sk-test-CANARY-0123456789"
PRICE = Price(input_usd=1_000_000, output_usd=10_000_000, since=date(2026, 3, 21))


def backend_for(wire: str, provider: Provider, **options: Any) -> SDKBackend:
    options = {"model": "fake-strong", "api_key": KEY, "price": PRICE} | options
    if wire == "anthropic":
        return AnthropicBackend(base_url=provider.url, **options)
    return OpenAIBackend(base_url=f"{provider.url}/v1", **options)


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


@pytest.fixture(params=["anthropic", "openai"])
async def backend(request: pytest.FixtureRequest, provider: Provider) -> AsyncIterator[SDKBackend]:
    backend = backend_for(request.param, provider)
    yield backend
    await backend.aclose()


@pytest.fixture
async def claude(provider: Provider) -> AsyncIterator[SDKBackend]:
    backend = backend_for("anthropic", provider)
    yield backend
    await backend.aclose()


@pytest.fixture
async def gpt(provider: Provider) -> AsyncIterator[SDKBackend]:
    backend = backend_for("openai", provider)
    yield backend
    await backend.aclose()
