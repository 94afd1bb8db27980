"""Streams of a model's words from a provider on this machine: by the bare SDKs, and by our backends on top of them."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from time import process_time
from typing import Any

import anthropic
import openai

from agents.limits import ModelLimits
from agents.llm.anthropic import AnthropicBackend
from agents.llm.base import ChatText, ModelRequest, TextPiece
from agents.llm.openai import OpenAIBackend
from agents.llm.wrappers.circuit_breaker import CircuitBreaker
from agents.llm.wrappers.load_balancing import LoadBalancer
from agents.llm.wrappers.recording import RecordingBackend
from agents.llm.wrappers.retry import RetryingBackend
from agents.llm.wrappers.structured_output import StructuredBackend
from agents.llm.wrappers.time_limits import TimeLimitBackend

STREAMS = 20
WORDS = 150
QUESTION = "What is a half?"
URL = os.environ.get("BENCH_PROVIDER", "")
ASKED = ModelRequest(agent="bench", system="Teach.", messages=(ChatText(author="learner", text=QUESTION),))

Stream = Callable[[], Awaitable[int]]
"""Reads one answer to its end; returns its characters."""


async def _figures(stream: Stream) -> dict[str, float]:
    await stream()
    started = process_time()
    characters = await asyncio.gather(*(stream() for _ in range(STREAMS)))
    used = process_time() - started
    if min(characters) < WORDS:
        raise RuntimeError(f"only {min(characters)} characters of an answer came")
    return {"us_per_word": used / (STREAMS * WORDS) * 1e6}


def sample_anthropic() -> dict[str, float]:
    """The SDK's own stream of events."""

    async def measured() -> dict[str, float]:
        async with anthropic.AsyncAnthropic(api_key="sk-test", base_url=URL, max_retries=0) as client:

            async def stream() -> int:
                heard = 0
                asked: Any = {"model": "fake", "max_tokens": 1000, "system": "Teach."}
                messages: Any = [{"role": "user", "content": QUESTION}]
                async for event in await client.messages.create(**asked, messages=messages, stream=True):
                    if event.type == "content_block_delta" and event.delta.type == "text_delta":
                        heard += len(event.delta.text)
                return heard

            return await _figures(stream)

    return asyncio.run(measured())


def sample_openai() -> dict[str, float]:
    """The SDK's own stream of chunks."""

    async def measured() -> dict[str, float]:
        async with openai.AsyncOpenAI(api_key="sk-test", base_url=f"{URL}/v1", max_retries=0) as client:

            async def stream() -> int:
                heard = 0
                messages: Any = [{"role": "system", "content": "Teach."}, {"role": "user", "content": QUESTION}]
                options: Any = {"stream": True, "stream_options": {"include_usage": True}}
                async for chunk in await client.chat.completions.create(model="fake", messages=messages, **options):
                    heard += sum(len(choice.delta.content or "") for choice in chunk.choices)
                return heard

            return await _figures(stream)

    return asyncio.run(measured())


def sample_our_anthropic() -> dict[str, float]:
    """Our backend, with everything that stands around it in the app."""
    return _ours(AnthropicBackend(model="fake", api_key="sk-test", base_url=URL))


def sample_our_openai() -> dict[str, float]:
    return _ours(OpenAIBackend(model="fake", api_key="sk-test", base_url=f"{URL}/v1"))


def _ours(adapter: AnthropicBackend | OpenAIBackend) -> dict[str, float]:
    limits = ModelLimits()
    breaker = CircuitBreaker(StructuredBackend(RecordingBackend(TimeLimitBackend(adapter, limits))), limits)
    backend = RetryingBackend(LoadBalancer([breaker], limits), limits)

    async def stream() -> int:
        heard = 0
        async for piece in backend.stream(ASKED):
            if isinstance(piece, TextPiece):
                heard += len(piece.text)
        return heard

    async def measured() -> dict[str, float]:
        try:
            return await _figures(stream)
        finally:
            await adapter.aclose()

    return asyncio.run(measured())
