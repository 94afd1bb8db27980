"""Process that holds the small Python's workers, one per program: `python -m agents.sandbox.monty_child`.

It stands between them and the server, because a worker passes on everything a program says, including an error message
of 25 MB. A request is a line of JSON, `{"id": 1, "code": "…"}`; so is an answer: `{"id": 1, "run": {…}}`, or `{"id": 1,
"error_type": "resource", "message": "…"}`. `{"id": 1}` alone cancels a request. It ends when its input ends.
"""

import asyncio
import json
import os
import re
import sys
from contextlib import AsyncExitStack
from functools import partial

from pydantic_monty import (
    AsyncMonty,
    AsyncMontySession,
    MontyCrashedError,
    MontyRuntimeError,
    MontySyntaxError,
    ResourceLimits,
)

from agents.sandbox.error_messages import program_error
from agents.sandbox.program import (
    LINE_BYTES,
    MAX_PARALLEL_PROGRAMS,
    MEMORY_BYTES,
    OUTPUT_BYTES,
    QUEUE_LIMIT_S,
    SLEEP_S,
    TIME_LIMIT_S,
    VALUE_CHARACTERS,
    VALUE_NAME,
    Program,
    ProgramError,
    ProgramNotRun,
    ProgramRun,
    broke_down,
    mark_cut_value,
    no_room,
    output_spent,
    prepare_program,
    slept_too_long,
    timed_out,
)

RECURSION = 200
LIMITS: ResourceLimits = {
    "max_feed_duration_secs": TIME_LIMIT_S,
    "max_memory": MEMORY_BYTES,
    "max_recursion_depth": RECURSION,
    "max_suspensions": 50,
    "max_total_sleep_secs": SLEEP_S,
}
NICENESS = 5
"""Lower priority than the server and its learners."""
REQUEST_S = 4.0
"""A worker that says nothing for this many seconds is killed; its own limits are lower."""
# Both are syntax, not names: no definition in the program can shadow them. The text is made in the worker, so that
# a value of 60 MB stays there.
VALUE_EXPRESSION = f"\nf'{{{VALUE_NAME}!r:.{VALUE_CHARACTERS}}}' if {VALUE_NAME} is not None else None"
FRAME = re.compile(r"<python-input-\d+>")


class ProgramPool:
    """Runs programs in one pool of workers."""

    def __init__(self, pool: AsyncMonty, limits: ResourceLimits = LIMITS) -> None:
        """Raise ValueError if a limit is missing: without it a program could run or grow without end."""
        missing = [name for name in LIMITS if (limits or {}).get(name) is None]
        if missing:
            raise ValueError(f"a program needs each limit: {', '.join(missing)}")
        self.pool = pool
        self.limits = limits

    async def run(self, code: str) -> ProgramRun:
        program = prepare_program(code)
        return ProgramRun(error=program) if isinstance(program, ProgramError) else await self._fed(program)

    async def _fed(self, program: Program) -> ProgramRun:
        """Run it in its own worker, which ends with it."""
        output = PrintedOutput()
        value: str | None = None
        error: ProgramError | None = None
        try:
            async with AsyncExitStack() as stack:
                session = await _enter_session(stack, self.pool.checkout(limits=self.limits))
                value = await session.feed_run(program.source + VALUE_EXPRESSION, print_callback=output.take)
        except (MontySyntaxError, MontyRuntimeError) as raised:
            error = output_spent() if output.is_cut else _error(raised, lines=program.lines)
        except MontyCrashedError as crash:
            if not crash.timed_out:
                raise broke_down() from None
            error = timed_out()
        return ProgramRun(value=mark_cut_value(value), error=error, is_cut=output.is_cut, output=output.text)


async def _enter_session(stack: AsyncExitStack, session: AsyncMontySession) -> AsyncMontySession:
    try:
        return await stack.enter_async_context(session)
    except TimeoutError:
        raise no_room() from None


class PrintedOutput:
    """A program's output, up to the limit."""

    def __init__(self) -> None:
        self.text = ""
        self.is_cut = False

    def take(self, stream: str, text: str) -> None:
        """Keep what fits; raise at the limit, which stops the program. Called from another thread."""
        room = OUTPUT_BYTES - len(self.text.encode(errors="replace"))
        read = text.encode(errors="replace")
        self.text += read[:room].decode(errors="ignore")
        if len(read) > room:
            self.is_cut = True
            raise OutputLimitReached


class OutputLimitReached(Exception):
    """A program printed more than the limit."""


def _error(raised: MontyRuntimeError | MontySyntaxError, *, lines: int) -> ProgramError:
    """Return what went wrong, with the innermost line of the program that was running."""
    name, message = type(raised.exception()).__name__, str(raised.exception())
    line = next(
        (
            frame.line
            for frame in reversed(raised.traceback())
            if FRAME.fullmatch(frame.filename) and frame.line <= lines
        ),
        None,
    )
    if name == "TimeoutError" and "limit exceeded" in message:
        return slept_too_long(line) if message.startswith("sleep") else timed_out()
    return program_error(name, message, line)


async def serve() -> None:
    """Answer requests until the input ends."""
    pool = AsyncMonty(
        min_processes=1,
        max_processes=MAX_PARALLEL_PROGRAMS,
        request_timeout=REQUEST_S,
        checkout_timeout=QUEUE_LIMIT_S,
        max_checkouts_per_worker=1,
    )
    asked = asyncio.StreamReader(limit=LINE_BYTES)
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(asked), sys.stdin)
    running: dict[int, asyncio.Task[None]] = {}
    async with pool, asyncio.TaskGroup() as group:
        programs = ProgramPool(pool)
        while line := await asked.readline():
            frame = json.loads(line)
            number = frame["id"]
            if "code" in frame:
                running[number] = group.create_task(_answer(programs, number, frame["code"]))
                running[number].add_done_callback(partial(_forget, running, number))
            elif number in running:
                running[number].cancel()
        for task in running.values():
            task.cancel()


async def _answer(programs: ProgramPool, number: int, code: str) -> None:
    try:
        answer = {"id": number, "run": (await programs.run(code)).model_dump()}
    except ProgramNotRun as why:
        answer = _not_run(number, why)
    except Exception as error:  # A bug of ours or of the pool: the server is told, the other programs continue.
        print(f"a program could not be run: {error!r:.300}", file=sys.stderr, flush=True)
        answer = _not_run(number, broke_down())
    sys.stdout.write(json.dumps(answer) + "\n")
    sys.stdout.flush()


def _not_run(number: int, why: ProgramNotRun) -> dict[str, object]:
    return {"id": number, "error_type": why.error_type, "message": str(why)}


def _forget(running: dict[int, asyncio.Task[None]], number: int, task: asyncio.Task[None]) -> None:
    del running[number]


if __name__ == "__main__":
    os.nice(NICENESS)
    asyncio.run(serve())
