"""The companion's calls: what they answer, what they refuse, whose a session is, and that it is gone when deleted."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache

from conversations.companion import workspaces
from conversations.companion.answers import build_chat_answer
from conversations.companion.state import KEY
from conversations.history.actions import purge
from conversations.models import Event, Message, Session, Turn
from learnagent.accounts.authentication.api_tokens import make_token
from tests.api_schemas import schema_errors
from tests.conversations.turn_helpers import Pause, begun
from tests.learnagent.api.test_ninja_api import ERROR, Caller, refusal

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def calls(supervisor):
    """Return a function that makes a person's program; of nobody, a visitor's."""

    async def caller(person=None, **token):
        return Caller(await sync_to_async(make_token)(person, **token) if person else None, path="/chat")

    return caller


@pytest.fixture
async def ada_calls(calls, ada):
    return await calls(ada)


@pytest.fixture
def workspace_of_ada(monkeypatch, ada):
    monkeypatch.setattr(workspaces, "_checks", [lambda person, name: person == ada and name == "class-4b"])


async def delete(caller, path):
    return await caller.client.delete(path, headers=caller.headers)


async def test_answer_is_as_described(ada_calls):
    response = await ada_calls.post({"message": "hello", "session_id": "s"})
    answer = response.json()
    assert response.status_code == 200
    assert schema_errors(answer, "ChatAnswer") == []
    assert answer | {"timestamp": ""} == {
        "response": "One half.",
        "agent": "speaker",
        "session_id": "s",
        "turn_count": 1,
        "timestamp": "",
        "handoffs": [],
        "routing": {"strategy": "rule", "confidence": None, "reason": "Nobody else is here."},
    }
    assert (await ada_calls.post({"message": "again", "session_id": "s"})).json()["turn_count"] == 2


async def test_it_is_an_ordinary_session(ada_calls, ada):
    key = (await ada_calls.post({"message": "hello"})).json()["session_id"]
    await ada_calls.post({"text": "and more", "session_id": key}, path="/v2/conversation")
    listed = (await ada_calls.get("/v2/sessions")).json()
    assert [each["session_id"] for each in listed] == [key]
    assert (await ada_calls.get(f"/session/{key}")).json()["turn_count"] == 2


async def test_stream_is_the_turns_events(ada_calls):
    response = await ada_calls.post({"message": "hello", "session_id": "s"}, path="/chat/stream")
    assert response["Content-Type"] == "text/event-stream"
    text = b"".join([piece async for piece in response]).decode()
    lines = text.split("\n\n")
    assert lines.pop() == ""
    events = [json.loads(line.removeprefix("data: ")) for line in lines]
    assert [each["seq"] for each in events] == list(range(1, len(events) + 1))
    assert {each["turn_id"] for each in events} == {response["X-Turn-Id"]}
    assert (events[0]["type"], events[-1]["type"]) == ("turn_started", "turn_finished")
    assert (
        "".join(each["text"] for each in events if each["type"] == "reply_text") == events[-1]["reply"] == "One half."
    )


@pytest.mark.parametrize(
    ("body", "status", "fields"),
    [
        ({"message": ""}, 422, {"message"}),
        ({"message": "a\x00"}, 422, {"message"}),
        ({"message": 7}, 422, {"message"}),
        ({}, 422, {"message"}),
        ({"message": "hi", "session_id": "a/../b"}, 422, {"session_id"}),
        ({"message": "hi", "text": "hi"}, 422, {"text"}),
        ({"message": "a" * 10_001}, 413, set()),
        ([], 400, set()),
        ("{", 400, set()),
        ({"message": "hi", "workspace": "class-9"}, 404, set()),
        ({"message": "hi", "workspace": ""}, 404, set()),
        ({"message": "hi", "workspace": "x\x00"}, 404, set()),
        ({"message": "hi", "workspace": "a" * 61}, 404, set()),
    ],
)
@pytest.mark.parametrize("path", ["/chat", "/chat/stream"])
async def test_a_bad_request_is_refused_and_nothing_is_stored(ada_calls, path, body, status, fields):
    response = await ada_calls.post(body, path=path)
    error = response.json()["error"]
    assert response.status_code == status
    assert set(error.get("fields", {})) == fields
    assert error.keys() - {"fields"} == ERROR
    assert not await Turn.objects.aexists()


async def test_other_content_and_other_methods_are_refused(ada_calls):
    assert refusal(await ada_calls.post("message=hi", content_type="application/x-www-form-urlencoded")) == (
        415, "unsupported_type",
    )  # fmt: skip
    response = await ada_calls.get("/chat")
    assert (refusal(response), response["Allow"]) == ((405, "method_not_allowed"), "POST")
    assert refusal(await ada_calls.get("/chat/nowhere")) == (404, "not_found")
    assert refusal(await ada_calls.get("/session/")) == (404, "not_found")


async def test_nobody_is_let_in_without_a_token_or_with_too_small_a_one(calls, ada):
    visitor, reader = await calls(), await calls(ada, scopes=["read"])
    assert refusal(await visitor.post({"message": "hi"})) == (401, "unauthenticated")
    assert refusal(await visitor.get("/session/s")) == (401, "unauthenticated")
    assert refusal(await reader.post({"message": "hi"})) == (404, "not_found")
    assert refusal(await delete(reader, "/session/s")) == (404, "not_found")


async def test_a_session_is_its_owners_alone(calls, ada_calls, eve):
    await ada_calls.post({"message": "hello", "session_id": "s"})
    eves = await calls(eve)
    assert refusal(await eves.get("/session/s")) == refusal(await delete(eves, "/session/s")) == (404, "not_found")
    assert (await eves.post({"message": "mine", "session_id": "s"})).json()["turn_count"] == 1
    assert (await ada_calls.get("/session/s")).json()["turn_count"] == 1


async def test_a_second_message_waits_for_the_first(ada_calls, says):
    pause = Pause()
    says(pause, "One half.")
    first = asyncio.create_task(ada_calls.post({"message": "hello", "session_id": "s"}))
    await pause.reached.wait()
    assert refusal(await ada_calls.post({"message": "more", "session_id": "s"})) == (409, "turn_in_progress")
    pause.over.set()
    assert (await first).status_code == 200


async def test_too_many_messages_are_refused_with_a_time(ada_calls, settings):
    settings.AGENTS = settings.AGENTS | {"turns_per_minute": 1}
    await ada_calls.post({"message": "hello", "session_id": "s"})
    response = await ada_calls.post({"message": "more", "session_id": "s"})
    assert (refusal(response), response["Retry-After"]) == ((429, "rate_limited"), "30")


@pytest.mark.usefixtures("workspace_of_ada")
async def test_a_session_stays_in_its_workspace_until_it_is_told_to_leave(ada_calls, calls, eve):
    async def workspace(**said):
        await ada_calls.post({"message": "hello", "session_id": "s"} | said)
        return (await ada_calls.get("/session/s")).json()["workspace"]

    assert await workspace() == "personal"
    assert await workspace(workspace="class-4b") == "class-4b"
    assert await workspace() == "class-4b"
    assert await workspace(workspace="personal") == "personal"
    assert refusal(await (await calls(eve)).post({"message": "hi", "workspace": "class-4b"})) == (404, "not_found")


async def test_what_agents_knew_is_not_taken_to_another_workspace(ada_calls, workspace_of_ada):
    await ada_calls.post({"message": "hello", "session_id": "s"})
    session = await Session.objects.aget()
    session.state[KEY] |= {"current_agent": "task", "contexts": {"task": {"last": 7}}}
    await session.asave()
    await ada_calls.post({"message": "more", "session_id": "s"})
    assert (await ada_calls.get("/session/s")).json()["agent_contexts"] == {"task": {"last": 7}}
    await ada_calls.post({"message": "more", "session_id": "s", "workspace": "class-4b"})
    found = (await ada_calls.get("/session/s")).json()
    assert (found["workspace"], found["current_agent"], found["agent_contexts"]) == ("class-4b", None, {})


async def test_a_deleted_session_is_gone_with_what_the_cache_had_and_what_ran(ada_calls, says):
    await ada_calls.post({"message": "hello", "session_id": "s"})
    session = await Session.objects.aget()
    key = f"checkpoint:{session.owner_id}-{session.pk}:latest"
    assert cache.get(key)
    pause = Pause()
    says("One ", pause)
    running = asyncio.create_task(ada_calls.post({"message": "more", "session_id": "s"}))
    await pause.reached.wait()
    response = await delete(ada_calls, "/session/s")
    assert (response.status_code, response.json()) == (200, {"message": "The conversation was deleted."})
    await running
    assert cache.get(key) is None
    assert (
        refusal(await ada_calls.get("/session/s"))
        == refusal(await delete(ada_calls, "/session/s"))
        == (404, "not_found")
    )
    assert await sync_to_async(purge)() == 1
    assert not await Message.objects.aexists()


@sync_to_async
def finished(person, *events, speakers=(), **answer):
    """Return the answer of a turn that another process has served with these events."""
    turn = begun(person)
    Turn.objects.filter(pk=turn.pk).update(status="done", answer={"speakers": list(speakers)} | answer)
    for seq, body in enumerate(events, 2):
        Event.objects.create(turn=turn, seq=seq, type=body["type"], body=body | {"seq": seq})
    turn.refresh_from_db()
    return build_chat_answer(turn, person).model_dump(by_alias=True)


def routed(to, strategy, confidence=0.9):
    return {"type": "routed", "from": "", "to": to, "strategy": strategy, "confidence": confidence, "reason": "So."}


def handed_off(giver, to):
    return {"type": "handed_off", "from": giver, "to": to, "reason": f"{to} knows."}


async def test_handoffs_and_the_last_speaker_are_told(host, ada):
    found = await finished(
        ada, routed("event", "keyword"), handed_off("event", "task"), handed_off("task", "food"),
        speakers=["event", "task", "food"],
    )  # fmt: skip
    assert found["agent"] == "food"
    assert found["handoffs"] == [
        {"from": "event", "to": "task", "reason": "task knows."},
        {"from": "task", "to": "food", "reason": "food knows."},
    ]
    assert found["routing"] == {"strategy": "keyword", "confidence": 0.9, "reason": "So."}


async def test_what_was_said_before_a_restart_is_not_told_twice(host, ada):
    again = {"type": "turn_resumed", "attempt": 2}
    found = await finished(
        ada, routed("event", "llm", None), handed_off("event", "task"), again, routed("event", "llm", None),
        handed_off("event", "task"), speakers=["event", "task"],
    )  # fmt: skip
    assert len(found["handoffs"]) == 1
    assert found["routing"]["confidence"] is None


@pytest.mark.parametrize(
    ("strategy", "told"),
    [
        ("rule", "rule"),
        ("keyword", "keyword"),
        ("classifier", "classifier"),
        ("llm", "llm"),
        ("current", "current"),
        ("panel", "rule"),
    ],
)
async def test_strategies_are_the_five_of_the_contract(host, ada, strategy, told):
    found = await finished(ada, routed("tutor", strategy))
    assert (found["routing"]["strategy"], found["agent"]) == (told, "tutor")


async def test_a_turn_without_a_route_has_an_answer(host, ada):
    found = await finished(ada)
    assert (found["agent"], found["routing"]["confidence"]) == ("tutor", None)


async def test_handoffs_go_over_the_wire_by_their_names(ada_calls, host):
    def hand_off(turn):
        Event.objects.create(turn=turn, seq=900, type="handed_off", body=handed_off("event", "task") | {"seq": 900})

    host.on_prepare = hand_off
    answer = (await ada_calls.post({"message": "hello"})).json()
    assert answer["handoffs"] == [{"from": "event", "to": "task", "reason": "task knows."}]
    assert schema_errors(answer, "ChatAnswer") == []
