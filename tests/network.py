"""No test reaches past this machine: connecting or resolving outside it fails, even if the tested code swallows that."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import ip_address
from typing import Any

import pytest

attempts: list[str] = []
"""Where this test tried to go."""


class OutsideNetwork(RuntimeError):
    """A test tried to leave the machine, where calls are paid for and answers change."""


def is_inside(host: object) -> bool:
    """Whether a host, by name or address, is this machine; no host at all is."""
    name = (host.decode() if isinstance(host, bytes) else str(host)) if host else "localhost"
    if name == "localhost":
        return True
    try:
        return ip_address(name.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_outside(host: object) -> None:
    if not is_inside(host):
        attempts.append(str(host))
        raise OutsideNetwork(f"{host}: tests talk to this machine only")


@contextmanager
def this_machine_only() -> Iterator[None]:
    """Hold Python's sockets to loopback addresses and files."""
    connect, connect_ex, send_to = socket.socket.connect, socket.socket.connect_ex, socket.socket.sendto
    look_up = socket.getaddrinfo

    def checked(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            _refuse_outside(address[0])

    def guarded_connect(self: socket.socket, address: Any) -> None:
        checked(self, address)
        return connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        checked(self, address)
        return connect_ex(self, address)

    def guarded_send_to(self: socket.socket, data: Any, *rest: Any) -> int:
        checked(self, rest[-1])
        return send_to(self, data, *rest)

    def guarded_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        _refuse_outside(host)
        return look_up(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket.socket, "sendto", guarded_send_to)
        patch.setattr(socket, "getaddrinfo", guarded_look_up)
        yield
