"""Backend for Anthropic's Messages API, using its official SDK."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import AbstractAsyncContextManager
from typing import Any

from agents.llm.base import ChatText, Message, ModelRequest, StopReason, ToolRequest, ToolResponse
from agents.llm.error_mapping import error_from_event
from agents.llm.sdk import (
    PendingToolCall,
    ReplyParser,
    SDKBackend,
    arguments_schema,
    parse_arguments,
    tool_name,
    valid_token_count,
)
from agents.llm.sse import parse_event
from agents.llm.strict_schemas import strict_schema
from agents.llm.turn_notes import with_note

STOP_REASONS: dict[str, StopReason] = {
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "pause_turn": "length",
    "tool_use": "tools",
}
"""Every other reason means the end, except `refusal`."""
CACHE_WRITE, CACHE_READ = 1.25, 0.1
"""Price of a token written to the five-minute cache, or read from it, relative to a normal input token.

Source: Anthropic's page on prompt caching.
"""


class AnthropicReplyParser(ReplyParser):
    def __init__(self) -> None:
        super().__init__()
        self.blocks: dict[int, PendingToolCall] = {}

    def hear(self, data: bytes) -> None:
        event = parse_event(data)
        match event["type"]:
            case "content_block_delta":
                self._take_delta(event)
            case "content_block_start" if event["content_block"]["type"] == "tool_use":
                self._begin_call(event["index"], event["content_block"])
            case "message_start":
                # Its output_tokens is only an initial value.
                self._count_input(event["message"].get("usage") or {})
            case "message_delta":
                self._take_end(event)
            case "message_stop":
                self.done = True
            case "error":
                raise error_from_event(event)

    def _take_delta(self, event: dict[str, Any]) -> None:
        delta = event["delta"]
        if delta["type"] == "text_delta":
            self.say(delta["text"])
        elif delta["type"] == "input_json_delta":
            self.append_arguments(self.blocks[event["index"]], delta["partial_json"])

    def _begin_call(self, index: int, block: dict[str, Any]) -> None:
        self.blocks[index] = call = PendingToolCall(block["id"], block["name"])
        self.calls.append(call)
        self.characters += len(call.name) + 1

    def _take_end(self, event: dict[str, Any]) -> None:
        usage = event.get("usage") or {}
        self._count_input(usage)
        self.output_tokens = usage.get("output_tokens", self.output_tokens)
        if reason := event["delta"].get("stop_reason"):
            self.refused = reason == "refusal"
            self.stop = STOP_REASONS.get(reason, "end")

    def _count_input(self, usage: dict[str, Any]) -> None:
        if usage.get("input_tokens") is None:
            return
        written, read = (valid_token_count(usage.get(f"cache_{way}_input_tokens")) or 0 for way in ("creation", "read"))
        self.input_tokens = usage["input_tokens"] + written + read
        self.cache_surcharge = (CACHE_WRITE - 1) * written + (CACHE_READ - 1) * read


class AnthropicBackend(SDKBackend):
    name = "anthropic"
    provider = "Anthropic"
    address = "https://api.anthropic.com"
    reply_class = AnthropicReplyParser

    def make_client(self) -> Any:
        from anthropic import AsyncAnthropic, DefaultAioHttpClient

        from agents.llm import http

        return AsyncAnthropic(
            api_key=self._api_key.get_secret_value(),
            base_url=self.base_url,
            max_retries=0,
            timeout=http.TIMEOUT,
            default_headers=http.HEADERS,
            http_client=DefaultAioHttpClient(**http.client_options(is_local=self.is_local)),
            # The ledger records the calls; a variable of the environment must not have prompts traced.
            open_telemetry=False,
        )

    def creator(self, client: Any) -> Callable[..., AbstractAsyncContextManager[Any]]:
        create: Callable[..., AbstractAsyncContextManager[Any]] = client.messages.with_streaming_response.create
        return create

    def parameters(self, asked: ModelRequest) -> dict[str, Any]:
        parameters: dict[str, Any] = {
            "model": self.model,
            "max_tokens": asked.output_tokens,
            "messages": messages_of(with_note(asked.messages, asked.context)),
        }
        if asked.system.strip():
            # Anthropic's cache covers tools before the system text, so this mark covers both.
            block = {"type": "text", "text": asked.system, "cache_control": {"type": "ephemeral"}}
            parameters["system"] = [block]
        if asked.tools and self.abilities.tools:
            parameters["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": arguments_schema(tool.arguments)}
                for tool in asked.tools
            ]
        elif used := {tool_name(each.name) for each in asked.messages if isinstance(each, ToolRequest)}:
            # Tool uses in the history need their tools declared, even if none may be used any more.
            parameters["tools"] = [{"name": name, "input_schema": {"type": "object"}} for name in sorted(used)]
            parameters["tool_choice"] = {"type": "none"}
        if asked.schema is not None and asked.shape == "schema":
            shape = {"type": "json_schema", "schema": strict_schema(asked.schema)}
            parameters["output_config"] = {"format": shape}
        return parameters


def messages_of(messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Return messages in Anthropic's format: the two sides in turn, each with all its blocks."""
    sides: list[dict[str, Any]] = []
    for message in messages:
        for role, block in _blocks(message):
            if not sides or sides[-1]["role"] != role:
                sides.append({"role": role, "content": []})
            sides[-1]["content"].append(block)
    return sides


def _blocks(message: Message) -> Iterator[tuple[str, dict[str, Any]]]:
    match message:
        case ChatText(author=author, text=text, images=images):
            role = "user" if author == "learner" else "assistant"
            for image in images:
                data = b64encode(image.data).decode()
                source = {"type": "base64", "media_type": image.media_type, "data": data}
                yield role, {"type": "image", "source": source}
            if text.strip():  # An empty block is rejected.
                yield role, {"type": "text", "text": text if role == "user" else text.rstrip()}
        case ToolRequest(id=id, name=name, arguments=arguments):
            use = {"name": tool_name(name), "input": parse_arguments(arguments)}
            yield "assistant", {"type": "tool_use", "id": id, **use}
        case ToolResponse(id=id, text=text, ok=ok):
            yield "user", {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": not ok}
