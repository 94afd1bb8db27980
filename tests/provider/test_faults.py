"""What the real SDKs make of every fault: the facts that our adapters are written against."""

import asyncio
import json

import anthropic
import httpx2
import openai
import pytest

from tests.provider import Answer, faults
from tests.provider.clients import KEY, QUESTION, READ_TIMEOUT_S, ClientResult, ask_claude, ask_gpt
from tests.provider.faults import Fault, all_faults

TEXT = "one two three four"
HALF = "one two"
Expected = tuple[type[Exception] | None, str]
"""The exception, or none; and what was heard before it."""

FROM_ANTHROPIC: dict[str, Expected] = {
    "V1:429": (anthropic.RateLimitError, ""),
    "V2:429": (anthropic.RateLimitError, ""),
    "V3:429": (anthropic.EnforcedSpendLimitReachedError, ""),
    "V3:400": (anthropic.BadRequestError, ""),
    "V4:500": (anthropic.InternalServerError, ""),
    "V4:503": (anthropic.ServiceUnavailableError, ""),
    "V4:529": (anthropic.OverloadedError, ""),
    "V5:401": (anthropic.AuthenticationError, ""),
    "V5:400": (anthropic.BadRequestError, ""),
    "V6:end": (None, TEXT),
    "V6:mid": (None, HALF),
    "V7:reset": (httpx2.ReadError, HALF),
    "V7:cut": (httpx2.RemoteProtocolError, HALF),
    "V8:error": (anthropic.APIStatusError, HALF),
    "V9:json": (json.JSONDecodeError, HALF),
    "V10:html": (None, ""),
    "V13:hang": (anthropic.APITimeoutError, ""),
    "V17:503": (anthropic.ServiceUnavailableError, ""),
    "V17:reset": (anthropic.APIConnectionError, ""),
}
FROM_OPENAI: dict[str, Expected] = {
    "V1:429": (openai.RateLimitError, ""),
    "V2:429": (openai.RateLimitError, ""),
    "V3:429": (openai.RateLimitError, ""),
    "V3:400": (openai.BadRequestError, ""),
    "V4:500": (openai.InternalServerError, ""),
    "V4:503": (openai.InternalServerError, ""),
    "V4:529": (openai.InternalServerError, ""),
    "V5:401": (openai.AuthenticationError, ""),
    "V5:400": (openai.BadRequestError, ""),
    "V6:end": (None, TEXT),
    "V6:mid": (None, HALF),
    "V7:reset": (openai.APIConnectionError, HALF),
    "V7:cut": (openai.APIConnectionError, HALF),
    "V8:error": (openai.APIError, HALF),
    "V9:json": (json.JSONDecodeError, HALF),
    "V10:html": (None, ""),
    "V13:hang": (openai.APITimeoutError, ""),
    "V17:503": (openai.InternalServerError, ""),
    "V17:reset": (openai.APIConnectionError, ""),
}
IN_PIECES = {"V11", "V12", "V14", "V15"}
"""Tested by themselves below."""


def test_every_fault_is_in_the_tables():
    rest = {name for name in all_faults() if name.partition(":")[0] not in IN_PIECES}
    assert rest == set(FROM_ANTHROPIC) == set(FROM_OPENAI)


@pytest.mark.parametrize("name", FROM_ANTHROPIC)
async def test_anthropic_makes_this_of_it(provider, claude, name):
    provider.otherwise(Answer(text=TEXT))
    provider.fault(name)
    await _check(FROM_ANTHROPIC[name], ask_claude, claude)
    assert [request.fault for request in provider.requests] == [name]


@pytest.mark.parametrize("name", FROM_OPENAI)
async def test_openai_makes_this_of_it(provider, gpt, name):
    provider.otherwise(Answer(text=TEXT))
    provider.fault(name)
    await _check(FROM_OPENAI[name], ask_gpt, gpt)
    assert [request.fault for request in provider.requests] == [name]


