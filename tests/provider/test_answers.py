"""What the stand-in says when nothing is wrong, through both real SDKs."""

import asyncio
import json

import httpx2
import openai
import pytest
from pydantic import BaseModel, Field

from tests.provider import Answer, Provider
from tests.provider.clients import QUESTION, ClientResult, ask_claude, ask_gpt, gpt_for, http_for

CALL = ("grade", {"score": 3})


class Question(BaseModel):
    stem: str
    kind: str = Field(json_schema_extra={"enum": ["choice", "number"]})
    options: list[str] = Field(min_length=1)
    points: int
    next: "Question | None"


SMALLEST = {"stem": "…", "kind": "choice", "options": ["…"], "points": 0, "next": None}


async def test_it_streams_word_by_word_with_reason_and_tokens(provider, claude, gpt):
    provider.otherwise(Answer(text="One half, or two  quarters.\n"))
    from_claude, from_gpt = ClientResult(), ClientResult()
    await ask_claude(claude, from_claude)
    await ask_gpt(gpt, from_gpt)
    assert from_claude == ClientResult(text="One half, or two  quarters.\n", finish="end_turn", tokens=(4, 7))
    assert from_gpt == ClientResult(text="One half, or two  quarters.\n", finish="stop", tokens=(4, 7))


async def test_it_answers_in_one_piece(provider, claude, gpt):
    provider.otherwise(Answer(text="Half."))
    message = await claude.messages.create(model="fake", max_tokens=9, messages=QUESTION)
    assert (message.content[0].text, message.stop_reason, message.usage.output_tokens) == ("Half.", "end_turn", 2)
    completion = await gpt.chat.completions.create(model="fake", messages=QUESTION)
    assert (completion.choices[0].message.content, completion.choices[0].finish_reason) == ("Half.", "stop")
    assert completion.usage.completion_tokens == 2


@pytest.mark.parametrize(
    ("stop", "to_claude", "to_gpt"), [("length", "max_tokens", "length"), ("refused", "refusal", "content_filter")]
)
async def test_it_can_stop_for_other_reasons(provider, claude, gpt, stop, to_claude, to_gpt):
    provider.otherwise(Answer(text="One", stop=stop))
    for ask, client, finish in ((ask_claude, claude, to_claude), (ask_gpt, gpt, to_gpt)):
        heard = ClientResult()
        await ask(client, heard)
        assert (heard.text, heard.finish) == ("One", finish)


async def test_a_burst_says_the_same(provider, claude, gpt):
    provider.otherwise(Answer(text="One half.", tools=(CALL,), burst=True))
    for ask, client in ((ask_claude, claude), (ask_gpt, gpt)):
        heard = ClientResult()
        await ask(client, heard)
        assert (heard.text, heard.calls) == ("One half.", [("grade", '{"score": 3}')])


async def test_tools_come_with_and_without_words(provider, claude, gpt):
    broken = ("look_up", '{"word": "ha')
    provider.script("", Answer(text="Let me see.", tools=(CALL, broken)), Answer(tools=(CALL,)))
    for ask, client, finish in ((ask_claude, claude, "tool_use"), (ask_gpt, gpt, "tool_calls")):
        provider.script("", Answer(text="Let me see.", tools=(CALL, broken)), Answer(tools=(CALL,)))
        first, second = ClientResult(), ClientResult()
        await ask(client, first)
        await ask(client, second)
        assert (first.text, first.finish) == ("Let me see.", finish)
        assert first.calls == [("grade", '{"score": 3}'), broken]
        assert (second.text, second.calls) == ("", [("grade", '{"score": 3}')])


async def test_whole_answers_hold_tools(provider, claude, gpt):
    provider.otherwise(Answer(tools=(CALL,)))
    message = await claude.messages.create(model="fake", max_tokens=9, messages=QUESTION)
    assert (message.content[0].name, message.content[0].input) == CALL
    completion = await gpt.chat.completions.create(model="fake", messages=QUESTION)
    call = completion.choices[0].message.tool_calls[0].function
    assert (call.name, json.loads(call.arguments)) == CALL


async def test_it_fits_the_schema_that_is_asked_for(claude, gpt):
    parsed = await claude.messages.parse(model="fake", max_tokens=9, messages=QUESTION, output_format=Question)
    assert parsed.parsed_output.model_dump() == SMALLEST
    completion = await gpt.chat.completions.parse(model="fake", messages=QUESTION, response_format=Question)
    assert completion.choices[0].message.parsed.model_dump() == SMALLEST


