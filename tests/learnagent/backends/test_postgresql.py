"""A connection from the pool is tried by the server only when it may be dead."""

from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection, connections

from learnagent.backends import postgresql

pytestmark = [
    pytest.mark.db,
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="needs PostgreSQL: SQLite has no pool"),
]


@pytest.fixture
def asked(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """The pool's connections that the server was asked about; the pool is new, and holds one connection."""
    found: list[object] = []
    real = postgresql.ConnectionPool.check_connection

    def counted(each: object) -> None:
        found.append(each)
        real(each)

    monkeypatch.setattr(postgresql.ConnectionPool, "check_connection", staticmethod(counted))
    connections.close_all()
    connection.close_pool()
    yield found
    connections.close_all()
    connection.close_pool()


def server_process() -> int:
    """Return the server process of the connection taken from the pool, and give the connection back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        [number] = cursor.fetchone()
    connection.close()
    return int(number)


def test_a_connection_in_use_is_not_tried_again(asked: list[object]) -> None:
    for _ in range(9):
        server_process()
    assert len(asked) == len(set(asked)) < 9


def test_an_idle_connection_is_tried(asked: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgresql, "IDLE_S", 0.0)
    for _ in range(9):
        server_process()
    assert len(asked) == 9


def test_a_connection_that_the_server_has_ended_is_replaced(asked: list[object]) -> None:
    other = connection.copy()
    with other.cursor() as cursor:
        ended = server_process()
        cursor.execute("SELECT pg_terminate_backend(%s, 5000)", [ended])
        assert cursor.fetchone() == (True,)
        assert ended not in {server_process() for _ in range(5)}
    other.close()


def test_an_unreachable_server_is_an_error(asked: list[object], monkeypatch: pytest.MonkeyPatch) -> None:
    server_process()

    def dead(each: object) -> None:
        raise postgresql.OperationalError

    monkeypatch.setattr(postgresql.ConnectionPool, "check_connection", staticmethod(dead))
    monkeypatch.setattr(postgresql, "IDLE_S", 0.0)
    monkeypatch.setitem(connection.settings_dict["OPTIONS"]["pool"], "timeout", 0.2)
    with pytest.raises(OperationalError):
        server_process()
