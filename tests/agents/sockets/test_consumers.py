"""What a socket has sent and not been told of."""

import asyncio
import uuid

import pytest
from channels.testing import WebsocketCommunicator
from django.db import OperationalError
from hypothesis import given
from hypothesis import strategies as st
from uvicorn.protocols.utils import ClientDisconnected

from agents.sockets.consumers import ENDED_KEPT, RunConsumer, SendWindow
from agents.wire import rejections
from agents.wire.rejections import Rejection


def send(window, size):
    window.sent += 1
    window.add(window.sent, size)


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 500)), max_size=60))
def test_unseen_is_what_was_sent_and_not_acknowledged(steps):
    window, sizes = SendWindow(), []
    for is_seen, size in steps:
        if is_seen:
            seq = min(window.sent, window.seen + size % 5)
            window.acknowledge(seq)
        else:
            send(window, size)
            sizes.append(size)
        assert window.unseen_bytes == sum(sizes[window.seen :])


@pytest.mark.parametrize("seq", [-1, 1, 4])
def test_acknowledgement_that_cannot_be_is_refused(seq):
    """B4"""
    window = SendWindow()
    for _ in range(3):
        send(window, 10)
    window.acknowledge(2)
    with pytest.raises(Rejection):
        window.acknowledge(seq)
    assert (window.seen, window.unseen_bytes) == (2, 10)


def test_acknowledgement_may_come_before_the_frame_is_counted():
    window = SendWindow(sent=1)
    window.acknowledge(1)
    window.add(1, 10)
    assert window.unseen_bytes == 0


async def test_refusing_a_client_that_went_is_no_fault():
    class Gone(RunConsumer):
        async def show_rejection(self, rejection):
            raise ClientDisconnected

    consumer = Gone()
    consumer.watching = {}
    await consumer.refuse(rejections.unauthenticated())
    assert consumer.refused


async def test_socket_opened_while_the_database_is_away_says_so_and_may_come_back():
    """G10: by 1000, after which a page comes back by itself."""

    class Telling(RunConsumer):
        async def show_rejection(self, rejection):
            await self.send(text_data=rejection.code)

    def gone():
        raise OperationalError("secret path")

    wire = WebsocketCommunicator(Telling.as_asgi(), "/")
    wire.scope["identify"] = gone
    assert (await wire.connect())[0]
    assert await wire.receive_from() == "unavailable"
    assert await wire.receive_output() == {"type": "websocket.close", "code": 1000}


def test_run_taken_up_anew_is_counted_from_where_it_goes_on():
    """The events above that point are void; a client that acknowledges one of them has only not heard of it yet."""
    window = SendWindow()
    for _ in range(5):
        send(window, 10)
    window.acknowledge(4)
    window.begin(3)
    assert (window.sent, window.seen, window.unseen_bytes) == (2, 2, 0)
    send(window, 10)
    send(window, 10)
    window.acknowledge(3)
    assert window.unseen_bytes == 10
    window.acknowledge(5)
    assert (window.seen, window.unseen_bytes) == (4, 0)
    with pytest.raises(Rejection):
        window.acknowledge(6)


def test_acknowledging_twice_is_harmless():
    window = SendWindow()
    send(window, 10)
    window.acknowledge(1)
    window.acknowledge(1)
    assert window.unseen_bytes == 0


async def test_socket_keeps_little_of_ended_runs_and_all_of_those_that_go_on():
    class Sending(RunConsumer):
        async def show(self, events):
            return 100

        async def watch(self, turn_id, *, after):
            yield [{"seq": 1, "type": "agent_text"}]
            if turn_id == endless:
                await asyncio.Event().wait()
            yield [{"seq": 2, "type": "turn_finished"}]

    endless, *others = [uuid.uuid4() for _ in range(50)]
    consumer = Sending()
    consumer.watching, consumer.windows, consumer.scope = {}, {}, {}
    consumer.follow(endless, after=0)
    for turn_id in others:
        consumer.follow(turn_id, after=0)
        await consumer.watching[turn_id]
    kept = {endless, *others[-ENDED_KEPT - 1 :]}
    assert consumer.watching.keys() == consumer.windows.keys() == kept
    assert consumer.has_ended(others[-1])
    assert not consumer.has_ended(endless)
    consumer.watching[endless].cancel()