async def test_a_schema_in_the_prompt_is_enough(provider, gpt):
    """The way down for servers without schemas: an object after the words of the prompt."""
    told = f"Answer as JSON after this schema: {json.dumps(Question.model_json_schema())}"
    completion = await gpt.chat.completions.create(
        model="fake",
        messages=[{"role": "system", "content": told}, *QUESTION],
        response_format={"type": "json_object"},
    )
    assert Question.model_validate_json(completion.choices[0].message.content).model_dump() == SMALLEST


async def test_a_sensible_answer_ends_in_a_question(claude):
    heard = ClientResult()
    await ask_claude(claude, heard)
    assert heard.text.endswith("?")


async def test_scripts_go_by_the_agents_system_prompt(provider, claude, gpt):
    provider.script("You are the tutor", Answer(text="T1"), Answer(text="T2"))
    provider.script("You are the quiz", lambda asked: Answer(text=f"Q {asked.last}"))
    provider.otherwise(Answer(text="else"))
    heard = []
    for system in ("You are the tutor.", "You are the quiz.", "You are the tutor.", "Nobody", "You are the tutor."):
        one = ClientResult()
        await ask_claude(claude, one, system=[{"type": "text", "text": system}])
        heard.append(one.text)
    assert heard == ["T1", "Q What is a half?", "T2", "else", "T2"]
    one = ClientResult()
    await ask_gpt(gpt, one, messages=[{"role": "developer", "content": "You are the quiz."}, *QUESTION])
    assert one.text == "Q What is a half?"


async def test_requests_are_remembered(provider, claude):
    await ask_claude(claude, ClientResult(), system="Be brief.", max_tokens=7)
    [request] = provider.requests
    assert (request.path, request.headers["anthropic-version"][:2]) == ("/v1/messages", "20")
    assert (request.body["max_tokens"], request.asked.system, request.asked.last) == (7, "Be brief.", "What is a half?")
    assert request.ended.wait(5)
    assert not request.left_early


async def test_a_client_that_hangs_up_is_seen(provider, claude):
    provider.otherwise(Answer(text="one two", fault="V12", after=1))
    stream = await claude.messages.create(model="fake", max_tokens=9, messages=QUESTION, stream=True)
    await anext(stream)
    await stream.close()
    [request] = provider.requests
    assert request.ended.wait(5)
    assert request.left_early


async def test_a_cancelled_client_is_seen_before_it_has_any_answer(provider, claude, gpt):
    provider.fault("V13")
    for count, ask in enumerate((ask_claude(claude, ClientResult()), ask_gpt(gpt, ClientResult())), start=1):
        asking = asyncio.create_task(ask)
        await asyncio.to_thread(provider.wait_for, count)
        asking.cancel()
        await asyncio.wait([asking])
    assert all(request.ended.wait(5) and request.left_early for request in provider.requests)


async def test_other_statuses_and_headers_are_sent_as_scripted(provider, gpt):
    provider.otherwise(Answer(status=418, text="I am a teapot", headers={"retry-after-ms": "20"}))
    with pytest.raises(openai.APIStatusError) as caught:
        await ask_gpt(gpt, ClientResult())
    assert (caught.value.status_code, caught.value.response.headers["retry-after-ms"]) == (418, "20")
    assert "teapot" in str(caught.value)


@pytest.mark.parametrize("waiting", [{"first_delay_s": 60}, {"gap_s": 60}])
async def test_what_waits_has_its_head_sent(provider, claude, waiting):
    """Delays lie before the first piece and between pieces, and hold nobody up who leaves."""
    provider.otherwise(Answer(text="one two", **waiting))
    heard = ClientResult()
    with pytest.raises(httpx2.ReadTimeout):
        await ask_claude(claude, heard)
    assert (heard.text, heard.tokens) == ("", (4, 0))
    assert provider.requests[0].ended.wait(5)


async def test_models_are_listed_in_both_formats(claude, gpt):
    assert [model.id async for model in claude.models.list()] == ["fake-strong", "fake-fast"]
    assert [model.id async for model in gpt.models.list()] == ["fake-strong", "fake-fast"]


IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}}
TOOL = {"type": "function", "function": {"name": "grade", "parameters": {"type": "object"}}}
SHAPE = {"type": "json_schema", "json_schema": {"name": "q", "schema": {"type": "object"}}}


