"""Tests stay on this machine."""

import asyncio
import socket

import pytest

from tests import network
from tests.network import OutsideNetwork, is_inside


@pytest.fixture
def expected():
    """What is refused here is meant to be."""
    yield
    assert network.attempts
    network.attempts.clear()


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.9.1", "::1", "localhost", "", None, b"localhost"])
def test_this_machine_is_inside(host):
    assert is_inside(host)


@pytest.mark.parametrize(
    "host", ["10.0.0.1", "0.0.0.0", "169.254.169.254", "example.com", "localhost.evil.example", "::2"]
)
def test_everything_else_is_outside(host):
    assert not is_inside(host)


def test_connecting_outside_is_refused(expected):
    with socket.socket() as sock, pytest.raises(OutsideNetwork):
        sock.connect(("192.0.2.1", 443))


def test_looking_up_a_name_outside_is_refused(expected):
    with pytest.raises(OutsideNetwork):
        socket.getaddrinfo("api.example.com", 443)


async def test_connecting_outside_from_async_code_is_refused(expected):
    with pytest.raises(OutsideNetwork):
        await asyncio.open_connection("192.0.2.1", 443)


async def test_connecting_to_this_machine_is_allowed():
    server = await asyncio.start_server(lambda reader, writer: writer.close(), "127.0.0.1", 0)
    async with server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        assert await reader.read() == b""
        writer.close()
