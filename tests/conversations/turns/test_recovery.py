"""The reaper takes up what dead processes left, and nothing else."""

import pytest
from asgiref.sync import sync_to_async

from conversations.models import Turn
from conversations.turns import recovery
from tests.conversations.turn_helpers import begun, orphaned

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

begin = sync_to_async(begun)
leave = sync_to_async(orphaned)


async def test_orphan_is_taken_up_and_answered(supervisor, ada):
    """F3"""
    turn = await begin(ada)
    await leave(turn, status="queued", attempt=0)
    assert await recovery.recover_orphans() == [turn.pk]
    await supervisor.finished(turn.pk)
    assert (await Turn.objects.aget()).status == "done"


async def test_turn_of_a_living_process_is_left_alone(supervisor, ada):
    await begin(ada)
    assert await recovery.recover_orphans() == []


async def test_turn_that_runs_here_is_not_begun_again(supervisor, ada):
    turn = await begin(ada)
    await leave(turn, status="queued", attempt=0)
    supervisor.claim(turn.pk)
    await recovery.recover_orphans()
    await supervisor.finished(turn.pk)
    assert (await Turn.objects.aget()).attempt == 1


async def test_turn_that_killed_three_processes_is_given_up(supervisor, ada):
    """F14"""
    turn = await begin(ada)
    for attempt in (1, 2, 3):
        await leave(turn, attempt=attempt)
    await recovery.recover_orphans()
    await supervisor.finished(turn.pk)
    turn = await Turn.objects.aget()
    assert (turn.status, turn.attempt) == ("failed", 4)
    assert await turn.messages.filter(author="team").aexists()
