"""Turns served by another process come over the channel layer; the rows make up for what it loses."""

import asyncio
import random
import uuid
from contextlib import ExitStack

import pytest
from asgiref.sync import sync_to_async
from channels.layers import get_channel_layer
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.engine.events import AgentText, TurnResumed
from conversations.models import Event, Turn
from conversations.turns import relay, stream
from conversations.turns import supervisor as supervising
from conversations.turns.feed import Feed, Resumption, number_event
from conversations.turns.relay import Relay, RemoteFeed
from conversations.turns.supervisor import Supervisor
from tests.conversations.turn_helpers import Pause, begun, joined, orphaned

TURN = uuid.uuid4()
FIRST, SECOND = Resumption(), Resumption(attempt=2, seq=4)
LONG_S = 3_600

begin = sync_to_async(begun)


def wires(*seqs):
    return [{"seq": seq} for seq in seqs]


def seqs(events):
    return [wire["seq"] for wire in events]


def feed_of(turn_id=TURN, *, kept=()):
    async def store(events):
        kept.extend(events)

    return Feed(turn_id, first_seq=1, store=store, flush_s=LONG_S, flush_bytes=10**9)


async def until(holds):
    """Let the other tasks work until this holds."""
    while not holds():  # noqa: ASYNC110  # Nothing tells of it.
        await asyncio.sleep(0)


async def seen(turn_id, *, after=0):
    return [wire async for batch in stream.watch(turn_id, after=after) for wire in batch]


class TestFollowing:
    async def test_events_are_taken_in_order_and_once(self):
        following = RemoteFeed()
        following.hear(FIRST, wires(3, 2))
        following.hear(FIRST, wires(3, 5))
        assert seqs(following.take(1)) == [2, 3]
        assert seqs(following.take(3)) == []
        assert following.has_gap
        following.hear(FIRST, wires(4))
        assert seqs(following.take(3)) == [4, 5]
        assert not following.has_gap

    async def test_what_was_read_elsewhere_is_forgotten(self):
        following = RemoteFeed()
        following.hear(FIRST, wires(2, 3, 4))
        assert seqs(following.take(9)) == []
        assert not following.has_gap

    async def test_later_attempt_makes_the_earlier_void(self):
        following = RemoteFeed()
        following.hear(FIRST, wires(4, 5, 6))
        following.hear(SECOND, wires(4))
        following.hear(FIRST, wires(5, 7))
        assert following.resumption == SECOND
        assert seqs(following.take(3)) == [4]
        assert not following.has_gap

    async def test_reader_who_takes_nothing_holds_no_more_than_so_much(self, monkeypatch):
        monkeypatch.setattr(relay, "KEPT_EVENTS", 3)
        following = RemoteFeed()
        following.hear(FIRST, wires(1, 2, 3, 4, 5))
        assert seqs(following.take(0)) == [1, 2, 3]
        assert seqs(following.take(3)) == []

    async def test_asks_at_once_and_then_now_and_then(self):
        following = RemoteFeed()
        assert [following.is_due(), following.is_due()] == [True, False]

    async def test_unanswered_question_sends_the_reader_to_the_rows(self, monkeypatch):
        following = RemoteFeed()
        assert not following.is_current
        following.is_due()
        following.hear(FIRST, ())
        assert following.is_current
        monkeypatch.setattr(relay, "ANSWER_WITHIN_S", 0)
        monkeypatch.setattr(relay, "ASK_EVERY_S", 0)
        assert following.is_due()
        assert not following.is_current

    @given(st.randoms(use_true_random=False), st.integers(1, 30), st.integers(0, 30))
    @settings(max_examples=40, deadline=None)
    def test_whatever_the_layer_does_nothing_is_out_of_order_or_doubled(self, chance: random.Random, count, after):
        following, taken = RemoteFeed(), []
        messages = [wires(seq) for seq in range(1, count + 1) for _ in range(chance.choice([0, 1, 2]))]
        chance.shuffle(messages)
        for message in messages:
            following.hear(FIRST, message)
            taken += seqs(following.take(after + len(taken)))
        assert taken == list(range(after + 1, after + len(taken) + 1))


