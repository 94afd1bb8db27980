"""A request that drips is cut off, whatever a clock on the wall shows."""

from typing import ClassVar

import pytest
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransportWithDisconnection
from twisted.web.http import Request

from learnagent.http.body_limits import time_allowed
from learnagent.http.request_timeout import HEAD_TIMEOUT_S, IDLE_TIMEOUT_S, TimedHTTPChannel

POST = b"POST /v2/conversation HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n"
GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Answered(Request):
    """Answers at once."""

    def process(self):
        self.write(b"answered")
        self.finish()


class Never(Request):
    def process(self):
        """Wait for something."""


class Later(Request):
    """Answers when it is told to."""

    waiting: ClassVar[list[Request]] = []

    def process(self):
        self.waiting.append(self)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def channel(clock):
    return connected(clock, Answered)


def connected(clock, request):
    channel = TimedHTTPChannel()
    channel.callLater = clock.callLater
    channel.requestFactory = request
    transport = StringTransportWithDisconnection()
    transport.protocol = channel
    channel.makeConnection(transport)
    return channel


def said(channel):
    return channel.transport.value()


def drip(channel, clock, *, every_s, for_s):
    """Send a byte of a header every so often."""
    for _ in range(int(for_s / every_s)):
        if channel.transport.connected:
            channel.dataReceived(b"x")
        clock.advance(every_s)


def test_head_that_drips_has_an_end(channel, clock):
    channel.dataReceived(b"POST / HTTP/1.1\r\nHost: ")
    drip(channel, clock, every_s=5, for_s=HEAD_TIMEOUT_S - 1)
    assert channel.transport.connected
    drip(channel, clock, every_s=5, for_s=10)
    assert b" 408 " in said(channel)
    assert not channel.transport.connected


def test_so_has_a_first_line(channel, clock):
    drip(channel, clock, every_s=5, for_s=HEAD_TIMEOUT_S + 5)
    assert b" 408 " in said(channel)
    assert not channel.transport.connected


def test_body_that_drips_has_an_end(channel, clock):
    channel.dataReceived(POST)
    drip(channel, clock, every_s=5, for_s=time_allowed(1000) - 5)
    assert channel.transport.connected
    drip(channel, clock, every_s=5, for_s=20)
    assert b" 408 " in said(channel)
    assert not channel.transport.connected


def test_body_that_comes_in_time_is_answered(channel, clock):
    channel.dataReceived(POST)
    clock.advance(time_allowed(1000) - 1)
    channel.dataReceived(b"x" * 1000)
    assert said(channel).endswith(b"answered\r\n0\r\n\r\n")


def test_connection_without_a_request_ends_without_a_word(channel, clock):
    clock.advance(IDLE_TIMEOUT_S - 1)
    assert channel.transport.connected
    clock.advance(2)
    assert said(channel) == b""
    assert not channel.transport.connected


def test_next_request_has_its_own_time(channel, clock):
    for _ in range(5):
        channel.dataReceived(GET)
        assert said(channel).endswith(b"answered\r\n0\r\n\r\n")
        clock.advance(IDLE_TIMEOUT_S - 1)
    clock.advance(2)
    assert not channel.transport.connected
    assert b" 408 " not in said(channel)


def test_head_that_came_with_the_request_before_has_its_end_too(clock):
    channel = connected(clock, Later)
    channel.dataReceived(GET)
    channel.dataReceived(b"GET /slow")
    Later.waiting.pop().finish()
    drip(channel, clock, every_s=5, for_s=HEAD_TIMEOUT_S + 5)
    assert b" 408 " in said(channel)
    assert not channel.transport.connected


def test_answer_may_take_its_time(clock):
    channel = connected(clock, Never)
    channel.dataReceived(GET)
    clock.advance(10 * IDLE_TIMEOUT_S)
    assert channel.transport.connected
