"""The group-commit writer: whatever is queued goes into one transaction, a savepoint for each unit.

A commit costs as much as many rows: 50 sessions that each commit alone wait for one another; together they do not.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import close_old_connections, connections, transaction

Unit = Callable[[], Any]
"""Database work of one turn; it may raise, and then fails alone."""


class Writer:
    """One thread and one connection for all the socket turns of this process."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._queued: list[tuple[Unit, asyncio.Future[Any]]] = []
        self._draining: asyncio.Task[None] | None = None

    async def write[T](self, unit: Callable[[], T]) -> T:
        """Run the unit in the next transaction; return its result once that is committed. Raise what it raised."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queued.append((unit, done))
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())
        return await asyncio.shield(done)

    async def close(self) -> None:
        """Write what is queued, then give the connection back."""
        if self._draining is not None:
            await self._draining
        await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
        self._thread.shutdown()

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queued:
            batch, self._queued = self._queued, []
            try:
                endings = await loop.run_in_executor(self._thread, _commit, [unit for unit, _ in batch])
            except RuntimeError as error:
                # The writer is closed: whoever still comes must hear so, not wait for ever.
                endings = [(None, error) for _ in batch]
            for (_, done), (result, error) in zip(batch, endings, strict=True):
                if done.cancelled():
                    continue
                if error is None:
                    done.set_result(result)
                else:
                    done.set_exception(error)


def _commit(units: list[Unit]) -> list[tuple[Any, Exception | None]]:
    """Run the units in one transaction; return each one's result or error, in order."""
    close_old_connections()
    try:
        with transaction.atomic():
            return [_run(unit) for unit in units]
    except Exception as error:
        # The transaction as a whole was lost: none of its units may believe itself stored.
        return [(None, error) for _ in units]


def _run(unit: Unit) -> tuple[Any, Exception | None]:
    try:
        with transaction.atomic():
            return unit(), None
    except Exception as error:
        return None, error