async def _check(expected: Expected, ask, client) -> None:
    raised, said = expected
    heard = ClientResult()
    if raised is None:
        await ask(client, heard)
    else:
        with pytest.raises(raised) as caught:
            await ask(client, heard)
        assert type(caught.value) is raised
    assert (heard.text, heard.finish) == (said, None)


async def test_the_helper_stumbles_over_html(provider, claude):
    """V10: the same page, through the helper that keeps a snapshot."""
    provider.fault("V10")
    with pytest.raises(AssertionError):
        async with claude.messages.stream(model="fake", max_tokens=9, messages=QUESTION) as stream:
            await stream.get_final_message()


@pytest.mark.parametrize(("name", "seconds"), [("V1", "1"), ("V2", "3600"), ("V3", None)])
async def test_the_wait_is_told_in_the_headers(provider, claude, gpt, name, seconds):
    provider.fault(name)
    for ask, client in ((ask_claude, claude), (ask_gpt, gpt)):
        with pytest.raises((anthropic.RateLimitError, openai.RateLimitError)) as caught:
            await ask(client, ClientResult())
        assert caught.value.response.headers.get("retry-after") == seconds


async def test_spend_caps_are_told_by_a_code(provider, claude, gpt):
    provider.fault("V3")
    with pytest.raises(anthropic.RateLimitError) as ours:
        await ask_claude(claude, ClientResult())
    assert ours.value.body["error"]["details"]["error_code"] == "enforced_spend_limit_reached"
    with pytest.raises(openai.RateLimitError) as theirs:
        await ask_gpt(gpt, ClientResult())
    assert theirs.value.code == "insufficient_quota"


@pytest.mark.parametrize("name", ["V5:401", "V5:400"])
async def test_a_refused_key_is_echoed_in_the_error(provider, claude, gpt, name):
    """V5: what must never be shown stands in the exception's words."""
    provider.fault(name)
    for ask, client in ((ask_claude, claude), (ask_gpt, gpt)):
        with pytest.raises((anthropic.APIStatusError, openai.APIStatusError)) as caught:
            await ask(client, ClientResult())
        assert KEY in str(caught.value)


async def test_an_error_in_the_stream_has_status_200(provider, claude):
    provider.fault("V8")
    with pytest.raises(anthropic.APIStatusError) as caught:
        await ask_claude(claude, ClientResult())
    assert (caught.value.status_code, caught.value.type) == (200, "overloaded_error")


@pytest.mark.parametrize("after", [0, 1, 3])
async def test_a_fault_strikes_after_as_many_pieces_as_told(provider, claude, gpt, after):
    provider.otherwise(Answer(text=TEXT))
    provider.fault("V7", after=after)
    for ask, client in ((ask_claude, claude), (ask_gpt, gpt)):
        heard = ClientResult()
        with pytest.raises((httpx2.ReadError, openai.APIConnectionError)):
            await ask(client, heard)
        assert heard.text.split() == TEXT.split()[:after]


@pytest.mark.parametrize("name", ["V11", "V12"])
async def test_a_read_timeout_never_ends_a_drip(provider, claude, gpt, name):
    """V11, V12: as long as anything comes, only a deadline of our own ends it."""
    provider.otherwise(Answer(text=TEXT))
    provider.fault(name)
    for ask, client in ((ask_claude, claude), (ask_gpt, gpt)):
        heard = ClientResult()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2 * READ_TIMEOUT_S):
                await ask(client, heard)
        assert heard.text.startswith(f"{HALF}drip" if name == "V11" else HALF)
        assert heard.finish is None


async def test_a_flood_goes_on_until_the_client_leaves(provider, claude, gpt):
    """V14: nothing but our own cap ends it, and the provider sees that we hung up."""
    provider.fault("V14:tokens", after=0)
    stream = await claude.messages.create(model="fake", max_tokens=9, messages=QUESTION, stream=True)
    heard = 0
    async for event in stream:
        heard += len(event.delta.text) if event.type == "content_block_delta" else 0
        if heard > 200_000:
            break
    await stream.close()
    chunks = await gpt.chat.completions.create(model="fake", messages=QUESTION, stream=True)
    await anext(chunks)
    await chunks.close()
    assert all(request.ended.wait(5) and request.left_early for request in provider.requests)