@pytest.mark.parametrize("status", [400, 500])
@pytest.mark.parametrize(
    ("lacks", "more"),
    [
        ("schema", {"response_format": SHAPE}),
        ("tools", {"tools": [TOOL]}),
        ("images", {"messages": [{"role": "user", "content": [IMAGE]}]}),
    ],
)
async def test_a_simpler_server_refuses_what_it_cannot(lacks, more, status):
    with Provider(refuses_with=status, **{lacks: False}) as provider:
        async with gpt_for(provider) as gpt:
            with pytest.raises(openai.APIStatusError) as caught:
                await ask_gpt(gpt, ClientResult(), **more)
            assert caught.value.status_code == status
            await ask_gpt(gpt, ClientResult(), response_format={"type": "json_object"})


async def test_a_simpler_server_counts_no_tokens():
    with Provider(usage=False) as provider:
        async with gpt_for(provider) as gpt:
            heard = ClientResult()
            await ask_gpt(gpt, heard)
    assert (heard.finish, heard.tokens) == ("stop", None)


async def test_it_can_speak_one_format_only():
    with Provider(speaks="openai") as provider, http_for(provider) as client:
        assert client.post("/v1/messages", json={}).status_code == 404
        assert client.post("/v1/chat/completions", json={"messages": QUESTION}).status_code == 200


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.1", "localhost", "", "::"])
def test_it_listens_on_this_machine_only(host):
    with pytest.raises(ValueError, match=r"(?i)machine|address|octets"):
        Provider(host=host)


def test_other_processes_control_it_over_http(provider):
    with http_for(provider) as client:
        ask = {"messages": QUESTION}
        assert client.post("/_control", json={"fault": "V4:503", "times": 1}).json() == {"attempts": 0}
        assert client.post("/v1/chat/completions", json=ask).status_code == 503
        client.post("/_control", json={"script": {"": ["Hello", {"tools": [["grade", {"score": 1}]]}]}})
        answers = [client.post("/v1/chat/completions", json=ask).json()["choices"][0]["message"] for _ in range(2)]
        assert (answers[0]["content"], answers[1]["tool_calls"][0]["function"]["name"]) == ("Hello", "grade")
        client.post("/_control", json={"fault": "V4"})
        client.post("/_control", json={"fault": None})
        assert client.post("/v1/chat/completions", json=ask).status_code == 200
        assert client.post("/_control", json={"fault": "V99"}).status_code == 422
        assert [request["fault"] for request in client.get("/_requests").json()] == ["V4:503", "", "", ""]


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"])
@pytest.mark.parametrize("body", ["", "{", "[1]", '"text"', '{"messages": [1]}'])
def test_what_is_no_request_is_refused(provider, path, body):
    with http_for(provider) as client:
        assert client.post(path, content=body).status_code == 400


@pytest.mark.parametrize(
    "body", ["{", "[1]", '"text"', '{"fault": 4}', '{"script": [1]}', '{"script": {"": [{"a": 1}]}}']
)
def test_what_is_no_order_is_refused(provider, body):
    with http_for(provider) as client:
        assert client.post("/_control", content=body).status_code == 422


async def test_no_two_rounds_name_their_tool_calls_alike(provider, claude, gpt):
    provider.otherwise(Answer(tools=(CALL, CALL)))
    more = [{"role": "assistant", "content": "Wait."}, *QUESTION]
    for stream in (False, True):
        ids = set()
        for messages in (QUESTION, QUESTION + more):
            if stream:
                async with claude.messages.stream(model="fake", max_tokens=9, messages=messages) as events:
                    message = await events.get_final_message()
                async with gpt.chat.completions.stream(model="fake", messages=messages) as chunks:
                    completion = await chunks.get_final_completion()
            else:
                message = await claude.messages.create(model="fake", max_tokens=9, messages=messages)
                completion = await gpt.chat.completions.create(model="fake", messages=messages)
            ids |= {block.id for block in message.content}
            ids |= {call.id for call in completion.choices[0].message.tool_calls}
        assert len(ids) == 8


def test_stopping_waits_for_nobody():
    """An answer that never ends does not hold up the end of a test."""
    with Provider() as provider, http_for(provider) as client:
        provider.fault("V12")
        with client.stream("POST", "/v1/messages", json={"messages": QUESTION, "stream": True}) as answer:
            pieces = answer.iter_bytes()
            next(pieces)
            provider.outage()
            with pytest.raises(httpx2.TransportError):
                list(pieces)
