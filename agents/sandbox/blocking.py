"""Runs programs for callers without an event loop of their own, such as views and commands, in one thread for all."""

import asyncio
import atexit
import threading
from collections.abc import Sequence
from functools import cache

from agents.sandbox.program import MAX_PARALLEL_PROGRAMS, ProgramNotRun, ProgramRun, Sandbox

CLOSE_WITHIN_S = 3.0


def run_programs(sandbox: Sandbox, programs: Sequence[str]) -> list[ProgramRun | ProgramNotRun]:
    """Return each program's result, or why it was not run, in order. Blocks: never call it on an event loop."""
    return asyncio.run_coroutine_threadsafe(_run_all(sandbox, programs), _loop()).result()


async def _run_all(sandbox: Sandbox, programs: Sequence[str]) -> list[ProgramRun | ProgramNotRun]:
    # No more at once than the sandbox takes: those that wait too long in its queue are not run.
    room = asyncio.Semaphore(MAX_PARALLEL_PROGRAMS)

    async def run(program: str) -> ProgramRun | ProgramNotRun:
        async with room:
            try:
                return await sandbox.run(program)
            except ProgramNotRun as reason:
                return reason

    try:
        return list(await asyncio.gather(*map(run, programs)))
    finally:
        _used.add(sandbox)


_used: set[Sandbox] = set()
"""The sandboxes that may keep a process for the thread's event loop."""


@cache
def _loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="programs", daemon=True).start()
    atexit.register(close_programs)
    return loop


def close_programs() -> None:
    """End the processes that were started here; the next program starts them again."""
    if _used:
        _close(_loop())


def _close(loop: asyncio.AbstractEventLoop) -> None:
    """End the processes before the interpreter does: their transports must not outlive the loop."""

    async def close() -> None:
        for sandbox in _used:
            await sandbox.close()

    asyncio.run_coroutine_threadsafe(close(), loop).result(timeout=CLOSE_WITHIN_S)
    _used.clear()
