"""A provider on this machine, and both real SDKs as its clients, which try once."""

from collections.abc import AsyncIterator, Iterator

import anthropic
import httpx2
import openai
import pytest

from tests.provider import Provider

KEY = "sk-test-0123456789"


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


@pytest.fixture
async def claude(provider: Provider) -> AsyncIterator[anthropic.AsyncAnthropic]:
    timeout = httpx2.Timeout(10, read=0.2)
    async with anthropic.AsyncAnthropic(api_key=KEY, base_url=provider.url, max_retries=0, timeout=timeout) as client:
        yield client


@pytest.fixture
async def gpt(provider: Provider) -> AsyncIterator[openai.AsyncOpenAI]:
    timeout = httpx2.Timeout(10, read=0.2)
    async with openai.AsyncOpenAI(api_key=KEY, base_url=f"{provider.url}/v1", max_retries=0, timeout=timeout) as client:
        yield client
