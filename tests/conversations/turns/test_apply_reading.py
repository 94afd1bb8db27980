"""What a message was read as is stored once, by the process that has the turn, after it was acknowledged."""

import asyncio
import threading
from functools import partial

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection, transaction

from conversations.models import Message, Session, Turn
from conversations.turns import apply, fault_injection
from conversations.turns.handler import MessageReading
from conversations.turns.supervisor import Supervisor
from tests.conversations.turn_helpers import begun, bodies, joined, orphaned, read_of

pytestmark = pytest.mark.db

begin = sync_to_async(begun)
leave = sync_to_async(orphaned)
stored = sync_to_async(bodies)


def count(turn):
    """Apply a reading so that a second time shows."""
    turn.session.state["applied"] = turn.session.state.get("applied", 0) + 1
    turn.payload.setdefault("numbers", []).append(turn.number)


@pytest.fixture
def counted(host):
    host.on_apply = count
    return host


def in_database(turn):
    row = Turn.objects.select_related("session").get(pk=turn.pk)
    return row.session.state.get("applied", 0), row.payload.get("numbers", []), row.decision


ONCE = (1, [1], {})
NEVER = (0, [], None)


@pytest.mark.django_db
class TestTransaction:
    def test_stores_reading_decision_and_what_they_come_to(self, ada, counted):
        turn = begun(ada)
        reading = MessageReading(analysis={"mood": "ok"}, decision=None)
        assert apply.apply_reading(turn, reading)
        assert in_database(turn) == ONCE
        assert Turn.objects.get().analysis == {"mood": "ok"}

    @pytest.mark.parametrize(
        "lost", [{"lease_owner": "another"}, {"attempt": 2}, {"status": "done"}], ids=["taken", "taken here", "ended"]
    )
    def test_process_that_lost_the_turn_stores_nothing(self, ada, counted, lost):
        turn = begun(ada)
        reading = read_of(turn)
        Turn.objects.update(**lost)
        assert not apply.apply_reading(turn, reading)
        assert in_database(turn) == NEVER

    def test_done_again_after_a_commit_of_which_nobody_heard_it_changes_nothing(self, ada, counted):
        turn = begun(ada)
        stale, reading = Turn.objects.select_related("session").get(), read_of(turn)
        for unsure in (turn, stale):
            assert apply.apply_reading(unsure, reading)
        assert in_database(turn) == ONCE
        assert (stale.decision, stale.payload, stale.session.state["applied"]) == ({}, {"numbers": [1]}, 1)

    def test_done_again_after_it_was_undone_counts_once(self, ada, counted):
        """As where PostgreSQL refuses the commit itself, and the writer tries once more on the same objects."""
        turn = begun(ada)
        reading = read_of(turn)
        with transaction.atomic():
            apply.apply_reading(turn, reading)
            transaction.set_rollback(True)
        assert in_database(turn) == NEVER
        assert apply.apply_reading(turn, reading)
        assert in_database(turn) == ONCE

    def test_error_leaves_turn_and_session_as_they_were(self, ada, counted):
        def fail(turn):
            count(turn)
            turn.decision, turn.session.title = {"half": "done"}, "Half done"
            raise ValueError("no")

        counted.on_apply = fail
        turn = begun(ada, payload={"numbers": []})
        with pytest.raises(ValueError, match="no"), transaction.atomic():
            apply.apply_reading(turn, read_of(turn))
        assert (turn.payload, turn.decision, turn.session.title) == ({"numbers": []}, None, "hello")
        assert "applied" not in turn.session.state
        assert in_database(turn) == NEVER

    def test_what_others_changed_since_the_message_came_is_kept(self, ada, counted):
        turn = begun(ada)
        Session.objects.update(title="Mine", state={"pace": "slow"})
        apply.apply_reading(turn, read_of(turn))
        session = Session.objects.get()
        assert (session.title, session.state) == ("Mine", {"pace": "slow", "applied": 1})


