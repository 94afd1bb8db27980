"""Checks of pooled connections to PostgreSQL that ask the server only when there is a reason to."""

import select
from time import monotonic
from typing import Any, Final
from weakref import WeakKeyDictionary

from psycopg import Connection
from psycopg_pool import ConnectionPool

IDLE_S: Final = 30.0
"""After this many seconds a connection may be dead without a sign, for instance behind a firewall."""

_checked_at: WeakKeyDictionary[Connection[Any], float] = WeakKeyDictionary()


def check_connection(connection: Connection[Any]) -> None:
    """Raise an error of psycopg's if a connection from the pool is dead.

    A turn takes one dozens of times. A server that ends a connection says so first or closes it: either makes the
    socket readable.
    """
    now = monotonic()
    if now - _checked_at.get(connection, 0.0) < IDLE_S and not _has_news(connection):
        return
    ConnectionPool.check_connection(connection)
    _checked_at[connection] = now


def _has_news(connection: Connection[Any]) -> bool:
    waiting = select.poll()
    waiting.register(connection.fileno(), select.POLLIN)
    return bool(waiting.poll(0))