class TestRelay:
    """Two processes' ends, over the layer of this process."""

    @pytest.fixture(autouse=True)
    async def ends(self):
        with ExitStack() as self.stack:
            yield

    async def told(self, feed, *, after=0, attempt=1):
        """Return a reader in another process who has asked for the feed's turn, and who has been answered."""
        serving, reading = await self.opened({feed.turn_id: feed}), await self.opened({})
        following = self.stack.enter_context(reading.following(feed.turn_id))
        following.resumption = Resumption(attempt=attempt)
        reading.ask(feed.turn_id, following, after=after)
        await following.news.wait()
        return serving, following

    async def opened(self, feeds, *, stop=lambda turn_id: None):
        end = Relay(feeds, stop=stop)
        self.stack.callback(end.close)
        end.open()
        await until(lambda: end._group in get_channel_layer().groups)
        return end

    async def heard(self, following, after, count):
        batch = []
        while len(batch) < count:
            await following.news.wait()
            following.news.clear()
            batch += following.take(after + len(batch))
        return batch

    async def test_events_come_as_they_are_shown(self):
        feed = feed_of()
        feed.emit(AgentText(agent="tutor", text="a"))
        _serving, following = await self.told(feed)
        assert seqs(await self.heard(following, 0, 1)) == [1]
        feed.emit(TurnResumed(attempt=1))
        feed.emit(TurnResumed(attempt=1))
        assert seqs(await self.heard(following, 1, 2)) == [2, 3]

    async def test_nobody_is_sent_what_nobody_asked_for(self):
        feed = feed_of()
        serving = await self.opened({TURN: feed})
        feed.emit(TurnResumed(attempt=1))
        assert (serving._askers, serving._tasks) == ({}, set())

    async def test_sending_ends_where_nobody_asks_any_more(self, monkeypatch):
        monkeypatch.setattr(relay, "ASKED_FOR_S", -1)
        feed = feed_of()
        serving, following = await self.told(feed)
        feed.emit(TurnResumed(attempt=1))
        await until(lambda: not serving._askers)
        assert following.take(0) == []

    async def test_question_brings_what_was_lost(self, monkeypatch):
        monkeypatch.setattr(relay, "ASK_EVERY_S", 0)
        feed = feed_of()
        feed.emit(AgentText(agent="tutor", text="a"))
        serving, following = await self.told(feed)
        (asker,) = serving._askers.values()
        await until(lambda: asker.position == 1)
        following._events.clear()
        serving._asked({"turn_id": str(TURN), "group": asker.group, "after": 0, "attempt": 1})
        assert seqs(await self.heard(following, 0, 1)) == [1]

    async def test_reader_of_an_earlier_attempt_hears_where_the_later_begins(self):
        feed = Feed(TURN, first_seq=4, store=None, flush_s=LONG_S, flush_bytes=10**9)
        feed.emit(TurnResumed(attempt=2))
        _serving, following = await self.told(feed, after=9)
        await self.heard(following, 3, 1)
        assert following.resumption == SECOND

    async def test_event_too_long_for_a_message_is_left_to_its_row(self, monkeypatch):
        monkeypatch.setattr(relay, "MESSAGE_CHARACTERS", 300)
        feed = feed_of()
        for text in ("a", "b" * 300, "c"):
            feed.show(number_event(AgentText(agent="tutor", text=text), turn_id=TURN, seq=feed.next_seq))
        _serving, following = await self.told(feed)
        assert seqs(await self.heard(following, 0, 1)) == [1]
        await until(lambda: following.has_gap)
        assert seqs(following.take(2)) == [3]

    async def test_wish_to_stop_reaches_the_others(self):
        stopped = asyncio.get_running_loop().create_future()
        await self.opened({}, stop=stopped.set_result)
        (await self.opened({})).pass_on_stop(TURN)
        assert await stopped == TURN

    async def test_message_that_makes_no_sense_ends_nothing(self, log):
        feed = feed_of()
        serving, _following = await self.told(feed)
        await get_channel_layer().group_send(relay.BROADCAST_GROUP, {"type": "asked", "turn_id": "1"})
        await until(lambda: log.named("relay_message_not_understood"))
        assert not serving._listening.done()


