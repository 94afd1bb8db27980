"""The threads in which asynchronous code asks the database."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, wraps
from typing import Any, cast

from channels.db import database_sync_to_async
from django.db import close_old_connections


def in_orm_thread[**P, R](function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return the function to be awaited: it runs where the ORM does, and gives its connection back to the pool.

    A plain `sync_to_async` would keep the connection, through a model's answer or for good.
    """
    return cast("Callable[P, Coroutine[Any, Any, R]]", database_sync_to_async(function))


def in_model_thread[**P, R](function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return the function to be awaited, for one that runs embedded models beside its reads of the database.

    There is one thread for all that the ORM is asked: sockets would wait there for a model that is loaded, or is slow.
    """

    @wraps(function)
    async def awaited(*args: P.args, **kwargs: P.kwargs) -> R:
        return await in_thread_of(_models, partial(function, *args, **kwargs))

    return awaited


async def in_thread_of[T](threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    """Do the work in one of the threads, in the task's context, and give its connection back to the pool.

    Django's adapter looks besides for the thread that a request has to itself, which these never are.
    """
    within = partial(copy_context().run, _with_connection, work)
    return await asyncio.get_running_loop().run_in_executor(threads, within)


def _with_connection[T](work: Callable[[], T]) -> T:
    close_old_connections()
    try:
        return work()
    finally:
        close_old_connections()


_models = ThreadPoolExecutor(max_workers=2, thread_name_prefix="models")
