"""Both adapters do the same for the same question, by their real SDKs, whatever the provider does."""

import asyncio
import gc
import logging
import tracemalloc
from contextlib import aclosing
from typing import Any

import pytest
from pydantic import BaseModel, Field

from agents.errors import (
    LLMError,
    LLMKeyRejected,
    LLMRateLimited,
    LLMRejected,
    LLMSpendLimit,
    LLMTimeout,
    LLMTruncated,
    LLMUnavailable,
    OutsideCallForbidden,
)
from agents.llm.anthropic import AnthropicBackend
from agents.llm.base import AnswerEnd, ChatText, Image, ModelRequest, TextPiece, ToolRequest, ToolResponse
from agents.llm.openai import OpenAIBackend
from agents.llm.sdk import REPLY_CHARACTERS, SDKBackend, is_loopback
from agents.llm.token_usage import Usage
from agents.tools import Tool, ToolResult, ToolUse
from tests.agents.llm.conftest import KEY, backend_for
from tests.agents.llm.jumping_clock import heard
from tests.provider import Answer, Provider

TEXT = "one two three four"
HALF = "one two"
PICTURE = Image(media_type="image/png", data=b"\x89PNG")


class Marks(BaseModel):
    score: int = Field(ge=0, le=10)


async def _graded(arguments: Any, use: ToolUse) -> ToolResult:
    return ToolResult()


GRADE = Tool(name="grade", description="Give marks.", arguments=Marks, run=_graded)


def asked(text: str = "What is a half?", **fields: Any) -> ModelRequest:
    messages = fields.pop("messages", (ChatText(author="learner", text=text),))
    return ModelRequest(**{"agent": "tutor", "system": "Be kind.", "messages": messages, **fields})


async def said_by(backend: SDKBackend, question: ModelRequest | None = None) -> tuple[str, LLMError | None]:
    pieces, error = await heard(backend.stream(question or asked()))
    return "".join(piece.text for piece in pieces if isinstance(piece, TextPiece)), error


