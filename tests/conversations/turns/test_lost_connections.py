"""Connections that the database closes under us cost a moment, and nothing of a turn."""

import asyncio
from functools import partial
from threading import Event as Gate

import pytest
from asgiref.sync import sync_to_async
from django.db import connection, transaction

from conversations import owners
from conversations.models import Session, Turn
from conversations.turns import recovery
from tests.conversations.turn_helpers import Pause, begun, bodies, joined, orphaned

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL: SQLite has no connections to lose"),
]

GONE_WITHIN_MS = 20_000

begin = sync_to_async(begun)


@pytest.fixture(autouse=True)
def _clean_up_over_a_new_connection(transactional_db):
    yield
    connection.close()


@sync_to_async
def terminate_all() -> int:
    """Have the server close every connection to this database but the one that asks for it."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(pg_terminate_backend(pid, {GONE_WITHIN_MS})) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return cursor.fetchone()[0]


def terminate_own() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


def once(act, *rest):
    """Return a unit that does `act` the first time only, then the rest."""
    left = [act]

    def unit():
        if left:
            left.pop()()
        return [each() for each in rest]

    return unit


async def test_turn_goes_on_after_all_connections_were_ended(supervisor, ada, says):
    """G10, NL: ended between two pieces of the reply."""
    pause = Pause()
    says("One ", pause, "half.")
    turn = await begin(ada)
    supervisor.claim(turn.pk)
    await pause.reached.wait()
    await supervisor.feeds[turn.pk].flush()
    await terminate_all()
    pause.over.set()
    await supervisor.finished(turn.pk)
    await turn.arefresh_from_db()
    wires = await sync_to_async(bodies)(turn.pk)
    assert (turn.status, turn.attempt) == ("done", 1)
    assert [wire["seq"] for wire in wires] == list(range(1, len(wires) + 1))
    assert joined(wires) == wires[-1]["reply"] == "One half."


async def test_whoever_watches_is_told_to_come_back_and_sees_the_end(supervisor, connect, ada, says):
    """G10: the thread that serves all sockets has a connection again by itself."""
    pause = Pause()
    says("One ", pause, "half.")
    socket = await connect(ada)
    await socket.say("hello")
    await pause.reached.wait()
    await asyncio.to_thread(_terminate_from_another_thread)
    pause.over.set()
    frames = await read_on(socket)
    assert joined(frames) == "One half."
    await socket.say("again")
    assert (await socket.until("turn_finished"))[-1]["status"] == "done"


async def read_on(socket):
    """Return the frames up to the turn's end, as a client reads them that comes back when it is told to."""
    frames = []
    while not frames or frames[-1]["type"] != "turn_finished":
        frame = await socket.frame()
        if frame["type"] == "refetch":
            await socket.send({"type": "resume", "turn_id": frame["turn_id"], "after": frame["after"]})
        else:
            frames.append(frame)
    return list({frame["seq"]: frame for frame in frames}.values())


def _terminate_from_another_thread() -> None:
    try:
        terminate_all.func()
    finally:
        connection.close()


async def test_unit_whose_connection_is_lost_runs_again(supervisor, ada):
    """G10"""
    unit = once(terminate_own, partial(Session.objects.create, owner=ada, key="a"))
    await supervisor.writer.write(unit)
    assert await Session.objects.acount() == 1


async def test_units_before_the_lost_one_are_stored_as_they_were_told(supervisor, ada):
    """G10: they share its transaction, which the server rolled back."""
    gate = Gate()
    first = asyncio.create_task(supervisor.writer.write(gate.wait))
    await asyncio.sleep(0)
    before = asyncio.create_task(supervisor.writer.write(partial(Session.objects.create, owner=ada, key="a")))
    lost = asyncio.create_task(supervisor.writer.write(once(terminate_own)))
    await asyncio.sleep(0)
    gate.set()
    await asyncio.gather(first, before, lost)
    assert await Session.objects.acount() == 1


async def test_reaper_has_a_connection_again(supervisor, ada):
    """G10: no frame and no request need come first."""
    turn = await begin(ada)
    await sync_to_async(orphaned)(turn)
    await sync_to_async(terminate_own_quietly)()
    assert await recovery.recover_orphans() == [turn.pk]
    await supervisor.finished(turn.pk)
    assert (await Turn.objects.aget()).status == "done"


def terminate_own_quietly() -> None:
    with pytest.raises(Exception, match="terminat"):
        terminate_own()


async def test_two_in_each_others_way_both_get_through(supervisor, ada, ben):
    """Two processes that hold people in opposite orders: the server ends one transaction, and it is tried again."""
    holds_ben, may_go_on = Gate(), Gate()

    def other_process() -> None:
        with transaction.atomic():
            owners.lock_owner(ben)
            holds_ben.set()
            may_go_on.wait(10)
            owners.lock_owner(ada)
        connection.close()

    def unit() -> None:
        owners.lock_owner(ada)
        may_go_on.set()
        owners.lock_owner(ben)
        Session.objects.create(owner=ada, key="a")

    other = asyncio.create_task(asyncio.to_thread(other_process))
    await asyncio.to_thread(holds_ben.wait, 10)
    results = await asyncio.gather(supervisor.writer.write(unit), other, return_exceptions=True)
    # Whom the server ends is its own choice; ours is tried again, the other is a request that its client repeats.
    assert results[0] is None, results
    assert await Session.objects.acount() == 1
