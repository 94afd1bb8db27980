"""What only Chat Completions have, and what the many servers that speak them make of it."""

import json
from typing import Any

import pytest

from agents.errors import LLMRateLimited, LLMRejected, LLMSpendLimit, LLMUnavailable
from agents.llm.base import AnswerEnd, ChatText, ToolRequest, ToolResponse
from agents.llm.openai import OpenAIReplyParser, messages_of
from agents.llm.sdk import SDKBackend
from tests.agents.llm.conftest import backend_for
from tests.agents.llm.jumping_clock import heard
from tests.agents.llm.test_adapters import asked, said_by
from tests.provider import Answer, Provider


def reply_to(*chunks: dict[str, Any]) -> OpenAIReplyParser:
    reply = OpenAIReplyParser()
    for chunk in chunks:
        reply.hear(json.dumps(chunk).encode())
    return reply


def chunk(finish_reason: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}]}


def call(**fields: Any) -> dict[str, Any]:
    function = {name: fields.pop(name) for name in ("name", "arguments") if name in fields}
    return {**fields, "function": function}


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("stop", "end"),
        ("eos", "end"),
        ("length", "length"),
        ("model_length", "length"),
        ("tool_calls", "tools"),
        ("function_call", "tools"),
        (None, None),
    ],
)
def test_every_reason_to_stop_has_its_meaning(reason: str | None, stop: str | None) -> None:
    assert reply_to(chunk(reason)).stop == stop


@pytest.mark.parametrize("tokens", ["12", 12.5, True, -5, 10**20, [1], None])
def test_count_of_tokens_that_is_none_is_unknown(gpt: SDKBackend, tokens: Any) -> None:
    """V9: what a server counts wrongly costs its figure, not the answer."""
    reply = reply_to(
        chunk("stop", content="Hello."), {"choices": [], "usage": {"prompt_tokens": tokens, "completion_tokens": 3}}
    )
    ended = gpt._end(reply, None)[-1]
    assert isinstance(ended, AnswerEnd)
    assert (ended.usage.input_tokens, ended.usage.output_tokens, ended.usage.cost_usd) == (None, 3, None)


@pytest.mark.parametrize("refusal", [chunk("content_filter"), chunk("stop", refusal="I cannot help with that.")])
def test_refusal_is_one(refusal: dict[str, Any]) -> None:
    assert reply_to(refusal).refused


def test_reason_error_is_an_error() -> None:
    with pytest.raises(LLMUnavailable):
        reply_to(chunk("error"))


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        ({"type": "server_error"}, LLMUnavailable),
        ({"code": 429}, LLMRateLimited),
        ({"code": 400, "message": "context is too long"}, LLMRejected),
        ({"code": "insufficient_quota"}, LLMSpendLimit),
        ("it broke", LLMUnavailable),
    ],
)
def test_error_in_the_stream_is_told_by_its_code(error: Any, expected: type[Exception]) -> None:
    """V8: the status was 200 already."""
    with pytest.raises(expected):
        reply_to({"error": error})


def test_thoughts_and_empty_chunks_are_not_said() -> None:
    reply = reply_to(
        {"choices": []},
        {"choices": None},
        {"choices": [{"delta": None}]},
        chunk(reasoning_content="hm"),
        chunk(content=None),
    )
    assert (reply.fresh, reply.calls, reply.stop) == ([], [], None)


@pytest.mark.parametrize(
    "parts",
    [
        [
            call(index=0, id="a", name="one", arguments='{"x"'),
            call(index=0, arguments=": 1}"),
            call(index=1, id="b", name="two", arguments="{}"),
        ],
        [call(id="a", name="one", arguments='{"x": 1}'), call(id="b", name="two", arguments="{}")],
        [
            call(id="a", name="one", arguments='{"x"'),
            call(arguments=": 1}"),
            call(id="b", name="two"),
            call(arguments="{}"),
        ],
        [call(index=0, id="a", name="one", arguments='{"x": 1}'), call(index=0, id="b", name="two", arguments="{}")],
        [call(index=3, id="a", name="one", arguments={"x": 1}), call(index=7, id="b", name="two", arguments="{}")],
        [
            call(index=1, id="a", name="one"),
            call(index=2, id="b", name="two", arguments="{"),
            call(index=1, arguments='{"x": 1}'),
            call(index=2, arguments="}"),
        ],
    ],
    ids=["as it should be", "no index", "pieces without index", "one index for all", "an object", "in between"],
)
def test_uses_of_tools_are_put_together(parts: list[dict[str, Any]]) -> None:
    reply = reply_to(*(chunk(tool_calls=[part]) for part in parts))
    calls = [(call.id, call.name, "".join(call.arguments)) for call in reply.calls]
    assert calls == [("a", "one", '{"x": 1}'), ("b", "two", "{}")]


