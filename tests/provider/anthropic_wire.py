"""Anthropic's Messages API: `POST /v1/messages`."""

import json
from functools import lru_cache
from typing import Any

from tests.provider.answers import Calls
from tests.provider.event_stream import RenderedAnswer, compact, halves_of, words_in
from tests.provider.model_request import ProviderRequest, blocks_of, note_in, tokens_of, without_note, words_of
from tests.provider.schemas import schema_in

PATH = "/v1/messages"
PING = b'event: ping\ndata: {"type":"ping"}\n\n'
BROKEN = b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_del\n\n'
PIECE = (
    b'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"',
    b'"}}\n\n',
)
"""What stands before and after the text of one piece."""
_ERROR_TYPES = {
    400: "invalid_request_error",
    401: "authentication_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}

_STOPS = {"length": "max_tokens", "refused": "refusal"}
SPEND_CAP = {
    429: ("Your organization has reached its monthly spend limit.", "rate_limit_error", "enforced_spend_limit_reached"),
    400: ("You have reached your specified API usage limits. You will regain access next month.", "", ""),
}
"""Status → message, type and code of the error that says so."""


def read(body: dict[str, Any]) -> ProviderRequest:
    messages = body.get("messages", [])
    system = "\n\n".join(filter(None, (words_of(body.get("system")), note_in(messages))))
    shape = body.get("output_config", {}).get("format")
    return ProviderRequest(
        wire="anthropic",
        model=body.get("model", "fake"),
        system=system,
        history=tuple(without_note(words_of(message.get("content"))) for message in messages),
        last=next(
            (without_note(words_of(said["content"])) for said in reversed(messages) if said.get("role") == "user"), ""
        ),
        stream=bool(body.get("stream")),
        counts_usage=True,
        shape="schema" if shape else "",
        schema=shape["schema"] if shape else schema_in(system),
        tools={tool["name"]: tool.get("input_schema", {}) for tool in body.get("tools", ())},
        images=blocks_of(messages, "image"),
    )


def whole(asked: ProviderRequest, text: str, calls: Calls, stop: str, *, stopped: bool = True) -> dict[str, Any]:
    """Return the body of an answer that is not streamed. Arguments that are no JSON come as a string."""
    content: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    content += [
        {"type": "tool_use", "id": f"toolu_{len(asked.history)}_{n}", "name": name, "input": _parsed(args)}
        for n, (name, args) in enumerate(calls)
    ]
    return _message(asked.model) | {
        "content": content,
        "stop_reason": _stop_reason(calls, stop) if stopped else None,
        "usage": {"input_tokens": asked.input_tokens, "output_tokens": _output_tokens(text, calls)},
    }


def render(asked: ProviderRequest, text: str, calls: Calls, stop: str) -> RenderedAnswer:
    return _render(asked.model, asked.input_tokens, len(asked.history), text, calls, stop)


@lru_cache(maxsize=256)
def _render(model: str, input_tokens: int, said: int, text: str, calls: Calls, stop: str) -> RenderedAnswer:
    message = _message(model) | {"usage": {"input_tokens": input_tokens, "output_tokens": 1}}
    opening = _event({"type": "message_start", "message": message})
    pieces: list[bytes] = []
    if text or not calls:
        opening += _event({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})
        pieces += [_delta(0, {"type": "text_delta", "text": word}) for word in words_in(text)]
    for index, (name, args) in enumerate(calls, start=1 if text else 0):
        block = {"type": "tool_use", "id": f"toolu_{said}_{index}", "name": name, "input": {}}
        start = _event({"type": "content_block_start", "index": index, "content_block": block})
        if index:
            start = _event({"type": "content_block_stop", "index": index - 1}) + start
        deltas = [_delta(index, {"type": "input_json_delta", "partial_json": half}) for half in halves_of(args)]
        pieces += [start + b"".join(deltas[:1]), *deltas[1:]]
    blocks = len(calls) + bool(text or not calls)
    ending = _event({"type": "content_block_stop", "index": blocks - 1})
    delta = {"stop_reason": _stop_reason(calls, stop), "stop_sequence": None}
    ending += _event({"type": "message_delta", "delta": delta, "usage": {"output_tokens": _output_tokens(text, calls)}})
    return RenderedAnswer(opening=opening, pieces=tuple(pieces), ending=ending + _event({"type": "message_stop"}))


def error(status: int, message: str, *, kind: str = "", code: str = "") -> dict[str, Any]:
    """Return an error's body; `code` is told in its details."""
    described: dict[str, Any] = {"type": kind or _ERROR_TYPES.get(status, "api_error"), "message": message}
    if code:
        described["details"] = {"error_code": code}
    return {"type": "error", "error": described, "request_id": "req_1"}


def error_event() -> bytes:
    return _event(error(529, "Overloaded"))


def models(names: tuple[str, ...]) -> dict[str, Any]:
    data = [{"type": "model", "id": name, "display_name": name, "created_at": "2026-01-01T00:00:00Z"} for name in names]
    return {"data": data, "has_more": False, "first_id": names[0], "last_id": names[-1]}


def _message(model: str) -> dict[str, Any]:
    message = {"id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": []}
    return message | {"stop_reason": None, "stop_sequence": None}


def _stop_reason(calls: Calls, stop: str) -> str:
    return _STOPS.get(stop) or ("tool_use" if calls else "end_turn")


def _output_tokens(text: str, calls: Calls) -> int:
    return tokens_of(text + "".join(name + args for name, args in calls))


def _delta(index: int, delta: dict[str, Any]) -> bytes:
    return _event({"type": "content_block_delta", "index": index, "delta": delta})


def _event(data: dict[str, Any]) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (data["type"].encode(), compact(data))


def _parsed(args: str) -> Any:
    try:
        return json.loads(args)
    except ValueError:
        return args
