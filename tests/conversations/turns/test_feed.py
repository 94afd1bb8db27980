"""The feed numbers events, shows them at once and stores them soon after."""

import asyncio
import uuid

import pytest
from django.db import DatabaseError
from hypothesis import given
from hypothesis import strategies as st

from agents.engine.events import AgentFinished, AgentStarted, AgentText, ReplyText, TurnFinished
from conversations.turns.feed import Feed, number_event

pytestmark = pytest.mark.db

SOON = 60.0
"""Longer than any test: what is flushed is flushed for another reason."""


class Store:
    """Rows in memory; fails when told to, waits at the gate where there is one."""

    def __init__(self):
        self.rows, self.batches, self.fails, self.gate = [], [], 0, None
        self.begun, self.written = asyncio.Event(), asyncio.Event()

    async def __call__(self, events):
        self.begun.set()
        if self.gate:
            await self.gate.wait()
        if self.fails:
            self.fails -= 1
            raise DatabaseError("locked")
        self.rows += events
        self.batches.append(len(events))
        self.written.set()


@pytest.fixture(autouse=True)
def _every_piece_at_once(monkeypatch):
    monkeypatch.setattr("conversations.turns.feed.COALESCE_S", {ReplyText: 0.0, AgentText: 0.0})


def feed_of(store, *, first_seq=2, flush_s=SOON, flush_bytes=10**6):
    return Feed(uuid.uuid4(), first_seq=first_seq, store=store, flush_s=flush_s, flush_bytes=flush_bytes)


def say(feed, count):
    for number in range(count):
        feed.emit(ReplyText(text=f"{number} "))


def finish(feed):
    feed.finish([number_event(TurnFinished(reply="", status="done"), turn_id=feed.turn_id, seq=feed.next_seq)])


async def seqs(feed, *, after):
    return [wire["seq"] async for batch in feed.watch(after=after) for wire in batch]


async def test_events_are_numbered_without_gaps_from_the_first_on():
    feed = feed_of(Store(), first_seq=5)
    say(feed, 3)
    finish(feed)
    assert [wire["seq"] for wire in feed.events] == [5, 6, 7, 8]
    assert {wire["turn_id"] for wire in feed.events} == {str(feed.turn_id)}


@given(after=st.integers(0, 60), before=st.integers(0, 30))
def test_whoever_watches_sees_all_events_after_theirs_once_and_in_order(after, before):
    """Whether they came before the watching began or while it went on."""

    async def watched():
        feed = feed_of(Store())
        say(feed, before)
        watching = asyncio.create_task(seqs(feed, after=after))
        await asyncio.sleep(0)
        say(feed, 30 - before)
        finish(feed)
        return await watching

    assert asyncio.run(watched()) == [seq for seq in range(2, 33) if seq > after]


async def test_stalled_watcher_loses_nothing():
    """G7"""
    feed = feed_of(Store())
    watching = feed.watch(after=1)
    say(feed, 1)
    first = await anext(watching)
    say(feed, 300)
    finish(feed)
    rest = [wire async for batch in watching for wire in batch]
    assert [wire["seq"] for wire in first + rest] == list(range(2, 304))


async def test_watchers_do_not_wait_for_one_another():
    feed = feed_of(Store())
    slow, quick = feed.watch(after=0), asyncio.create_task(seqs(feed, after=0))
    say(feed, 1)
    await anext(slow)
    finish(feed)
    assert await quick == [2, 3]


async def test_watcher_is_let_go_when_this_process_no_longer_serves_the_turn():
    feed = feed_of(Store())
    watching = asyncio.create_task(seqs(feed, after=0))
    say(feed, 2)
    await asyncio.sleep(0)
    feed.close()
    assert await watching == [2, 3]


