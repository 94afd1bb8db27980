"""A provider on this machine, and both real SDKs as its clients."""

from collections.abc import AsyncIterator, Iterator

import anthropic
import openai
import pytest

from tests.provider import Provider
from tests.provider.clients import claude_for, gpt_for


@pytest.fixture
def provider() -> Iterator[Provider]:
    with Provider(beat_s=0.01) as provider:
        yield provider


@pytest.fixture
async def claude(provider: Provider) -> AsyncIterator[anthropic.AsyncAnthropic]:
    async with claude_for(provider) as client:
        yield client


@pytest.fixture
async def gpt(provider: Provider) -> AsyncIterator[openai.AsyncOpenAI]:
    async with gpt_for(provider) as client:
        yield client
