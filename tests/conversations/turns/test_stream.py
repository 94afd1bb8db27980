"""A turn is watched from any event on, live or stored, without gap or double."""

import asyncio
import uuid

import pytest
from asgiref.sync import sync_to_async
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.engine.events import ReplyText, TurnFinished, TurnResumed
from conversations.models import Turn
from conversations.turns import relay, stream
from conversations.turns.feed import number_event, store_events
from tests.conversations.turn_helpers import Pause, begun, joined

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

begin = sync_to_async(begun)


@sync_to_async
def store(turn, *events, status="done"):
    """Store these events of the turn, from number 2 on."""
    store_events([number_event(event, turn_id=turn.pk, seq=2 + index) for index, event in enumerate(events)])
    Turn.objects.filter(pk=turn.pk).update(status=status)


async def watched(turn_id, *, after=0):
    return [wire async for batch in stream.watch(turn_id, after=after) for wire in batch]


def seqs(wires):
    return [wire["seq"] for wire in wires]


LAST = TurnFinished(reply="", status="done")


async def test_finished_turn_is_replayed_from_its_rows(supervisor, ada):
    turn = await begin(ada)
    await store(turn, ReplyText(text="a"), LAST)
    assert seqs(await watched(turn.pk)) == [1, 2, 3]


async def test_running_turn_is_replayed_from_any_event(supervisor, ada, says):
    """Stored ones first, then the feed's, then those that come."""
    pause = Pause()
    says(*"abcdef", pause, *"ghijkl")
    turn = await begin(ada)
    supervisor.claim(turn.pk)
    await pause.reached.wait()
    watching = {after: asyncio.create_task(watched(turn.pk, after=after)) for after in range(14)}
    await asyncio.sleep(0)
    pause.over.set()
    await supervisor.finished(turn.pk)
    whole = await watched(turn.pk)
    assert joined(whole) == "abcdefghijkl"
    for after, task in watching.items():
        assert await task == whole[after:]


async def test_turn_of_another_process_is_followed_by_its_rows(supervisor, ada, monkeypatch):
    monkeypatch.setattr(relay, "ANSWER_WITHIN_S", 0)
    turn = await begin(ada)
    watching = asyncio.create_task(watched(turn.pk))
    await store(turn, ReplyText(text="a"), status="running")
    await store_more(turn, 3)
    assert seqs(await watching) == [1, 2, 3]


@sync_to_async
def store_more(turn, seq):
    store_events([number_event(LAST, turn_id=turn.pk, seq=seq)])
    Turn.objects.filter(pk=turn.pk).update(status="done")


async def test_turn_of_long_ago_without_its_events_ends_at_once(supervisor, ada):
    turn = await begin(ada)
    await Turn.objects.aupdate(status="done")
    await turn.events.all().adelete()
    assert await watched(turn.pk) == []


async def test_turn_that_is_not_there_ends_at_once(supervisor):
    assert await watched(uuid.uuid4()) == []


async def test_many_events_come_in_pages(supervisor, ada):
    turn = await begin(ada)
    await store(turn, *(ReplyText(text="a") for _ in range(stream.PAGE + 10)), LAST)
    assert seqs(await watched(turn.pk)) == list(range(1, stream.PAGE + 13))


class TestResumed:
    """What was seen before a process died may not have been stored: whoever saw more starts where it went on."""

    @pytest.mark.parametrize(("after", "first"), [(0, 1), (1, 2), (2, 3), (3, 4), (4, 4), (9, 4), (2**31, 4)])
    async def test_replay_begins_no_later_than_the_resumption(self, supervisor, ada, after, first):
        turn = await begin(ada)
        await store(turn, ReplyText(text="a"), ReplyText(text="b"), TurnResumed(attempt=2), ReplyText(text="c"), LAST)
        assert seqs(await watched(turn.pk, after=after)) == list(range(first, 7))

    async def test_live_one_is_heard_of_by_whoever_saw_more(self, supervisor, ada, says):
        pause = Pause()
        says(pause, "One half.")
        turn = await begin(ada)
        await Turn.objects.aupdate(status="running", attempt=1, lease_owner="dead", lease_until="2020-01-01T00:00:00Z")
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        watching = asyncio.create_task(watched(turn.pk, after=40))
        pause.over.set()
        wires = await watching
        assert wires[0]["type"] == "turn_resumed"
        assert joined(wires) == "One half."

    async def test_socket_that_stayed_goes_on_after_it(self, supervisor, ada, monkeypatch):
        """It followed the rows of a process that died, and sees the new one's."""
        monkeypatch.setattr(relay, "ANSWER_WITHIN_S", 0)
        turn = await begin(ada)
        await store(turn, ReplyText(text="On"), status="running")
        watching = stream.watch(turn.pk, after=0)
        seen = await anext(watching)
        await Turn.objects.aupdate(attempt=1, lease_owner="dead", lease_until="2020-01-01T00:00:00Z")
        supervisor.claim(turn.pk)
        seen += [wire async for batch in watching for wire in batch]
        assert seqs(seen) == list(range(1, len(seen) + 1))
        assert joined(seen) == "One half."


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(after=st.integers(0, 40))
def test_replay_gives_exactly_what_came_later(transactional_db, host, after):
    from asgiref.sync import async_to_sync
    from django.contrib.auth import get_user_model

    ada, _ = get_user_model().objects.get_or_create(username="ada")
    turn = Turn.objects.filter(owner=ada).first() or begun(ada)
    if turn.is_open:
        async_to_sync(store)(turn, *(ReplyText(text=f"{n} ") for n in range(30)), LAST)
    assert seqs(async_to_sync(watched)(turn.pk, after=after)) == [seq for seq in range(1, 33) if seq > after]


async def test_first_words_are_stored_by_the_time_they_were_waited_for(supervisor, ada, says):
    pause = Pause()
    says("Here", pause, " is more")
    turn = await begin(ada)
    supervisor.claim(turn.pk)
    await stream.wait_for_first_words(turn.pk, within_s=10)
    assert [body["text"] async for body in texts(turn)] == ["Here"]
    pause.over.set()
    await supervisor.finished(turn.pk)


async def test_nobody_waits_long_for_first_words_that_do_not_come(supervisor, ada, says):
    pause = Pause()
    says(pause, "Here")
    turn = await begin(ada)
    supervisor.claim(turn.pk)
    await stream.wait_for_first_words(turn.pk, within_s=0.001)
    pause.over.set()
    await supervisor.finished(turn.pk)
    assert joined(await watched(turn.pk)) == "Here"


def texts(turn):
    return turn.events.filter(type="reply_text").order_by("seq").values_list("body", flat=True)