class TestFlush:
    async def test_happens_when_the_time_is_over(self):
        """F7"""
        store = Store()
        feed = feed_of(store, flush_s=0.0)
        say(feed, 3)
        await store.written.wait()
        assert store.batches == [3]

    async def test_happens_when_much_was_said(self):
        """F7: one kilobyte."""
        store = Store()
        feed = feed_of(store, flush_bytes=1024)
        say(feed, 9)
        await asyncio.sleep(0)
        assert not store.rows
        feed.emit(ReplyText(text="x" * 1024))
        async with asyncio.timeout(SOON / 2):
            await store.written.wait()
        assert store.batches == [10]

    async def test_what_is_said_meanwhile_follows_when_the_time_is_over(self):
        """F7"""
        store = Store()
        store.gate = asyncio.Event()
        feed = feed_of(store, flush_s=0.0)
        say(feed, 2)
        await store.begun.wait()
        say(feed, 3)
        store.gate.set()
        while feed.unstored():
            store.written.clear()
            await store.written.wait()
        assert store.batches == [2, 3]

    async def test_that_is_asked_for_waits_for_one_under_way_and_stores_the_rest(self):
        store = Store()
        store.gate = asyncio.Event()
        feed = feed_of(store)
        say(feed, 2)
        first = asyncio.create_task(feed.flush())
        await store.begun.wait()
        say(feed, 3)
        second = asyncio.create_task(feed.flush())
        store.gate.set()
        await asyncio.gather(first, second)
        assert store.batches == [2, 3]

    async def test_failed_one_keeps_the_events_for_the_next(self):
        store = Store()
        store.fails = 1
        feed = feed_of(store)
        say(feed, 2)
        await feed.flush()
        assert (store.rows, len(feed.unstored())) == ([], 2)
        say(feed, 1)
        await feed.flush()
        assert store.batches == [3]

    async def test_none_begins_once_the_rest_goes_with_the_turns_end(self):
        store = Store()
        feed = feed_of(store)
        say(feed, 2)
        assert feed.settle() == feed.events
        await feed.flush()
        assert store.rows == []

    async def test_what_one_under_way_may_not_have_stored_goes_with_the_turns_end_too(self):
        store = Store()
        store.gate = asyncio.Event()
        feed = feed_of(store)
        say(feed, 2)
        flushing = asyncio.create_task(feed.flush())
        await store.begun.wait()
        say(feed, 1)
        assert feed.settle() == feed.events
        store.gate.set()
        await flushing
        assert store.batches == [2]


@pytest.mark.parametrize("text", ["🥧", "a\u2028b", "<b>"])
async def test_text_is_shown_as_it_was_said(text):
    feed = feed_of(Store())
    feed.emit(ReplyText(text=text))
    assert feed.events[0]["text"] == text


async def test_old_events_are_let_go_once_stored(monkeypatch):
    """G12: what one turn keeps in memory is bounded, whoever watches; nothing is lost of it."""
    monkeypatch.setattr("conversations.turns.feed.KEPT_EVENTS", 10)
    store = Store()
    feed = feed_of(store)
    watching = feed.watch(after=1)
    said = []
    for _ in range(20):
        say(feed, 7)
        await feed.flush()
        assert len(feed.events) < 2 * 10 + 7
        if not said:
            said += await anext(watching)
    finish(feed)
    assert [wire["seq"] for wire in said] == list(range(2, 9))
    assert [batch async for batch in watching] == []
    assert [wire["seq"] for wire in store.rows + feed.unstored()] == list(range(2, 143))
    assert feed.reply() == "".join(f"{number} " for number in range(7)) * 20
    assert await seqs(feed, after=feed.oldest_seq - 1) == list(range(feed.oldest_seq, 143))


@given(st.lists(st.sampled_from(["reply", "one", "two", "other", "stored"]), max_size=80))
def test_gathered_pieces_lose_nothing_and_stay_in_order(steps):
    """G12: a torrent that rows cannot keep up with becomes fewer, longer pieces: each agent's own stay whole."""

    async def emitted():
        store = Store()
        feed = feed_of(store)
        said = {"reply": "", "one": "", "two": ""}
        for number, step in enumerate(steps):
            if step == "stored":
                await feed.flush()
            elif step == "other":
                feed.emit(TurnFinished(reply=feed.reply(), status="done"))
            else:
                said[step] += f"{number} "
                piece = ReplyText(text=f"{number} ") if step == "reply" else AgentText(agent=step, text=f"{number} ")
                feed.emit(piece)
        assert feed.reply() == said["reply"]
        feed.settle()
        return said, store.rows + feed.unstored()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("conversations.turns.feed.BACKLOG_EVENTS", 5)
        said, wires = asyncio.run(emitted())
    assert [wire["seq"] for wire in wires] == list(range(2, len(wires) + 2))
    heard = {"reply": "", "one": "", "two": ""}
    for wire in wires:
        if wire["type"] == "turn_finished":
            assert wire["reply"] == heard["reply"]
        else:
            heard[wire.get("agent", "reply")] += wire["text"]
    assert heard == said


