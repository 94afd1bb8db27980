"""OpenAI's Chat Completions: `POST /v1/chat/completions`, as many other servers speak it too."""

from functools import lru_cache
from typing import Any

from tests.provider.answers import Calls
from tests.provider.event_stream import RenderedAnswer, compact, halves_of, words_in
from tests.provider.model_request import ProviderRequest, blocks_of, note_in, tokens_of, without_note, words_of
from tests.provider.schemas import schema_in

PATH = "/v1/chat/completions"
PING = b": keep-alive\n\n"
BROKEN = b'data: {"id":"c1","object":"chat.completion.chunk","created":0,"model":"fake","choices":[{"ind\n\n'
PIECE = (
    b'data: {"id":"c1","object":"chat.completion.chunk","created":0,"model":"fake",'
    b'"choices":[{"index":0,"delta":{"content":"',
    b'"},"finish_reason":null}]}\n\n',
)
"""What stands before and after the text of one piece."""
_ERROR_TYPES = {
    400: ("invalid_request_error", None),
    401: ("invalid_request_error", "invalid_api_key"),
    404: ("invalid_request_error", "model_not_found"),
    429: ("requests", "rate_limit_exceeded"),
}
_STOPS = {"length": "length", "refused": "content_filter"}
SPEND_CAP = {
    429: ("You exceeded your current quota, check your plan.", "insufficient_quota", "insufficient_quota"),
    400: ("Billing hard limit has been reached.", "invalid_request_error", "billing_hard_limit_reached"),
}
"""Status → message, type and code of the error that says so."""
_INSTRUCTING = ("system", "developer")


def read(body: dict[str, Any]) -> ProviderRequest:
    messages = body.get("messages", [])
    system = "\n".join(words_of(said.get("content")) for said in messages if said.get("role") in _INSTRUCTING)
    spoken = [said for said in messages if said.get("role") not in _INSTRUCTING]
    system = "\n\n".join(filter(None, (system, note_in(spoken))))
    shape = body.get("response_format", {})
    in_parameters = shape.get("json_schema", {}).get("schema")
    return ProviderRequest(
        wire="openai",
        model=body.get("model", "fake"),
        system=system,
        history=tuple(without_note(words_of(said.get("content"))) for said in spoken),
        last=next(
            (without_note(words_of(said["content"])) for said in reversed(spoken) if said.get("role") == "user"), ""
        ),
        stream=bool(body.get("stream")),
        counts_usage=not body.get("stream") or bool(body.get("stream_options", {}).get("include_usage")),
        shape={"json_schema": "schema", "json_object": "json"}.get(shape.get("type"), ""),  # type: ignore[arg-type]
        schema=in_parameters or schema_in(system),
        tools={tool["function"]["name"]: tool["function"].get("parameters", {}) for tool in body.get("tools", ())},
        images=blocks_of(messages, "image_url"),
    )


def whole(asked: ProviderRequest, text: str, calls: Calls, stop: str, *, stopped: bool = True) -> dict[str, Any]:
    """Return the body of an answer that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": text or None}
    if calls:
        message["tool_calls"] = [_call(len(asked.history), n, name, args) for n, (name, args) in enumerate(calls)]
    choice = {"index": 0, "message": message, "finish_reason": _finish_reason(calls, stop) if stopped else None}
    body = {"id": "c1", "object": "chat.completion", "created": 0, "model": asked.model, "choices": [choice]}
    return body | ({"usage": _usage(asked.input_tokens, text, calls)} if asked.counts_usage else {})


def render(asked: ProviderRequest, text: str, calls: Calls, stop: str) -> RenderedAnswer:
    return _render(
        asked.model, asked.input_tokens if asked.counts_usage else None, len(asked.history), text, calls, stop
    )


@lru_cache(maxsize=256)
def _render(model: str, input_tokens: int | None, said: int, text: str, calls: Calls, stop: str) -> RenderedAnswer:
    def chunk(delta: dict[str, Any], finish_reason: str | None = None) -> bytes:
        return _data(_chunk(model) | {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]})

    pieces = [chunk({"content": word}) for word in words_in(text)]
    for index, (name, args) in enumerate(calls):
        halves = halves_of(args) or [""]
        pieces.append(chunk({"tool_calls": [{"index": index} | _call(said, index, name, halves[0])]}))
        pieces += [chunk({"tool_calls": [{"index": index, "function": {"arguments": half}}]}) for half in halves[1:]]
    ending = chunk({}, _finish_reason(calls, stop))
    if input_tokens is not None:
        ending += _data(_chunk(model) | {"choices": [], "usage": _usage(input_tokens, text, calls)})
    opening = chunk({"role": "assistant", "content": ""})
    return RenderedAnswer(opening=opening, pieces=tuple(pieces), ending=ending + b"data: [DONE]\n\n")


def error(status: int, message: str, *, kind: str = "", code: str = "") -> dict[str, Any]:
    known_kind, known_code = _ERROR_TYPES.get(status, ("server_error", None))
    return {"error": {"message": message, "type": kind or known_kind, "code": code or known_code, "param": None}}


def error_event() -> bytes:
    return _data(error(500, "The server had an error while processing your request."))


def models(names: tuple[str, ...]) -> dict[str, Any]:
    return {"object": "list", "data": [{"id": n, "object": "model", "created": 0, "owned_by": "fake"} for n in names]}


def _chunk(model: str) -> dict[str, Any]:
    return {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": model}


def _call(said: int, n: int, name: str, args: str) -> dict[str, Any]:
    return {"id": f"call_{said}_{n}", "type": "function", "function": {"name": name, "arguments": args}}


def _finish_reason(calls: Calls, stop: str) -> str:
    return _STOPS.get(stop) or ("tool_calls" if calls else "stop")


def _usage(input_tokens: int, text: str, calls: Calls) -> dict[str, int]:
    output_tokens = tokens_of(text + "".join(name + args for name, args in calls))
    return {
        "prompt_tokens": input_tokens,
        "completion_tokens": output_tokens,
        "total_tokens": input_tokens + output_tokens,
    }


def _data(value: dict[str, Any]) -> bytes:
    return b"data: %b\n\n" % compact(value)
