"""Default sandbox: pydantic-monty, a small Python interpreter, in a process that we keep running."""

import asyncio
import importlib.util
import json
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from agents.event_log import get_logger
from agents.sandbox.program import (
    LINE_BYTES,
    MAX_CHARACTERS,
    QUEUE_LIMIT_S,
    STOPPED,
    TIME_LIMIT_S,
    ProgramNotRun,
    ProgramRun,
    broke_down,
    code_too_long,
)

logger = get_logger(__name__)

ROOT = Path(__file__).resolve().parents[2]
COMMAND = (sys.executable, "-m", "agents.sandbox.monty_child")
# No variables of the server, especially no keys; and memory that a program used is returned to the system.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "MALLOC_MMAP_THRESHOLD_": "1000000"}
HANG_TIMEOUT_S = QUEUE_LIMIT_S + TIME_LIMIT_S + 3.0
"""A child that does not answer within this many seconds is killed."""
END_WITHIN_S = 2.0


class MontySandbox:
    """One child process per event loop, started by its first program, and again after it died.

    A server has one loop. A loop that ends before its process, like a job's, closes what it started.
    """

    def __init__(self) -> None:
        self._children: WeakKeyDictionary[asyncio.AbstractEventLoop, MontyProcess] = WeakKeyDictionary()

    async def run(self, code: str) -> ProgramRun:
        if len(code) > MAX_CHARACTERS:
            return ProgramRun(error=code_too_long(code))
        loop = asyncio.get_running_loop()
        child = self._children.get(loop)
        if child is None or not child.lives:
            child = self._children[loop] = MontyProcess()
        return await child.run(code)

    async def close(self) -> None:
        if child := self._children.pop(asyncio.get_running_loop(), None):
            await child.close()

    def problem(self) -> str:
        return "" if _is_installed() else "pydantic-monty is not installed"


@cache
def _is_installed() -> bool:
    # Looking for a package reads folders, and each agent of each turn asks whether it may offer to run programs.
    return importlib.util.find_spec("pydantic_monty") is not None


class MontyProcess:
    """The process that holds the workers, and the programs that wait for an answer."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[ProgramRun]] = {}
        self._starting = asyncio.create_task(_started())
        self._listening = asyncio.create_task(self._listen())

    @property
    def lives(self) -> bool:
        return not self._listening.done()

    async def run(self, code: str) -> ProgramRun:
        number, answer = next(self._numbers), asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            async with asyncio.timeout(HANG_TIMEOUT_S):
                process = await asyncio.shield(self._starting)
                _write(process, {"id": number, "code": code})
                found: ProgramRun = await answer
            if found.error is not None and found.error.kind in STOPPED:
                logger.info("program_stopped", reason=found.error.kind)
            return found
        except TimeoutError:
            logger.error("sandbox_killed", after_s=HANG_TIMEOUT_S)
            answer.cancel()
            await self._kill()
            await asyncio.wait([self._listening])
            raise broke_down() from None
        except OSError:
            logger.exception("sandbox_failed")
            raise broke_down() from None
        finally:
            del self._waiting[number]
            if answer.cancelled() and self.lives and self._starting.done():
                # Nobody waits for it any more: its worker becomes free.
                _write(self._starting.result(), {"id": number})

    async def _listen(self) -> None:
        try:
            process = await asyncio.shield(self._starting)
            assert process.stdout
            while line := await process.stdout.readline():
                self._take(json.loads(line))
        except (OSError, ValueError):
            logger.exception("sandbox_failed")
        finally:
            await self._kill()
            for answer in self._waiting.values():
                if not answer.done():
                    answer.set_exception(broke_down())

    async def _kill(self) -> None:
        with suppress(OSError):
            (await self._starting).kill()

    def _take(self, frame: dict[str, Any]) -> None:
        answer = self._waiting.get(frame["id"])
        if answer is None or answer.done():
            return
        if "run" in frame:
            answer.set_result(ProgramRun.model_validate(frame["run"]))
        else:
            answer.set_exception(ProgramNotRun(frame["error_type"], frame["message"]))

    async def close(self) -> None:
        """End the process by closing its input, or kill it if that does not work."""
        with suppress(OSError):
            process = await asyncio.shield(self._starting)
            assert process.stdin
            process.stdin.close()
            try:
                async with asyncio.timeout(END_WITHIN_S):
                    await process.wait()
            except TimeoutError:
                process.kill()
                await process.wait()
        await self._listening


async def _started() -> Process:
    return await asyncio.create_subprocess_exec(
        *COMMAND,
        stdin=PIPE,
        stdout=PIPE,
        cwd=ROOT,
        env=ENVIRONMENT,
        limit=LINE_BYTES,
        start_new_session=True,  # Ctrl-C in the server's terminal must not reach it: it ends with its input.
    )


def _write(process: Process, frame: dict[str, object]) -> None:
    assert process.stdin
    process.stdin.write(json.dumps(frame).encode() + b"\n")
