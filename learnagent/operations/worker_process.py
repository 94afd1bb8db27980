"""The worker that does the jobs, as a child of the serving process."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence

from agents.event_log import get_logger
from learnagent.configuration.environment import ROOT

logger = get_logger(__name__)

COMMAND = (sys.executable, "manage.py", "work", "--with-parent")
STOP_TIMEOUT_S = 8.0
"""How long a job may go on after a stop was requested. A job that is killed is run again later."""
FIRST_PAUSE_S, LONGEST_PAUSE_S = 1.0, 60.0
STABLE_AFTER_S = 60.0
"""A worker that ran for this long before it died is restarted without an extra delay."""


async def keep_worker_running(
    command: Sequence[str] = COMMAND, *, first_pause_s: float = FIRST_PAUSE_S, end_within_s: float = STOP_TIMEOUT_S
) -> None:
    """Run the worker, again whenever it dies, until cancelled; its pauses double up to a minute.

    Its standard input is a pipe of ours and says nothing: a worker whose parent is killed reads its end there.
    """
    clock, pause = asyncio.get_running_loop().time, first_pause_s
    while True:
        started = clock()
        try:
            code: object = await _run_worker(command, end_within_s=end_within_s)
        except OSError as error:
            # No memory or no process is left; later there may be.
            code = error
        pause = first_pause_s if clock() - started > STABLE_AFTER_S else pause
        logger.warning("worker_restarted", code=code, pause_s=pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)


async def _run_worker(command: Sequence[str], *, end_within_s: float) -> int:
    """Run the worker once; return what it ended with."""
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, cwd=ROOT)
    try:
        return await process.wait()
    except asyncio.CancelledError:
        await _end(process, within_s=end_within_s)
        raise


async def _end(process: Process, *, within_s: float) -> None:
    """Ask the worker to end, and end it where it does not."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        async with asyncio.timeout(within_s):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
