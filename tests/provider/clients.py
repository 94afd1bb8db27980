"""Both real SDKs as clients of the stand-in: one question, and what came of it."""

import ssl
from dataclasses import dataclass, field
from typing import Any

import anthropic
import httpx2
import openai

from tests.provider import Provider

KEY = "sk-test-0123456789"
READ_TIMEOUT_S = 0.2
QUESTION: list[Any] = [{"role": "user", "content": "What is a half?"}]


@dataclass(slots=True)
class ClientResult:
    text: str = ""
    finish: str | None = None
    """Why it ended; None where the provider did not say."""
    calls: list[tuple[str, str]] = field(default_factory=list)
    """Tools that it asked for: names, and arguments as they came."""
    tokens: tuple[int, int] | None = None
    """In and out, where they were told."""


def claude_for(provider: Provider) -> anthropic.AsyncAnthropic:
    """Return a client that tries once."""
    return anthropic.AsyncAnthropic(api_key=KEY, base_url=provider.url, max_retries=0, http_client=_http())


def gpt_for(provider: Provider) -> openai.AsyncOpenAI:
    """Return a client that tries once."""
    return openai.AsyncOpenAI(api_key=KEY, base_url=f"{provider.url}/v1", max_retries=0, http_client=_http())


def http_for(provider: Provider) -> httpx2.Client:
    """Return a client without an SDK."""
    return httpx2.Client(base_url=provider.url, verify=no_certificates())


def _http() -> httpx2.AsyncClient:
    return httpx2.AsyncClient(verify=no_certificates(), timeout=httpx2.Timeout(10, read=READ_TIMEOUT_S))


def no_certificates() -> ssl.SSLContext:
    # Nothing here is encrypted, and reading all the world's certificates takes longer than a test.
    return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


async def ask_claude(client: anthropic.AsyncAnthropic, heard: ClientResult, **more: Any) -> None:
    """Fill `heard` from a stream, event by event, so that it holds what came before a fault."""
    asked = {"model": "fake", "max_tokens": 100, "messages": QUESTION} | more
    names: dict[int, str] = {}
    arguments: dict[int, str] = {}
    async for event in await client.messages.create(**asked, stream=True):
        match event.type:
            case "content_block_start" if event.content_block.type == "tool_use":
                names[event.index], arguments[event.index] = event.content_block.name, ""
            case "content_block_delta" if event.delta.type == "text_delta":
                heard.text += event.delta.text
            case "content_block_delta" if event.delta.type == "input_json_delta":
                arguments[event.index] += event.delta.partial_json
            case "message_start":
                heard.tokens = (event.message.usage.input_tokens, 0)
            case "message_delta":
                heard.finish = event.delta.stop_reason
                heard.tokens = ((heard.tokens or (0, 0))[0], event.usage.output_tokens)
    heard.calls = [(name, arguments[index]) for index, name in names.items()]


async def ask_gpt(client: openai.AsyncOpenAI, heard: ClientResult, **more: Any) -> None:
    """As `ask_claude`, in the other format."""
    asked = {"model": "fake", "messages": QUESTION, "stream_options": {"include_usage": True}} | more
    calls: dict[int, list[str]] = {}
    async for chunk in await client.chat.completions.create(**asked, stream=True):
        if chunk.usage:
            heard.tokens = (chunk.usage.prompt_tokens, chunk.usage.completion_tokens)
        for choice in chunk.choices:
            heard.text += choice.delta.content or ""
            heard.finish = choice.finish_reason or heard.finish
            for call in choice.delta.tool_calls or ():
                name_and_arguments = calls.setdefault(call.index, ["", ""])
                if call.function is not None:
                    name_and_arguments[0] += call.function.name or ""
                    name_and_arguments[1] += call.function.arguments or ""
    heard.calls = [(name, arguments) for name, arguments in calls.values()]
