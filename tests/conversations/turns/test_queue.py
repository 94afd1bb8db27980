"""A full process serves the turns it has; the others wait for it in order, and are told so."""

import asyncio
import json

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from conversations.models import Turn
from conversations.turns import leases, recovery, relay, stream
from tests.conversations.sockets import Socket, token_of
from tests.conversations.turn_helpers import Pause, accepted, begun, bodies, joined, orphaned, reply

pytestmark = pytest.mark.django_db(transaction=True)

accept = sync_to_async(accepted)
begin = sync_to_async(begun)
stored = sync_to_async(bodies)
reply_to = sync_to_async(reply)


@pytest.fixture
def full(settings, says):
    """A process with room for one turn; return the cue that its turns wait for."""
    settings.AGENTS = settings.AGENTS | {"turns_in_process": 1, "turns_at_once": 10}
    pause = Pause()
    says("One ", pause, "half.")
    return pause


async def started(supervisor, owner, *keys):
    begun = [await accept(owner, key=key) for key in keys]
    for each in begun:
        supervisor.start(each)
    return [each.turn for each in begun]


async def watched(turn, *, after=0):
    return [wire async for batch in stream.watch(turn.pk, after=after) for wire in batch]


async def settled(supervisor, *turns):
    await asyncio.gather(*(supervisor.finished(turn.pk) for turn in turns))
    for turn in turns:
        await turn.arefresh_from_db()
    return [turn.status for turn in turns]


async def said_to_wait(turn):
    """Wait until the turn has said that it waits."""
    async for batch in stream.watch(turn.pk, after=0):
        if batch[-1]["type"] == "queued":
            return


async def test_others_wait_in_order_and_are_served_when_there_is_room(supervisor, ada, full):
    served = await started(supervisor, ada, *"abc")
    await full.reached.wait()
    assert [supervisor.position(turn.pk) for turn in served] == [0, 1, 2]
    assert len(supervisor._runs) == 1
    watching = asyncio.create_task(watched(served[2]))
    await said_to_wait(served[2])
    full.over.set()
    assert await settled(supervisor, *served) == ["done"] * 3
    assert served[0].finished_at <= served[1].finished_at <= served[2].finished_at
    assert [supervisor.position(turn.pk) for turn in served] == [0, 0, 0]
    for place, turn in enumerate(served):
        wires = await stored(turn.pk)
        assert [wire["seq"] for wire in wires] == list(range(1, len(wires) + 1))
        assert [wire["position"] for wire in wires if wire["type"] == "queued"] == ([place] if place else [])
        assert joined(wires) == "One half."
    assert await watching == await stored(served[2].pk)


async def test_watcher_of_a_waiting_turn_hears_its_beginning_without_asking_the_rows(
    supervisor, ada, full, monkeypatch
):
    monkeypatch.setattr(relay, "ANSWER_WITHIN_S", 3600)
    _running, waiting = await started(supervisor, ada, *"ab")
    await said_to_wait(waiting)
    watching = asyncio.create_task(watched(waiting, after=2))
    full.over.set()
    assert joined(await watching) == "One half."


async def test_waiting_turn_that_is_stopped_ends_at_once(supervisor, ada, full):
    running, waiting = await started(supervisor, ada, *"ab")
    await full.reached.wait()
    assert supervisor.stop(waiting.pk)
    assert await settled(supervisor, waiting) == ["stopped"]
    assert (await reply_to(waiting)).text == ""
    full.over.set()
    assert await settled(supervisor, running) == ["done"]


async def test_waiting_turn_that_another_process_took_is_left_to_it(supervisor, ada, full):
    running, waiting, last = await started(supervisor, ada, *"abc")
    await said_to_wait(last)
    await Turn.objects.filter(pk=waiting.pk).aupdate(status="running", lease_owner="another", attempt=1)
    full.over.set()
    assert await settled(supervisor, running, waiting, last) == ["done", "running", "done"]