async def test_answer_is_streamed_and_its_tokens_and_price_are_told(provider: Provider, backend: SDKBackend) -> None:
    provider.otherwise(Answer(text=TEXT))
    pieces, error = await heard(backend.stream(asked()))
    *texts, ended = pieces
    assert error is None
    assert "".join(piece.text for piece in texts if isinstance(piece, TextPiece)) == TEXT
    read, written = -(-len("Be kind.\nWhat is a half?") // 4), -(-len(TEXT) // 4)
    assert ended == AnswerEnd(
        usage=Usage(
            backend=backend.name,
            model="fake-strong",
            input_tokens=read,
            output_tokens=written,
            cost_usd=read + 10.0 * written,
        )
    )


async def test_price_nobody_knows_stays_unknown(provider: Provider, backend: SDKBackend) -> None:
    backend.price = None
    pieces, _error = await heard(backend.stream(asked()))
    assert isinstance(pieces[-1], AnswerEnd)
    assert pieces[-1].usage.cost_usd is None
    assert pieces[-1].usage.output_tokens


async def test_first_words_are_heard_before_the_last_are_said(provider: Provider, backend: SDKBackend) -> None:
    provider.otherwise(Answer(text=TEXT, fault="V12", after=2))
    pieces = backend.stream(asked())
    async with aclosing(pieces), asyncio.timeout(5):
        said = ""
        async for piece in pieces:
            assert isinstance(piece, TextPiece)
            said += piece.text
            if said == HALF:
                break
    assert await asyncio.to_thread(provider.requests[0].ended.wait, 5)
    assert provider.requests[0].left_early


FAILURES: dict[str, tuple[type[LLMError], str]] = {
    "V1": (LLMRateLimited, ""),
    "V2": (LLMRateLimited, ""),
    "V3:429": (LLMSpendLimit, ""),
    "V3:400": (LLMSpendLimit, ""),
    "V4:500": (LLMUnavailable, ""),
    "V4:503": (LLMUnavailable, ""),
    "V4:529": (LLMUnavailable, ""),
    "V5:401": (LLMKeyRejected, ""),
    "V5:400": (LLMRejected, ""),
    "V6:end": (LLMTruncated, TEXT),
    "V6:mid": (LLMTruncated, HALF),
    "V7:reset": (LLMTruncated, HALF),
    "V7:cut": (LLMTruncated, HALF),
    "V8": (LLMUnavailable, HALF),
    "V9": (LLMTruncated, HALF),
    "V10": (LLMUnavailable, ""),
    "V17:503": (LLMUnavailable, ""),
    "V17:reset": (LLMUnavailable, ""),
}


@pytest.mark.parametrize("fault", FAILURES)
async def test_fault_is_one_of_our_errors_and_what_was_said_is_kept(
    provider: Provider, backend: SDKBackend, fault: str
) -> None:
    """V1 to V10, V17: one typed error at the adapter, one request, and the SDK waits for nothing."""
    provider.otherwise(Answer(text=TEXT))
    provider.fault(fault)
    expected, text = FAILURES[fault]
    said, error = await said_by(backend)
    assert (type(error), said, provider.attempts) == (expected, text, 1)


@pytest.mark.parametrize("fault", ["V5:401", "V5:400", "V9", "V8", "V10"])
async def test_key_is_in_no_error_and_no_log(
    provider: Provider, backend: SDKBackend, fault: str, caplog: pytest.LogCaptureFixture
) -> None:
    """V5: a provider that repeats the key in its answer finds no way to the screen or the log."""
    provider.fault(fault)
    with caplog.at_level(logging.INFO):
        _said, error = await said_by(backend)
    assert error is not None
    assert error.__cause__ is error.__context__ is None
    assert KEY not in f"{error!r} {error} {vars(error)} {caplog.text}"


@pytest.mark.parametrize(("fault", "seconds"), [("V1", 1.0), ("V2", 3600.0)])
async def test_wait_that_the_provider_wants_is_told(
    provider: Provider, backend: SDKBackend, fault: str, seconds: float
) -> None:
    """V1, V2: the adapter does not sleep itself; it says for how long one should."""
    provider.fault(fault)
    _said, error = await said_by(backend)
    assert isinstance(error, LLMRateLimited)
    assert error.retry_after_s == seconds


async def test_silence_before_headers_is_a_timeout(
    provider: Provider, backend: SDKBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """V13: where no deadline of ours stands around it, the transport's ends a hang."""
    from agents.llm import http

    monkeypatch.setattr(http, "TIMEOUT", 0.2)
    provider.fault("V13")
    _said, error = await said_by(backend)
    assert type(error) is LLMTimeout


async def test_flood_is_cut_off(provider: Provider, backend: SDKBackend) -> None:
    """V14: of 20 MB of tokens a hundredth is read; the provider is left, and the answer ends for its length."""
    provider.fault("V14:tokens", after=0)
    pieces, error = await heard(backend.stream(asked()))
    said = sum(len(piece.text) for piece in pieces if isinstance(piece, TextPiece))
    ended = pieces[-1]
    assert error is None
    assert isinstance(ended, AnswerEnd)
    assert (ended.stop, ended.usage.output_tokens) == ("length", None)
    assert REPLY_CHARACTERS < said < REPLY_CHARACTERS + (1 << 16)
    assert await asyncio.to_thread(provider.requests[0].ended.wait, 5)
    assert provider.requests[0].left_early


async def test_endless_line_does_not_fill_the_memory(provider: Provider, backend: SDKBackend) -> None:
    """V14: one line of 50 MB is given up after a fraction of it."""
    await said_by(backend)  # What the SDK itself takes is no part of this.
    provider.otherwise(Answer(text=TEXT))
    provider.fault("V14:line")
    gc.collect()
    tracemalloc.start()
    try:
        said, error = await said_by(backend)
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (said, type(error)) == (HALF, LLMTruncated)
    assert most < 5_000_000


async def test_long_error_is_not_read_to_its_end(provider: Provider, backend: SDKBackend) -> None:
    """V14: an error's body is bounded too; the SDKs read all of it."""
    provider.otherwise(Answer(text="x" * 20_000_000, status=500))
    await said_by(backend)
    gc.collect()
    tracemalloc.start()
    try:
        _said, error = await said_by(backend)
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert type(error) is LLMUnavailable
    # The stand-in, in this process too, holds its answer several times.
    assert most < 150_000_000


async def test_redirect_is_not_followed(provider: Provider, backend: SDKBackend) -> None:
    """K3: the key goes to the address that was configured, and to no other."""
    with Provider() as other:
        path = "/v1/messages" if backend.name == "anthropic" else "/v1/chat/completions"
        provider.otherwise(Answer(status=307, headers={"location": other.url + path}))
        _said, error = await said_by(backend)
        assert type(error) is LLMUnavailable
        assert other.attempts == 0


async def test_tools_are_offered_and_asked_for(provider: Provider, backend: SDKBackend) -> None:
    provider.otherwise(Answer(text="Let me see.", tools=(("grade", {"score": 3}), ("grade", '{"score": '))))
    pieces, error = await heard(backend.stream(asked(tools=(GRADE,))))
    calls = [(piece.name, piece.arguments) for piece in pieces if isinstance(piece, ToolRequest)]
    assert error is None
    assert calls == [("grade", '{"score": 3}'), ("grade", '{"score": ')]
    assert isinstance(pieces[-1], AnswerEnd)
    assert pieces[-1].stop == "tools"
    assert len({piece.id for piece in pieces if isinstance(piece, ToolRequest)}) == 2
    received = provider.requests[0].asked
    assert received is not None
    assert received.tools["grade"]["properties"]["score"]["maximum"] == 10


async def test_many_wrong_tools_come_as_they_are(provider: Provider, backend: SDKBackend) -> None:
    """V15: the adapter judges nothing; whoever uses the tools does."""
    for variant, number in (("json", 1), ("unknown", 1), ("many", 30)):
        provider.fault(f"V15:{variant}")
        pieces, error = await heard(backend.stream(asked(tools=(GRADE,))))
        assert error is None
        assert sum(isinstance(piece, ToolRequest) for piece in pieces) == number


@pytest.mark.parametrize("tools", [(GRADE,), ()], ids=["more tools", "no more tools"])
async def test_answers_of_tools_go_back_with_their_questions(
    provider: Provider, backend: SDKBackend, tools: tuple[Tool, ...]
) -> None:
    messages = (
        ChatText(author="learner", text="Is 2/4 right?"),
        ChatText(author="team", text="Let me see."),
        ToolRequest(id="a", name="grade", arguments='{"score": 3}'),
        ToolRequest(id="b", name="make it up!", arguments="[broken"),
        ToolResponse(id="a", name="grade", text="3 of 10"),
        ToolResponse(id="b", name="make it up!", text="There is no such tool.", ok=False),
    )
    said, error = await said_by(backend, asked(messages=messages, tools=tools))
    assert (bool(said), error) == (True, None)
    received = provider.requests[0].asked
    assert received is not None
    assert [text.strip() for text in received.history if text][:2] == ["Is 2/4 right?", "Let me see."]
    assert "3 of 10" in received.everything


async def test_server_without_tools_is_asked_without_them(backend: SDKBackend, provider: Provider) -> None:
    """The honest path down: refused once, then remembered."""
    with Provider(tools=False) as plain:
        backend.base_url = plain.url + ("" if backend.name == "anthropic" else "/v1")
        for attempts in (2, 3):
            said, error = await said_by(backend, asked(tools=(GRADE,)))
            assert (bool(said), error, plain.attempts) == (True, None, attempts)
    assert not backend.abilities.tools


async def test_pictures_are_shown(provider: Provider, backend: SDKBackend) -> None:
    _said, error = await said_by(backend, asked(messages=(ChatText(author="learner", text="See:", images=(PICTURE,)),)))
    received = provider.requests[0].asked
    assert received is not None
    assert (error, received.images, received.last.strip()) == (None, 1, "See:")


async def test_server_without_eyes_is_shown_no_second_picture(backend: SDKBackend) -> None:
    picture = asked(messages=(ChatText(author="learner", text="See:", images=(PICTURE,)),))
    with Provider(images=False) as blind:
        backend.base_url = blind.url + ("" if backend.name == "anthropic" else "/v1")
        for _ in range(2):
            _said, error = await said_by(backend, picture)
            assert type(error) is LLMRejected
        assert blind.attempts == 1
        said, error = await said_by(backend)
        assert (bool(said), error) == (True, None)


async def test_schema_is_sent_in_strict_form(provider: Provider, backend: SDKBackend) -> None:
    _pieces, error = await heard(backend.stream(asked(schema=Marks)))
    received = provider.requests[0].asked
    assert received is not None
    assert error is None
    assert received.shape == "schema"
    assert received.schema == {
        "type": "object",
        "properties": {"score": {"type": "integer", "description": "(maximum: 10, minimum: 0)"}},
        "required": ["score"],
        "additionalProperties": False,
    }


@pytest.mark.parametrize("shape", ["json", "text"])
async def test_schema_is_left_out_where_the_server_knows_none(
    provider: Provider, backend: SDKBackend, shape: Any
) -> None:
    await heard(backend.stream(asked(schema=Marks, shape=shape)))
    received = provider.requests[0].asked
    assert received is not None
    assert received.shape == ("json" if (shape, backend.name) == ("json", "openai") else "")


async def test_history_and_most_tokens_are_sent(provider: Provider, backend: SDKBackend) -> None:
    messages = (
        ChatText(author="learner", text="A"),
        ChatText(author="team", text="B"),
        ChatText(author="learner", text="C"),
    )
    await said_by(backend, asked(messages=messages, output_tokens=77))
    received = provider.requests[0].asked
    assert received is not None
    assert (received.system, received.history) == ("Be kind.", ("A", "B", "C"))
    most = "max_tokens" if backend.name == "anthropic" else "max_completion_tokens"
    assert provider.requests[0].body[most] == 77


async def test_text_is_such_as_every_database_takes(provider: Provider, backend: SDKBackend) -> None:
    provider.otherwise(Answer(text="a\0b é 😀"))
    assert await said_by(backend) == ("ab é 😀", None)


def test_one_backend_serves_one_event_loop_after_another(provider: Provider) -> None:
    """An SDK's client belongs to one loop: each loop gets its own."""
    for wire in ("anthropic", "openai"):
        backend = backend_for(wire, provider)

        async def once(backend: SDKBackend = backend) -> tuple[str, LLMError | None]:
            try:
                return await said_by(backend)
            finally:
                await backend.aclose()

        assert asyncio.run(once()) == asyncio.run(once())


async def test_connection_is_used_again(provider: Provider, backend: SDKBackend) -> None:
    for _ in range(3):
        await said_by(backend)
    assert len(provider._connections) == 1


async def test_stopped_answer_hangs_up(provider: Provider, backend: SDKBackend) -> None:
    provider.otherwise(Answer(text=TEXT, fault="V12", after=2))
    task = asyncio.create_task(said_by(backend))
    await asyncio.to_thread(provider.wait_for, 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await asyncio.to_thread(provider.requests[0].ended.wait, 5)


async def test_model_on_this_machine_is_asked_through_no_proxy(
    provider: Provider, backend: SDKBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has not agreed to outside models may be served by a local one: their words must stay here."""
    with Provider() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        for name in ("NO_PROXY", "no_proxy"):
            monkeypatch.delenv(name, raising=False)
        _said, error = await said_by(backend)
        assert (error, proxy.attempts, provider.attempts) == (None, 0, 1)


@pytest.mark.parametrize("kind", [AnthropicBackend, OpenAIBackend])
async def test_outside_call_is_forbidden_in_tests(kind: type[SDKBackend]) -> None:
    with pytest.raises(OutsideCallForbidden):
        await anext(kind(model="m", api_key=KEY).stream(asked()))


@pytest.mark.parametrize("kind", [AnthropicBackend, OpenAIBackend])
def test_key_is_not_shown(kind: type[SDKBackend]) -> None:
    assert KEY not in repr(kind(model="m", api_key=KEY))


@pytest.mark.parametrize(
    ("url", "local"),
    [
        ("http://localhost:11434/v1", True),
        ("http://127.0.0.1:8080/v1", True),
        ("http://127.9.9.9/v1", True),
        ("http://[::1]:8080/v1", True),
        ("http://localhost.example.org/v1", False),
        ("http://10.0.0.5:11434/v1", False),
        ("http://127.0.0.1@example.org/v1", False),
        ("https://api.openai.com/v1", False),
        ("nonsense", False),
    ],
)
def test_only_this_machine_is_local(url: str, local: bool) -> None:
    assert is_loopback(url) is local
