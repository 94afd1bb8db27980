"""Backend for OpenAI's Chat Completions API and compatible servers, using the official SDK."""

import json
from base64 import b64encode
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from pydantic import SecretStr

from agents.llm.base import ChatText, Message, ModelRequest, StopReason, ToolRequest, ToolResponse
from agents.llm.error_mapping import error_from_event
from agents.llm.sdk import PendingToolCall, ReplyParser, SDKBackend, arguments_schema, parse_arguments, tool_name
from agents.llm.sse import parse_event
from agents.llm.strict_schemas import strict_schema
from agents.llm.turn_notes import with_note

STOP_REASONS: dict[str, StopReason] = {
    "length": "length",
    "model_length": "length",
    "tool_calls": "tools",
    "function_call": "tools",
}
"""Every other reason means the end, except `content_filter` and `error`."""
PLACEHOLDER_KEY = "none"
"""The SDK requires a key; local servers need none."""


class OpenAIReplyParser(ReplyParser):
    def __init__(self) -> None:
        super().__init__()
        self.places: dict[int, PendingToolCall] = {}
        """Index → the tool call that its next piece belongs to."""

    def hear(self, data: bytes) -> None:
        if data == b"[DONE]":
            self.done = True
            return
        chunk = parse_event(data)
        if chunk.get("error"):
            raise error_from_event(chunk)
        for choice in chunk.get("choices") or ():
            self._take_choice(choice)
        if usage := chunk.get("usage"):
            self.input_tokens, self.output_tokens = usage.get("prompt_tokens"), usage.get("completion_tokens")

    def _take_choice(self, choice: dict[str, Any]) -> None:
        delta = choice.get("delta") or {}
        if text := delta.get("content"):
            self.say(text)
        for part in delta.get("tool_calls") or ():
            self._call(part)
        self.refused = self.refused or bool(delta.get("refusal"))
        if reason := choice.get("finish_reason"):
            self._finish(reason)

    def _finish(self, reason: str) -> None:
        if reason == "error":  # Sent by proxies when the server behind them failed.
            raise error_from_event({})
        self.refused = self.refused or reason == "content_filter"
        self.stop = STOP_REASONS.get(reason, "end")

    def _call(self, part: dict[str, Any]) -> None:
        """Add a piece of a tool call. Some servers send no index, one index for all, or each call whole."""
        function = part.get("function") or {}
        place, id = part.get("index"), part.get("id") or ""
        call = self.places.get(len(self.places) - 1 if place is None else place)
        if call is None or (id and call.id and id != call.id):
            call = PendingToolCall(id, function.get("name") or "")
            self.places[len(self.places) if place is None else place] = call
            self.calls.append(call)
            self.characters += len(call.name) + 1
        arguments = function.get("arguments") or ""
        self.append_arguments(call, arguments if isinstance(arguments, str) else json.dumps(arguments))


class OpenAIBackend(SDKBackend):
    name = "openai"
    provider = "OpenAI"
    address = "https://api.openai.com/v1"
    reply_class = OpenAIReplyParser

    def __init__(self, *, api_key: str | SecretStr = "", **options: Any) -> None:
        super().__init__(api_key=api_key or PLACEHOLDER_KEY, **options)
        self.refused: set[str] = set()
        """Parameters that the server rejected."""

    def make_client(self) -> Any:
        from openai import AsyncOpenAI, DefaultAioHttpClient

        from agents.llm import http

        return AsyncOpenAI(
            api_key=self._api_key.get_secret_value(),
            base_url=self.base_url,
            max_retries=0,
            timeout=http.TIMEOUT,
            default_headers=http.HEADERS,
            http_client=DefaultAioHttpClient(**http.client_options(is_local=self.is_local)),
        )

    def creator(self, client: Any) -> Callable[..., AbstractAsyncContextManager[Any]]:
        create: Callable[..., AbstractAsyncContextManager[Any]] = client.chat.completions.with_streaming_response.create
        return create

    def parameters(self, asked: ModelRequest) -> dict[str, Any]:
        limit = "max_tokens" if "max_completion_tokens" in self.refused else "max_completion_tokens"
        parameters: dict[str, Any] = {
            "model": self.model,
            limit: asked.output_tokens,
            "messages": messages_of(asked.system, with_note(asked.messages, asked.context)),
        }
        if "stream_options" not in self.refused:
            parameters["stream_options"] = {"include_usage": True}
        if asked.tools and self.abilities.tools:
            parameters["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": arguments_schema(tool.arguments),
                    },
                }
                for tool in asked.tools
            ]
        if asked.schema is not None and asked.shape == "schema":
            shape = {"name": asked.schema.__name__, "schema": strict_schema(asked.schema), "strict": True}
            parameters["response_format"] = {"type": "json_schema", "json_schema": shape}
        elif asked.schema is not None and asked.shape == "json":
            parameters["response_format"] = {"type": "json_object"}
        return parameters

    def learns(self, refusal: str, asked: ModelRequest) -> bool:
        for parameter in ("max_completion_tokens", "stream_options"):
            if parameter in refusal and parameter not in self.refused:
                self.refused.add(parameter)
                return True
        return super().learns(refusal, asked)


def messages_of(system: str, messages: tuple[Message, ...]) -> list[dict[str, Any]]:
    """Return messages in Chat Completions format: a side's text and its tool calls form one message."""
    told: list[dict[str, Any]] = [{"role": "system", "content": system}] if system.strip() else []
    for message in messages:
        match message:
            case ChatText(author="team", text=text):
                told.append({"role": "assistant", "content": text})
            case ChatText():
                told.append({"role": "user", "content": _content(message)})
            case ToolRequest(id=id, name=name, arguments=arguments):
                if not told or told[-1]["role"] != "assistant":
                    told.append({"role": "assistant", "content": None})
                use = {"name": tool_name(name), "arguments": json.dumps(parse_arguments(arguments))}
                told[-1].setdefault("tool_calls", []).append({"id": id, "type": "function", "function": use})
            case ToolResponse(id=id, text=text):
                told.append({"role": "tool", "tool_call_id": id, "content": text})
    return told


def _content(said: ChatText) -> str | list[dict[str, Any]]:
    if not said.images:
        return said.text
    parts: list[dict[str, Any]] = [{"type": "text", "text": said.text}] if said.text.strip() else []
    for image in said.images:
        url = f"data:{image.media_type};base64,{b64encode(image.data).decode()}"
        parts.append({"type": "image_url", "image_url": {"url": url}})
    return parts
