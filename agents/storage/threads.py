"""Threads in which asynchronous code uses the database."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial, wraps
from typing import Any, cast

from channels.db import database_sync_to_async
from django.db import close_old_connections


def in_orm_thread[**P, R](function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return an awaitable version that runs in the ORM thread and returns its connection to the pool.

    A plain `sync_to_async` would keep the connection while a model answers, or forever.
    """
    return cast("Callable[P, Coroutine[Any, Any, R]]", database_sync_to_async(function))


def in_model_thread[**P, R](function: Callable[P, R]) -> Callable[P, Coroutine[Any, Any, R]]:
    """Return an awaitable version of a function that runs embedded models as well as database reads.

    The ORM has a single thread: all sockets would wait there while a model loads or is slow.
    """

    @wraps(function)
    async def awaited(*args: P.args, **kwargs: P.kwargs) -> R:
        return await in_thread_of(_models, partial(function, *args, **kwargs))

    return awaited


async def in_thread_of[T](threads: ThreadPoolExecutor, work: Callable[[], T]) -> T:
    """Run the work in one of the threads, in the task's context, and return its connection to the pool.

    Unlike Django's adapter, it does not look for a request's own thread, which never applies here.
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
