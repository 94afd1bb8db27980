"""The thread in which asynchronous code asks the database."""

from collections.abc import Callable, Coroutine
from typing import Any, cast

from channels.db import database_sync_to_async


def in_orm_thread[**P, R](function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return the function to be awaited: it runs where the ORM does, and gives its connection back to the pool.

    A plain `sync_to_async` would keep the connection, through a model's answer or for good.
    """
    return cast("Callable[P, Coroutine[Any, Any, R]]", database_sync_to_async(function))
