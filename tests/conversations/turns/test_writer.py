"""The group-commit writer: one transaction for all who wait, and each fails alone."""

import asyncio
from functools import partial
from threading import Event as Gate

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.db import IntegrityError, connection, transaction

from conversations.models import Session
from conversations.turns import begin
from conversations.turns.supervisor import Supervisor
from conversations.turns.writer import Writer
from tests import people

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

WRITERS = 8
TURNS_EACH = 5


@pytest.fixture
async def writer(transactional_db):
    own = Writer()
    yield own
    await own.close()


def store(owner, key):
    return Session.objects.create(owner=owner, key=key).key


async def test_unit_returns_what_it_made_and_is_committed(writer, ada):
    assert await writer.write(partial(store, ada, "a")) == "a"
    assert await Session.objects.acount() == 1


async def test_failing_unit_fails_alone(writer, ada):
    units = [partial(store, ada, key) for key in ("a", "a", "b")]
    first, second, third = await asyncio.gather(*map(writer.write, units), return_exceptions=True)
    assert (first, third) == ("a", "b")
    assert isinstance(second, IntegrityError)
    assert await Session.objects.acount() == 2


async def test_those_who_wait_share_one_transaction(writer):
    """While the first commit is under way the others gather."""
    gate, seen = Gate(), []

    def note():
        seen.append(connection.savepoint_ids[:1])
        return transaction.get_connection().in_atomic_block

    first = asyncio.create_task(writer.write(gate.wait))
    await asyncio.sleep(0)
    others = [asyncio.create_task(writer.write(note)) for _ in range(3)]
    await asyncio.sleep(0)
    gate.set()
    assert await asyncio.gather(first, *others) == [True] * 4
    assert len(seen) == 3
    assert len({*map(tuple, seen)}) == 3  # A savepoint each.


async def test_units_are_written_in_order(writer):
    order = []
    await asyncio.gather(*(writer.write(partial(order.append, number)) for number in range(20)))
    assert order == list(range(20))


def store_all(rows):
    Session.objects.bulk_create(Session(owner=owner, key=key) for owner, key in rows)


async def test_items_of_one_kind_are_stored_together(writer, ada):
    await asyncio.gather(*(writer.write_together(store_all, (ada, key)) for key in "abc"))
    assert await Session.objects.acount() == 3


async def test_bad_item_fails_alone_and_the_others_are_stored(writer, ada):
    endings = await asyncio.gather(
        *(writer.write_together(store_all, (ada, key)) for key in "abbc"), return_exceptions=True
    )
    assert [type(ending) for ending in endings] == [type(None), type(None), IntegrityError, type(None)]
    assert await Session.objects.acount() == 3


async def test_caller_who_goes_away_does_not_undo_the_unit(writer, ada):
    gate = Gate()
    first = asyncio.create_task(writer.write(gate.wait))
    leaving = asyncio.create_task(writer.write(partial(store, ada, "a")))
    await asyncio.sleep(0)
    leaving.cancel()
    gate.set()
    await first
    await writer.write(lambda: None)
    assert await Session.objects.acount() == 1


async def test_who_writes_after_the_end_is_told(transactional_db):
    writer = Writer()
    await writer.close()
    with pytest.raises(RuntimeError):
        await writer.write(lambda: None)


async def test_eight_writers_are_never_locked_out(writer, host, settings):
    """G1: threads of their own beside the group writer, all on one conversation."""
    settings.AGENTS = {"turns_per_minute": 0}
    ada = await sync_to_async(people.make_ada)()

    def finish_one(number):
        accepted = begin.begin_turn(owner=ada, session_key="s", text="hello", client_id=f"c{number}")
        accepted.turn.session.turns.filter(pk=accepted.turn.pk).update(status="done")

    def work(writer_number):
        for number in range(TURNS_EACH):
            with transaction.atomic():
                finish_one(f"{writer_number}-{number}")
        connection.close()

    loops = [asyncio.to_thread(work, number) for number in range(WRITERS - 1)]
    units = [writer.write(partial(finish_one, f"group-{number}")) for number in range(TURNS_EACH)]
    await asyncio.gather(*loops, *units)
    numbers = [n async for n in Session.objects.get_queryset().values_list("turns__number", flat=True)]
    assert sorted(numbers) == list(range(1, WRITERS * TURNS_EACH + 1))
    assert await get_user_model().objects.acount() == 1


async def test_supervisors_writer_ends_with_it(transactional_db):
    supervisor = Supervisor()
    await supervisor.close()
    with pytest.raises(RuntimeError):
        await supervisor.writer.write(lambda: None)
