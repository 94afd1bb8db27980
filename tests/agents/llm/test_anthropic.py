"""What only Anthropic's format has."""

import json
from typing import Any

import pytest

from agents.errors import LLMKeyRejected, LLMRateLimited, LLMSpendLimit, LLMUnavailable
from agents.llm.anthropic import AnthropicBackend, AnthropicReplyParser, messages_of
from agents.llm.base import ChatText, Image, ModelRequest, ToolRequest, ToolResponse
from agents.llm.prices import Price
from agents.llm.sdk import SDKBackend
from agents.llm.token_usage import Usage
from tests.agents.llm.jumping_clock import heard
from tests.agents.llm.test_adapters import asked
from tests.provider import Provider


def reply_to(*events: dict[str, Any]) -> AnthropicReplyParser:
    reply = AnthropicReplyParser()
    for event in events:
        reply.hear(json.dumps(event).encode())
    return reply


def ended(reason: str | None) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 3}}


async def test_no_call_is_traced_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE", "content")
    client = await AnthropicBackend(model="m", api_key="sk-0").client()
    assert not client.open_telemetry["traces"]["enabled"]


@pytest.mark.parametrize(
    ("reason", "stop"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("something_new", "end"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("pause_turn", "length"),
        ("tool_use", "tools"),
        (None, None),
    ],
)
def test_every_reason_to_stop_has_its_meaning(reason: str | None, stop: str | None) -> None:
    assert reply_to(ended(reason)).stop == stop


def test_refusal_is_one() -> None:
    assert reply_to(ended("refusal")).refused


def test_what_the_provider_remembered_counts_as_read() -> None:
    usage = {
        "input_tokens": 5,
        "cache_creation_input_tokens": 20,
        "cache_read_input_tokens": 300,
        "output_tokens": 1,
    }
    reply = reply_to({"type": "message_start", "message": {"usage": usage}})
    assert (reply.input_tokens, reply.output_tokens) == (325, None)
    assert reply.cache_surcharge == pytest.approx(20 * 0.25 - 300 * 0.9)
    reply.hear(json.dumps(ended("end_turn")).encode())
    assert (reply.input_tokens, reply.output_tokens) == (325, 3)
    assert backend_usage(reply).cost_usd == pytest.approx(5 + 20 * 1.25 + 300 * 0.1 + 3 * 10)


def backend_usage(reply: AnthropicReplyParser) -> Usage:
    price = Price(input_usd=1_000_000, output_usd=10_000_000)
    return AnthropicBackend(model="m", api_key="k", price=price)._usage(reply)


def test_what_holds_in_every_turn_is_marked_for_the_cache_and_the_turns_note_comes_last() -> None:
    question = ModelRequest(
        agent="tutor", system="Be kind.", context="Greet.", messages=(ChatText(author="learner", text="Hello."),)
    )
    sent = AnthropicBackend(model="m", api_key="k").parameters(question)
    assert sent["system"] == [{"type": "text", "text": "Be kind.", "cache_control": {"type": "ephemeral"}}]
    (message,) = sent["messages"]
    assert message["content"] == [{"type": "text", "text": "Hello.\n\n<turn_note>\nGreet.\n</turn_note>"}]


def test_thoughts_and_unknown_events_are_not_said() -> None:
    reply = reply_to(
        {"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}},
        {"type": "content_block_stop", "index": 0},
        {"type": "something_new"},
        {"type": "ping"},
    )
    assert (reply.fresh, reply.calls) == ([], [])


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ("overloaded_error", LLMUnavailable),
        ("api_error", LLMUnavailable),
        ("rate_limit_error", LLMRateLimited),
        ("authentication_error", LLMKeyRejected),
        ("billing_error", LLMSpendLimit),
    ],
)
def test_error_in_the_stream_is_told_by_its_type(kind: str, error: type[Exception]) -> None:
    """V8: the status was 200 already."""
    with pytest.raises(error):
        reply_to({"type": "error", "error": {"type": kind, "message": "…"}})


def test_two_sides_take_turns() -> None:
    told = messages_of(
        (
            ChatText(author="learner", text="See:", images=(Image(media_type="image/png", data=b"1"),)),
            ChatText(author="team", text="I look. "),
            ToolRequest(id="a", name="look", arguments='{"at": 1}'),
            ToolResponse(id="a", name="look", text="A half.", ok=False),
            ChatText(author="learner", text="  "),
            ChatText(author="learner", text="And?"),
        )
    )
    assert [(side["role"], [block["type"] for block in side["content"]]) for side in told] == [
        ("user", ["image", "text"]),
        ("assistant", ["text", "tool_use"]),
        ("user", ["tool_result", "text"]),
    ]
    assert told[1]["content"] == [
        {"type": "text", "text": "I look."},
        {"type": "tool_use", "id": "a", "name": "look", "input": {"at": 1}},
    ]
    assert told[2]["content"][0] == {"type": "tool_result", "tool_use_id": "a", "content": "A half.", "is_error": True}


async def test_spent_tools_are_declared_and_switched_off(provider: Provider, claude: SDKBackend) -> None:
    messages = (
        ChatText(author="learner", text="?"),
        ToolRequest(id="a", name="look up", arguments="{}"),
        ToolResponse(id="a", name="look up", text="Nothing."),
    )
    await heard(claude.stream(asked(messages=messages)))
    body = provider.requests[0].body
    assert body["tools"] == [{"name": "look_up", "input_schema": {"type": "object"}}]
    assert body["tool_choice"] == {"type": "none"}