async def test_one_line_is_held_in_memory_until_its_end(provider, gpt, monkeypatch):
    """V14: no piece is seen before the whole line is there."""
    monkeypatch.setattr(faults, "LINE_SIZE", 5 << 20)
    provider.fault("V14:line", after=0)
    pieces = [
        len(chunk.choices[0].delta.content or "")
        async for chunk in await gpt.chat.completions.create(model="fake", messages=QUESTION, stream=True)
        if chunk.choices
    ]
    assert pieces == [0, 5 << 20, 0]


TOOL = {"type": "object", "properties": {"score": {"type": "integer", "minimum": 1}}, "required": ["score"]}
TOOLS_OF_CLAUDE = [{"name": "grade", "input_schema": TOOL}]
TOOLS_OF_GPT = [{"type": "function", "function": {"name": "grade", "parameters": TOOL}}]


@pytest.mark.parametrize(
    ("variant", "calls"),
    [
        ("json", [("grade", '{"question": "1/2')]),
        ("unknown", [("no_such_tool", "{}")]),
        ("many", [("grade", '{"score": 1}')] * faults.TOOL_CALLS),
        ("loop", [("grade", '{"score": 1}')]),
    ],
)
async def test_tools_are_asked_for_as_no_tool_should_be(provider, claude, gpt, variant, calls):
    """V15: the arguments come as they are; nobody but us looks into them."""
    provider.fault(f"V15:{variant}")
    for ask, client, tools in ((ask_claude, claude, TOOLS_OF_CLAUDE), (ask_gpt, gpt, TOOLS_OF_GPT)):
        for _ in range(2):
            heard = ClientResult()
            await ask(client, heard, tools=tools)
            assert heard.calls == calls
            assert heard.finish in ("tool_use", "tool_calls")


@pytest.mark.parametrize("name", ["V6", "V7:reset", "V7:cut", "V8", "V9", "V10", "V13"])
async def test_whole_answers_break_too(provider, claude, gpt, name):
    """What is not streamed: an exception, or an answer without its reason to stop."""
    provider.fault(name)
    broken = (anthropic.APIError, openai.APIError, json.JSONDecodeError)
    for ask in (
        lambda: claude.messages.create(model="fake", max_tokens=9, messages=QUESTION),
        lambda: gpt.chat.completions.create(model="fake", messages=QUESTION),
    ):
        try:
            answer = await ask()
        except broken:
            assert name not in ("V6", "V8", "V10")
            continue
        choices = getattr(answer, "choices", None)
        stopped = choices[0].finish_reason if choices else getattr(answer, "stop_reason", None)
        assert stopped is None
        assert name in ("V6", "V8", "V10")


async def test_nobody_is_there_during_an_outage(provider, claude, gpt):
    """V17: connections are refused, and accepted again after it, on the same port."""
    await ask_claude(claude, ClientResult())
    provider.outage()
    for ask, client in ((ask_claude, claude), (ask_gpt, gpt)):
        with pytest.raises((anthropic.APIConnectionError, openai.APIConnectionError)):
            await ask(client, ClientResult())
    provider.recover()
    heard = ClientResult()
    await ask_claude(claude, heard)
    assert heard.finish == "end_turn"


async def test_a_fault_hits_as_often_as_told_and_costs_no_scripted_answer(provider, claude):
    provider.script("", Answer(text="first"), Answer(text="second"))
    provider.fault("V4", times=2)
    for _ in range(2):
        with pytest.raises(anthropic.InternalServerError):
            await ask_claude(claude, ClientResult())
    heard = ClientResult()
    await ask_claude(claude, heard)
    assert (heard.text, provider.attempts) == ("first", 3)


@pytest.mark.parametrize("wrong", ["", "V0", "V16", "V4:404", "v4", "V"])
def test_only_known_faults_are_taken(wrong):
    with pytest.raises(ValueError, match="no fault"):
        Fault.parse(wrong)