@pytest.mark.django_db(transaction=True)
class TestServed:
    async def serve(self, supervisor, turn):
        supervisor.claim(turn.pk)
        await supervisor.finished(turn.pk)
        await turn.arefresh_from_db()
        return turn

    async def test_is_applied_before_the_walk_and_told(self, supervisor, ada, counted):
        turn = await self.serve(supervisor, await begin(ada))
        assert (turn.status, await sync_to_async(in_database)(turn)) == ("done", ONCE)
        (told,) = [wire for wire in await stored(turn.pk, "state_changed") if wire["key"] == "applied"]
        assert told["value"] == 1

    @pytest.mark.parametrize("step", ["after_reading", "mid_apply"])
    async def test_process_that_dies_before_it_is_stored_leaves_nothing_and_the_next_one_applies(
        self, supervisor, ada, counted, monkeypatch, step
    ):
        """F4"""
        turn = await begin(ada)
        with monkeypatch.context() as patch:
            patch.setattr(fault_injection, "kill_point", partial(die_at, step))
            assert (await self.serve(supervisor, turn)).is_open
        assert await sync_to_async(in_database)(turn) == NEVER
        await leave(turn)
        assert (await self.serve(supervisor, turn)).status == "done"
        assert await sync_to_async(in_database)(turn) == ONCE

    async def test_turn_that_was_applied_is_not_read_again_by_the_next_process(
        self, supervisor, ada, counted, monkeypatch
    ):
        """F4: whoever dies after it has lost nothing, and the next one doubles nothing."""

        def die(turn):
            raise GONE

        counted.on_prepare = die
        turn = await begin(ada)
        assert (await self.serve(supervisor, turn)).is_open
        assert await sync_to_async(in_database)(turn) == ONCE
        counted.on_prepare = lambda turn: None
        monkeypatch.setattr(counted, "read", lambda turn: pytest.fail("read again"))
        await leave(turn)
        turn = await self.serve(supervisor, turn)
        assert (turn.status, turn.attempt) == ("done", 2)
        assert await sync_to_async(in_database)(turn) == ONCE

    async def test_database_that_is_away_leaves_the_turn_to_be_taken_up(self, supervisor, ada, counted):
        def busy(turn):
            raise OperationalError("database is locked")

        counted.on_apply = busy
        turn = await begin(ada)
        assert (await self.serve(supervisor, turn)).is_open
        counted.on_apply = count
        await leave(turn)
        assert (await self.serve(supervisor, turn)).status == "done"
        assert await sync_to_async(in_database)(turn) == ONCE

    async def test_fault_of_ours_fails_the_turn_in_words(self, supervisor, ada, counted):
        """V16: the message stays, and so does everything that was there before it."""

        def fail(turn):
            count(turn)
            raise ValueError("secret in /srv/app.py")

        counted.on_apply = fail
        turn = await self.serve(supervisor, await begin(ada))
        wires = await stored(turn.pk)
        assert (turn.status, await sync_to_async(in_database)(turn)) == ("failed", NEVER)
        assert "Your message is saved" in joined(wires) == wires[-1]["reply"]
        assert "secret" not in str(wires)
        assert await Message.objects.filter(turn=turn, author="learner").aexists()

    async def test_who_lost_the_turn_while_reading_says_nothing_more_of_it(self, supervisor, ada, counted, monkeypatch):
        """The other process has it: a second walk would only ask models for what nobody reads."""
        prepared, reading = [], HeldReading(counted, monkeypatch)
        counted.on_prepare = prepared.append
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await asyncio.to_thread(reading.begun.wait, 10)
        await Turn.objects.aupdate(lease_until="2020-01-01T00:00:00Z", lease_owner="asleep")
        other = Supervisor()
        serving = asyncio.create_task(self.serve(other, turn))
        reading.over.set()
        await asyncio.gather(supervisor.finished(turn.pk), serving)
        await other.close()
        assert (await sync_to_async(in_database)(turn), len(prepared)) == (ONCE, 1)
        assert joined(await stored(turn.pk)) == "One half."


@pytest.mark.django_db(transaction=True)
class TestSlowReading:
    async def test_message_is_acknowledged_while_another_is_read(self, connect, ada, ben, counted, monkeypatch):
        """Neither one's own reading nor another's comes before the acknowledgement."""
        reading = HeldReading(counted, monkeypatch)
        first, second = await connect(ada), await connect(ben)
        await first.say("hello")
        assert (await first.until("turn_started"))[-1]["type"] == "turn_started"
        await asyncio.to_thread(reading.begun.wait, 10)
        await second.say("hello")
        assert (await second.until("turn_started"))[-1]["type"] == "turn_started"
        assert await Message.objects.filter(author="learner").acount() == 2
        reading.over.set()
        for socket in (first, second):
            assert joined(await socket.until("turn_finished")) == "One half."

    async def test_stop_is_kept_for_the_end_of_the_reading(self, supervisor, ada, counted, monkeypatch):
        reading = HeldReading(counted, monkeypatch)
        turn = await begin(ada)
        supervisor.claim(turn.pk)
        await asyncio.to_thread(reading.begun.wait, 10)
        assert supervisor.stop(turn.pk)
        reading.over.set()
        await supervisor.finished(turn.pk)
        await turn.arefresh_from_db()
        assert (turn.status, joined(await stored(turn.pk))) == ("stopped", "")


GONE = OperationalError("the server closed the connection")
"""Ends a task as the end of its process would: its transaction is undone, and its turn stays as it is."""


class HeldReading:
    """The host's reading, held until the test lets it go; in no transaction, as a slow model would be."""

    def __init__(self, host, monkeypatch):
        self.begun, self.over = threading.Event(), threading.Event()
        self._read = host.read
        monkeypatch.setattr(host, "read", self)

    def __call__(self, turn):
        assert not connection.in_atomic_block
        self.begun.set()
        assert self.over.wait(10)
        return self._read(turn)


def die_at(fatal, step):
    if step == fatal:
        raise GONE