async def test_use_of_a_tool_is_one_whatever_the_reason_says(provider: Provider, gpt: SDKBackend) -> None:
    provider.fault("V15:loop")
    pieces, _error = await heard(gpt.stream(asked()))
    assert isinstance(pieces[-1], AnswerEnd)
    assert pieces[-1].stop == "tools"


def test_words_and_tools_of_a_side_are_one_message() -> None:
    told = messages_of(
        "Be kind.",
        (
            ChatText(author="learner", text="?"),
            ChatText(author="team", text="I look."),
            ToolRequest(id="a", name="look up", arguments='{"at": 1}'),
            ToolRequest(id="b", name="look up", arguments="broken"),
            ToolResponse(id="a", name="look up", text="A half."),
        ),
    )
    uses = [
        {"id": "a", "type": "function", "function": {"name": "look_up", "arguments": '{"at": 1}'}},
        {"id": "b", "type": "function", "function": {"name": "look_up", "arguments": "{}"}},
    ]
    assert told == [
        {"role": "system", "content": "Be kind."},
        {"role": "user", "content": "?"},
        {"role": "assistant", "content": "I look.", "tool_calls": uses},
        {"role": "tool", "tool_call_id": "a", "content": "A half."},
    ]


@pytest.mark.parametrize("parameter", ["max_completion_tokens", "stream_options"])
async def test_parameter_that_a_server_does_not_take_is_left_out_from_then_on(
    provider: Provider, gpt: SDKBackend, parameter: str
) -> None:
    refusal = Answer(status=400, text=f"Unsupported parameter: '{parameter}' is not supported with this model.")
    provider.script("Be kind.", refusal, Answer(text="Well."))
    for attempts in (2, 3):
        assert await said_by(gpt) == ("Well.", None)
        assert provider.attempts == attempts
    assert parameter in provider.requests[0].body
    assert all(parameter not in request.body for request in list(provider.requests)[1:])
    if parameter == "max_completion_tokens":
        assert provider.requests[2].body["max_tokens"] == 1_000


async def test_server_that_goes_on_refusing_is_not_asked_for_ever(provider: Provider, gpt: SDKBackend) -> None:
    provider.otherwise(Answer(status=400, text="max_completion_tokens and stream_options: no."))
    _said, error = await said_by(gpt)
    assert type(error) is LLMRejected
    assert provider.attempts == 3


async def test_tokens_that_nobody_counted_are_unknown(gpt: SDKBackend) -> None:
    with Provider(usage=False) as silent:
        gpt.base_url = f"{silent.url}/v1"
        pieces, _error = await heard(gpt.stream(asked()))
    assert isinstance(pieces[-1], AnswerEnd)
    usage = pieces[-1].usage
    assert (usage.input_tokens, usage.output_tokens, usage.cost_usd) == (None, None, None)


async def test_server_on_this_machine_needs_no_key(provider: Provider) -> None:
    backend = backend_for("openai", provider, api_key="", name="ollama")
    pieces, _error = await heard(backend.stream(asked()))
    await backend.aclose()
    assert isinstance(pieces[-1], AnswerEnd)
    assert pieces[-1].usage.backend == "ollama"


async def test_nothing_is_asked_packed(provider: Provider, gpt: SDKBackend) -> None:
    """V14: a small packed chunk could unfold to any size."""
    await said_by(gpt)
    assert provider.requests[0].headers["accept-encoding"] == "identity"