@pytest.mark.db
@pytest.mark.django_db(transaction=True)
class TestForeignTurn:
    """A turn that the fixture's supervisor serves, watched in another process."""

    @pytest.fixture(autouse=True)
    async def elsewhere(self, shared, supervisor, monkeypatch):
        monkeypatch.setattr(relay, "ASK_EVERY_S", 0.05)
        own = Supervisor()
        monkeypatch.setattr(stream, "supervisor", own)
        yield own
        await own.close()

    @pytest.fixture
    def rarely_stored(self, settings):
        """Rows tell nothing before the end: what is seen earlier has come over the layer."""
        settings.AGENTS = settings.AGENTS | {"flush_s": LONG_S}

    async def test_comes_over_the_layer_before_it_is_stored(self, rarely_stored, supervisor, ada, says):
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        events = []
        async for batch in stream.watch(turn.pk, after=0):
            events += batch
            if joined(events) == "One ":
                assert await Event.objects.filter(turn=turn).acount() == 1
                pause.over.set()
        assert joined(events) == "One half."
        assert seqs(events) == list(range(1, len(events) + 1))

    async def test_late_reader_gets_all_of_it(self, rarely_stored, supervisor, ada, says):
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await pause.reached.wait()
        first, second = asyncio.create_task(seen(turn.pk)), asyncio.create_task(seen(turn.pk, after=2))
        pause.over.set()
        whole = await first
        assert (joined(whole), await second) == ("One half.", whole[2:])

    async def test_stops_at_once_though_asked_to_elsewhere(
        self, rarely_stored, elsewhere, supervisor, ada, says, monkeypatch
    ):
        """Over the layer: the next sign of life of the process that serves it never comes."""
        monkeypatch.setattr(supervising, "HEARTBEAT_S", LONG_S)
        says("One ", Pause(), "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        events = []
        async for batch in stream.watch(turn.pk, after=0):
            events += batch
            if joined(events) == "One ":
                await elsewhere.stop_anywhere(turn.pk)
        assert (joined(events), events[-1]["status"]) == ("One ", "stopped")

    @pytest.mark.parametrize("fault", ["kill", "hang"])
    async def test_without_the_layer_the_rows_tell(self, shared, supervisor, ada, says, fault):
        pause = Pause()
        says("One ", pause, "half.")
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        watching = stream.watch(turn.pk, after=0)
        events = []
        while joined(events) != "One ":
            events += await anext(watching)
        getattr(shared, fault)()
        pause.over.set()
        events += [wire async for batch in watching for wire in batch]
        assert joined(events) == "One half."
        assert seqs(events) == list(range(1, len(events) + 1))

    async def test_attempt_after_a_death_replaces_what_was_heard_of_the_first(
        self, rarely_stored, elsewhere, supervisor, ada, says
    ):
        """What the dead process had shown was never stored: the numbers begin again below."""
        pause = Pause()
        says(*"abcdef", pause)
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        watching = stream.watch(turn.pk, after=0)
        events = []
        while joined(events) != "abcdef":
            events += await anext(watching)
        supervisor._tasks[turn.pk].cancel()
        await supervisor.finished(turn.pk)
        await Event.objects.filter(turn=turn, seq__gt=1).adelete()
        await sync_to_async(orphaned)(turn)
        says("One ", "half.")
        third = Supervisor()
        third.claim(turn.pk)
        events += [wire async for batch in watching for wire in batch]
        await third.finished(turn.pk)
        await third.close()
        assert joined(events) == "One half."
        again = events[seqs(events).index(2, 2) :]
        assert again[0]["type"] == "turn_resumed"
        assert seqs(again) == list(range(2, len(again) + 2))

    async def test_turn_taken_up_here_goes_on_from_its_feed(self, rarely_stored, elsewhere, supervisor, ada, says):
        pause = Pause()
        says("On", pause)
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        watching = stream.watch(turn.pk, after=0)
        events = []
        while joined(events) != "On":
            events += await anext(watching)
        supervisor._tasks[turn.pk].cancel()
        await supervisor.finished(turn.pk)
        await sync_to_async(orphaned)(turn)
        says("One ", "half.")
        elsewhere.claim(turn.pk)
        events += [wire async for batch in watching for wire in batch]
        assert joined(events) == "One half."

    async def test_turn_nobody_serves_is_read_to_its_end(self, ada):
        turn = await begin(ada)
        await Turn.objects.filter(pk=turn.pk).aupdate(status="done")
        assert seqs(await seen(turn.pk)) == [1]
