"""Sandbox for full Python: a process for each program, isolated by bubblewrap and the system's limits."""

import asyncio
import os
import shutil
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ValidationError

from agents.event_log import get_logger
from agents.sandbox.error_messages import program_error
from agents.sandbox.program import (
    MAX_CHARACTERS,
    MAX_PARALLEL_PROGRAMS,
    MEMORY_BYTES,
    OUTPUT_BYTES,
    QUEUE_LIMIT_S,
    STOPPED,
    TIME_LIMIT_S,
    VALUE_CHARACTERS,
    ProgramError,
    ProgramRun,
    broke_down,
    code_too_long,
    mark_cut_value,
    no_room,
    output_spent,
    timed_out,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

logger = get_logger(__name__)

CHILD_SCRIPT = Path(__file__).with_name("bubblewrap_child.py")
SYSTEM = ("/usr", "/lib", "/lib64", "/bin")
PYTHON = "/python"
"""Path of Python inside the sandbox; outside, its folders may not be readable by others."""
ADDRESS_SPACE_BYTES = 2 * MEMORY_BYTES
"""Memory for the program and for Python itself."""
WALL_TIME_S = TIME_LIMIT_S + 0.3
"""A program that waits instead of computing is stopped after this many seconds; Python's start counts."""
STARTED_MARK = b"begun"
REPORT_BYTES = 65_536
TOO_MUCH_CPU = {128 + 24, 128 + 9}
"""bubblewrap's exit codes if the system stopped a program for its CPU time."""


class ProgramReport(BaseModel):
    """How a program ended, reported by its own process: as untrusted as the program."""

    value: str | None = None
    name: str = ""
    message: str = ""
    line: int | None = None
    is_syntax: bool = False


class BubblewrapSandbox:
    """Needs bubblewrap and a system that allows namespaces. Keeps nothing running between programs."""

    def __init__(self) -> None:
        self._rooms: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    async def run(self, code: str) -> ProgramRun:
        if len(code) > MAX_CHARACTERS:
            return ProgramRun(error=code_too_long(code))
        async with self._room():
            return await _run_process(code)

    @asynccontextmanager
    async def _room(self) -> "AsyncIterator[None]":
        room = self._rooms.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(MAX_PARALLEL_PROGRAMS))
        try:
            async with asyncio.timeout(QUEUE_LIMIT_S):
                await room.acquire()
        except TimeoutError:
            raise no_room() from None
        try:
            yield
        finally:
            room.release()

    async def close(self) -> None:
        """Nothing to close: each program's process ends with it."""

    def problem(self) -> str:
        return "" if shutil.which("bwrap") else "bubblewrap is not installed (its command is bwrap)"


def command() -> list[str]:
    """Return the command that runs a program from standard input."""
    closed = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if os.getuid() == 0:
        # Root becomes nobody inside, which needs these two; other users become nobody through a namespace.
        closed += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        closed += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    return [
        shutil.which("bwrap") or "bwrap",
        *closed,
        *("--die-with-parent", "--clearenv", "--setenv", "LD_LIBRARY_PATH", f"{PYTHON}/lib"),
        *_mount_arguments(),
        *("--remount-ro", "/", "--chdir", "/"),
        *(
            f"{PYTHON}/bin/python{sys.version_info.major}.{sys.version_info.minor}",
            "-I",
            "-S",
            "-B",
            "-c",
            CHILD_SCRIPT.read_text(encoding="utf-8"),
        ),
        *(str(int(TIME_LIMIT_S)), str(ADDRESS_SPACE_BYTES), str(VALUE_CHARACTERS)),
    ]


def _mount_arguments() -> Iterator[str]:
    """Yield the arguments that mount Python and its libraries, read-only."""
    for folder in SYSTEM:
        if os.path.islink(folder):
            yield from ("--symlink", os.readlink(folder), folder)
        elif os.path.isdir(folder):
            yield from ("--ro-bind", folder, folder)
    yield from ("--ro-bind", sys.base_prefix, PYTHON)
    yield from ("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache")


async def _start_process() -> Process:
    """Start the process that waits for a program. Cancelling leaves no process behind."""
    beginning = asyncio.create_task(
        asyncio.create_subprocess_exec(*command(), stdin=PIPE, stdout=PIPE, stderr=PIPE, env={}, start_new_session=True)
    )
    try:
        return await asyncio.shield(beginning)
    except asyncio.CancelledError:
        _kill(await beginning)
        raise
    except OSError:
        raise broke_down() from None


async def _run_process(code: str) -> ProgramRun:
    process = await _start_process()
    printed, report = bytearray(), bytearray()
    loop = asyncio.get_running_loop()
    begun = loop.time()
    # The output ends with the process: nothing more can be read of a killed program.
    killing = loop.call_later(WALL_TIME_S, _kill, process)
    try:
        async with asyncio.TaskGroup() as group:
            group.create_task(_read(process, process.stdout, printed, OUTPUT_BYTES))
            group.create_task(_read(process, process.stderr, report, REPORT_BYTES))
            assert process.stdin
            process.stdin.write(code.encode(errors="replace"))
            process.stdin.close()
    finally:
        killing.cancel()
        _kill(process)
        await process.wait()
    is_late = loop.time() - begun >= WALL_TIME_S
    is_cut = len(printed) > OUTPUT_BYTES
    value, error = (None, output_spent()) if is_cut else parse_outcome(report, code=process.returncode, is_late=is_late)
    if error is not None and error.kind in STOPPED:
        logger.info("program_stopped", reason=error.kind)
    output = printed[:OUTPUT_BYTES].decode(errors="ignore" if is_cut else "replace")
    return ProgramRun(value=value, error=error, is_cut=is_cut, output=output)


async def _read(process: Process, stream: asyncio.StreamReader | None, read: bytearray, most: int) -> None:
    """Read to the end or to one byte more than the limit: the rest is not needed."""
    assert stream
    while piece := await stream.read(8192):
        read += piece[: most + 1 - len(read)]
        if len(read) > most:
            _kill(process)


def _kill(process: Process) -> None:
    """Kill the process and its session: a process not yet isolated would outlive bubblewrap."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def parse_outcome(
    report: bytes | bytearray, *, code: int | None, is_late: bool
) -> tuple[str | None, ProgramError | None]:
    """Return a program's value and error from its report and its exit code. Raises ProgramNotRun if it was
    not started.
    """
    if is_late or code in TOO_MUCH_CPU:
        return None, timed_out()
    begun, _, end = bytes(report).partition(b"\n")
    if begun != STARTED_MARK:  # bubblewrap or Python could not start.
        logger.error("sandbox_failed", error=report[:300].decode(errors="replace"))
        raise broke_down()
    try:
        how = ProgramReport.model_validate_json(end)
    except ValidationError:
        error = ProgramError(kind="error", message="The program stopped Python itself.")
        return None, error if code else None
    if how.is_syntax:
        return None, ProgramError(kind="syntax", line=how.line, message=f"{how.name}: {how.message}"[:300])
    return (None, program_error(how.name, how.message, how.line)) if how.name else (mark_cut_value(how.value), None)
