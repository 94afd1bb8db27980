"""Turns and sockets over a layer that is killed or hangs: told late to other tabs, at worst."""

import asyncio

import pytest
from channels.layers import get_channel_layer

from conversations.turns import notices
from learnagent.backends import redis
from tests.conversations.turn_helpers import Pause, joined

pytestmark = [pytest.mark.db, pytest.mark.django_db(transaction=True)]

FAULTS = ["kill", "hang"]


async def test_other_tab_hears_of_a_turn(shared, connect, ada):
    first, second = await connect(ada), await (await connect(ada)).listening()
    await first.say("hello")
    assert joined(await second.until("turn_finished")) == "One half."


@pytest.mark.parametrize("fault", FAULTS)
async def test_opens_and_answers_while_it_is_away(shared, connect, ada, fault):
    """G6"""
    getattr(shared, fault)()
    socket = await connect(ada)
    await socket.say("hello")
    assert joined(await socket.until("turn_finished")) == "One half."


@pytest.mark.parametrize("fault", FAULTS)
async def test_turn_that_runs_is_told_to_its_end(shared, connect, ada, says, fault):
    """G6, NL: and another tab gets all of it when it asks."""
    pause = Pause()
    says("One ", pause, "half.")
    first = await connect(ada)
    await first.say("hello")
    await pause.reached.wait()
    getattr(shared, fault)()
    pause.over.set()
    assert joined(await first.until("turn_finished")) == "One half."
    second = await connect(ada)
    await second.send({"type": "resume", "after": 0})
    assert joined(await second.until("turn_finished")) == "One half."


async def test_no_turn_waits_for_it(shared, connect, ada, monkeypatch):
    """G6: the reply is there while the layer has not answered yet."""
    socket = await connect(ada)
    await socket.send({"type": "ping"})
    await socket.until("pong")
    shared.hang()
    monkeypatch.setattr(redis, "REDIS_TIMEOUT_S", 60)
    await socket.say("hello")
    await socket.until("turn_finished")
    assert notices._telling
    for telling in notices._telling:
        telling.cancel()


async def test_joins_when_it_is_back(shared, connect, ada, monkeypatch):
    """G6: a tab opened without it hears of the others' turns after all."""
    monkeypatch.setattr(redis, "REJOIN_AFTER_S", 0.01)
    shared.kill()
    second = await connect(ada)
    shared.start()
    layer = get_channel_layer()
    while layer._joining:
        await asyncio.wait(layer._joining)
    first = await connect(ada)
    await first.say("hello")
    assert joined(await second.until("turn_finished")) == "One half."