async def test_waiting_turn_is_held_like_a_running_one(supervisor, ada, full):
    """Its lease is renewed, so that nobody else takes it up, and at the end it is given back."""
    _running, waiting = await started(supervisor, ada, *"ab")
    await said_to_wait(waiting)
    await Turn.objects.aupdate(lease_until="2020-01-01T00:00:00Z")
    assert await sync_to_async(leases.renew_leases)(list(supervisor._tasks)) == 2
    assert await recovery.find_orphans() == []
    await supervisor.close()
    assert set(await recovery.find_orphans()) == {_running.pk, waiting.pk}


async def test_orphan_waits_too_and_is_resumed(supervisor, ada, full):
    (running,) = await started(supervisor, ada, "a")
    await full.reached.wait()
    orphan = await begin(ada, key="b")
    await sync_to_async(orphaned)(orphan)
    assert await recovery.recover_orphans() == [orphan.pk]
    full.over.set()
    assert await settled(supervisor, running, orphan) == ["done", "done"]
    assert orphan.attempt == 2


async def test_failed_turn_makes_room(supervisor, ada, full, host):
    def fail(turn, result):
        raise ValueError("no")

    host.on_settle = fail
    served = await started(supervisor, ada, *"abc")
    full.over.set()
    assert await settled(supervisor, *served) == ["running"] * 3
    assert not supervisor._tasks


async def test_socket_is_told_its_place(connect, supervisor, ada, full):
    first, second = [await connect(ada, f"/v2/ws/{key}") for key in "ab"]
    await first.say("hello")
    await full.reached.wait()
    await second.say("hello")
    queued = (await second.until("queued"))[-1]
    assert (queued["seq"], queued["position"]) == (2, 1)
    full.over.set()
    assert joined(await second.until("turn_finished")) == "One half."


async def test_call_is_answered_at_once_with_its_place(supervisor, ada, full):
    headers = {"Authorization": f"Bearer {await token_of(ada)}"}

    async def post(text, key):
        body = json.dumps({"text": text, "session_id": key, "client_id": key})
        return await AsyncClient().post("/v2/conversation", body, content_type="application/json", headers=headers)

    first = asyncio.create_task(post("hello", "a"))
    await full.reached.wait()
    second = await post("hello", "b")
    turn = await Turn.objects.aget(session__key="b")
    assert (second.status_code, second.json()) == (202, {"turn_id": str(turn.pk), "queued": 1})
    assert (await post("hello", "b")).json() == second.json()
    full.over.set()
    assert (await first).json()["response"] == "One half."
    again = await post("hello", "b")
    assert (again.status_code, again.json()["response"]) == (200, "One half.")


async def test_page_says_the_place_in_line(connect, supervisor, ada, full):
    await started(supervisor, ada, "a")
    await full.reached.wait()
    (waiting,) = await started(supervisor, ada, "b")
    page = await connect(ada, f"/live/b?turn={waiting.pk}&after=0", by=Socket.by_cookie)
    assert "You are number 1 in line" in await page.until_text("in line")
    full.over.set()


async def test_message_is_refused_and_not_stored_when_too_many_wait(connect, supervisor, ada, full, settings):
    """Overload: a place in the queue first, then a refusal that says when to try again."""
    settings.AGENTS = settings.AGENTS | {"turns_waiting": 1}
    await started(supervisor, ada, *"ab")
    await full.reached.wait()
    headers = {"Authorization": f"Bearer {await token_of(ada)}"}
    body = json.dumps({"text": "hello", "session_id": "c"})
    refused = await AsyncClient().post("/v2/conversation", body, content_type="application/json", headers=headers)
    assert (refused.status_code, refused["Retry-After"]) == (503, "10")
    assert refused.json()["error"]["code"] == "unavailable"
    socket = await connect(ada, "/v2/ws/c")
    await socket.say("hello")
    error = (await socket.until("error"))[-1]["error"]
    assert (error["code"], error["retry_after_s"]) == ("unavailable", 10)
    assert not await Turn.objects.filter(session__key="c").aexists()
    full.over.set()


async def test_message_sent_again_finds_its_turn_although_too_many_wait(supervisor, ada, full, settings):
    settings.AGENTS = settings.AGENTS | {"turns_waiting": 1}
    _running, waiting = await started(supervisor, ada, *"ab")
    await full.reached.wait()
    again = await accept(ada, key="b", client_id=waiting.client_id)
    assert (again.created, again.turn.pk) == (False, waiting.pk)
    full.over.set()
