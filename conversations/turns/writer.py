"""Group-commit writer: everything queued goes into one transaction, with a savepoint for each unit.

A commit costs as much as many rows: 50 sessions that commit alone wait for each other; together they do not.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db import InterfaceError, OperationalError, close_old_connections, connection, connections, transaction

from agents.local_models.inference import InferenceNeeded
from agents.storage.transactions import MAX_RERUNS, restartable

Unit = Callable[[], Any]
"""Database work of one turn; if it raises, only this unit fails."""
BatchUnit = Callable[[Sequence[Any]], None]
"""Database work of the same kind for many turns; if it fails, it is repeated for each turn alone."""
UnitResult = tuple[Any, Exception | None]
PASSING_STATES = ("08", "40001", "40P01", "57P")
"""PostgreSQL's codes for a lost connection, a conflict of transactions, and a restarting server."""


@dataclass(slots=True, eq=False)
class _QueuedUnit:
    unit: Unit
    done: asyncio.Future[Any]
    together: BatchUnit | None = None
    item: Any = None
    runs: int = 0
    """How often it was restarted after a model had run for it."""


class Writer:
    """One thread and one connection for all socket turns of this process."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="writer")
        self._queued: list[_QueuedUnit] = []
        self._draining: asyncio.Task[None] | None = None
        self._running: set[asyncio.Task[None]] = set()

    async def write[T](self, unit: Callable[[], T]) -> T:
        """Run the unit in the next transaction; return its result after the commit. Raises what it raised."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._queue(_QueuedUnit(unit, done))
        return await asyncio.shield(done)

    async def write_together[Item](self, together: Callable[[Sequence[Item]], None], item: Item) -> None:
        """Have `together` store the item with all others queued for it, in the next transaction; return when committed.

        If that fails, each item is tried alone, so that one bad item fails alone, and raises here.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue(_QueuedUnit(partial(together, [item]), done, together, item))
        await asyncio.shield(done)

    async def close(self) -> None:
        """Write what is queued, then close the connection."""
        while self._queued or self._running:
            await asyncio.wait({*self._running, *([self._draining] if self._draining else [])})
        if self._draining is not None:
            await self._draining
        await asyncio.get_running_loop().run_in_executor(self._thread, connections.close_all)
        self._thread.shutdown()

    def _queue(self, queued: _QueuedUnit) -> None:
        self._queued.append(queued)
        if self._draining is None or self._draining.done():
            self._draining = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        while self._queued:
            batch, self._queued = self._queued, []
            try:
                endings = await loop.run_in_executor(self._thread, _commit, batch)
            except Exception as refusal:
                # The writer is closed or its connection broke: callers get an error instead of waiting forever.
                endings = [(None, refusal) for _ in batch]
            for queued, (result, error) in zip(batch, endings, strict=True):
                if queued.done.cancelled():
                    continue
                if isinstance(error, InferenceNeeded):
                    self._begin_again(queued, after=error)
                elif error is None:
                    queued.done.set_result(result)
                else:
                    queued.done.set_exception(error)

    def _begin_again(self, queued: _QueuedUnit, *, after: InferenceNeeded) -> None:
        """Run the model that the unit needs, outside the writer, and queue the unit again."""
        running = asyncio.create_task(self._run_model(queued, after))
        self._running.add(running)
        running.add_done_callback(self._running.discard)

    async def _run_model(self, queued: _QueuedUnit, needed: InferenceNeeded) -> None:
        try:
            await asyncio.to_thread(needed.run)
        except Exception as error:
            queued.done.set_exception(error)
        else:
            queued.runs += 1
            self._queue(queued)


def _commit(batch: Sequence[_QueuedUnit]) -> list[UnitResult]:
    """Run the batch; return each unit's result or error, in order.

    Transient failures of the server are retried once.
    """
    endings = _try(batch)
    again = [place for place, (_result, error) in enumerate(endings) if _is_transient(error)]
    if not again:
        return endings
    for place, ending in zip(again, _try([batch[place] for place in again]), strict=True):
        endings[place] = ending
    return endings


def _try(batch: Sequence[_QueuedUnit]) -> list[UnitResult]:
    """Run the batch in one transaction; return each unit's result or error, in order."""
    close_old_connections()
    try:
        if len(batch) == 1:
            # A unit alone in its transaction needs no savepoint.
            return [_run_alone(batch[0])]
        with transaction.atomic():
            done = _run_batches(batch)
            return [(None, None) if queued in done else _run_alone(queued) for queued in batch]
    except Exception as error:
        # The whole transaction failed: no unit may count as stored.
        return [(None, error) for _ in batch]
    finally:
        # An idle thread returns its connection to the pool.
        close_old_connections()


def _is_transient(error: Exception | None) -> bool:
    """Return whether the connection was lost, or there was a lock conflict with another process."""
    if connection.vendor != "postgresql" or not isinstance(error, OperationalError | InterfaceError):
        return False
    state = getattr(error.__cause__, "sqlstate", None)
    return state is None or state.startswith(PASSING_STATES)


def _run_batches(batch: Sequence[_QueuedUnit]) -> set[_QueuedUnit]:
    """Store items of one kind together; return whose items they were."""
    kinds: dict[BatchUnit, list[_QueuedUnit]] = {}
    for queued in batch:
        if queued.together is not None:
            kinds.setdefault(queued.together, []).append(queued)
    done: set[_QueuedUnit] = set()
    for together, same in kinds.items():
        _result, error = _run(partial(together, [queued.item for queued in same]))
        if error is None:
            done.update(same)
    return done


def _run_alone(queued: _QueuedUnit) -> UnitResult:
    with restartable(queued.runs < MAX_RERUNS):
        return _run(queued.unit)


def _run(unit: Unit) -> UnitResult:
    try:
        with transaction.atomic():
            return unit(), None
    except Exception as error:
        if connection.needs_rollback:
            # The savepoint could not be rolled back: the units before it are lost too.
            raise
        return None, error