class TestGathered:
    @pytest.fixture(autouse=True)
    def _for_long(self, monkeypatch):
        monkeypatch.setattr("conversations.turns.feed.COALESCE_S", {ReplyText: SOON, AgentText: 2 * SOON})

    def shown(self, feed):
        return [(wire["type"], wire.get("text")) for wire in feed.events]

    async def test_first_piece_is_shown_at_once_and_the_rest_with_what_follows(self):
        feed = feed_of(Store())
        say(feed, 4)
        assert self.shown(feed) == [("reply_text", "0 ")]
        feed.emit(AgentStarted(agent="tutor"))
        assert self.shown(feed) == [("reply_text", "0 "), ("reply_text", "1 2 3 "), ("agent_started", None)]

    async def test_pieces_are_shown_when_their_time_is_over(self, monkeypatch):
        monkeypatch.setattr("conversations.turns.feed.COALESCE_S", {ReplyText: 0.001, AgentText: SOON})
        feed = feed_of(Store())
        feed.emit(AgentText(agent="one", text="a"))
        feed.emit(AgentText(agent="one", text="b"))
        # The learner's own words do not wait for what agents say to one another.
        feed.emit(ReplyText(text="c"))
        feed.emit(ReplyText(text="d"))
        watching = feed.watch(after=2)
        await anext(watching)
        assert sorted(self.shown(feed)[1:]) == [("agent_text", "b"), ("reply_text", "cd")]

    async def test_each_agents_pieces_stay_its_own(self):
        feed = feed_of(Store())
        for number in range(3):
            for agent in ("one", "two"):
                feed.emit(AgentText(agent=agent, text=f"{number}"))
        feed.settle()
        assert [(wire["agent"], wire["text"]) for wire in feed.events] == [("one", "0"), ("two", "012"), ("one", "12")]

    async def test_an_agents_end_comes_after_its_own_words_and_leaves_those_of_others_whole(self):
        feed = feed_of(Store())
        feed.emit(AgentText(agent="quiz", text="at once"))
        for agent in ("quiz", "research"):
            feed.emit(AgentText(agent=agent, text="so "))
        feed.emit(AgentFinished(agent="quiz", ms=1.0))
        feed.emit(AgentText(agent="research", text="far"))
        feed.emit(AgentFinished(agent="research", ms=1.0))
        quiz, research = [("quiz", "so "), ("quiz", None)], [("research", "so far"), ("research", None)]
        assert [(wire["agent"], wire.get("text")) for wire in feed.events] == [("quiz", "at once"), *quiz, *research]

    async def test_what_is_due_takes_what_was_gathered_with_it(self, monkeypatch):
        feed = feed_of(Store())
        for text in ("a", "b"):
            feed.emit(AgentText(agent="quiz", text=text))
        monkeypatch.setattr("conversations.turns.feed.COALESCE_S", {AgentText: 0.0})
        feed.emit(AgentText(agent="quiz", text="c"))
        assert [(wire["agent"], wire.get("text")) for wire in feed.events] == [("quiz", "a"), ("quiz", "bc")]


async def test_torrent_is_gathered(monkeypatch):
    """G12"""
    monkeypatch.setattr("conversations.turns.feed.BACKLOG_EVENTS", 10)
    store = Store()
    feed = feed_of(store, flush_bytes=1)
    store.gate = asyncio.Event()
    say(feed, 1000)
    assert len(feed.events) == 10
    store.gate.set()
    await feed.flush()
    assert len(store.rows) == 11
    assert "".join(wire["text"] for wire in store.rows) == feed.reply()


async def test_events_not_stored_are_kept(monkeypatch):
    monkeypatch.setattr("conversations.turns.feed.KEPT_EVENTS", 10)
    store = Store()
    feed = feed_of(store)
    store.fails = 3
    for _ in range(3):
        say(feed, 20)
        await feed.flush()
    assert (len(feed.unstored()), store.rows) == (60, [])
    await feed.flush()
    assert [wire["seq"] for wire in store.rows] == list(range(2, 62))
