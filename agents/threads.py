"""The threads in which asynchronous code asks the database."""

from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from channels.db import database_sync_to_async


def in_orm_thread[**P, R](function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return the function to be awaited: it runs where the ORM does, and gives its connection back to the pool.

    A plain `sync_to_async` would keep the connection, through a model's answer or for good.
    """
    return cast("Callable[P, Coroutine[Any, Any, R]]", database_sync_to_async(function))


def in_model_thread[**P, R](function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return the function to be awaited, for one that runs embedded models beside its reads of the database.

    There is one thread for all that the ORM is asked: sockets would wait there for a model that is loaded, or is slow.
    """
    awaited = database_sync_to_async(function, thread_sensitive=False, executor=_models)
    return cast("Callable[P, Coroutine[Any, Any, R]]", awaited)


_models = ThreadPoolExecutor(max_workers=2, thread_name_prefix="models")
