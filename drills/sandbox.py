"""Drill: every hostile program in both sandboxes (C1 to C12): told off in its time, and the server neither grows nor stalls."""

import asyncio
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

from agents.sandbox.bubblewrap import BubblewrapSandbox
from agents.sandbox.monty import MontySandbox
from agents.sandbox.program import ProgramNotRun, ProgramRun, Sandbox
from drills.data_folder import PreparedFolder
from drills.process_watch import LOOK_EVERY_S, watched_while
from drills.result import DrillResult
from tests.agents.sandbox.hostile_programs import HOSTILE, LOOP, REFUSED, HostileProgram

WITHIN_S = 2.5
AT_ONCE = 50


def run(_base: PreparedFolder) -> Iterator[DrillResult]:
    yield from asyncio.run(_drilled("monty", MontySandbox()))
    yield asyncio.run(_worker_killed())
    if shutil.which("bwrap"):
        yield from asyncio.run(_drilled("bubblewrap", BubblewrapSandbox()))
    else:
        print("not run: the sandbox by bubblewrap, for want of its command bwrap")


async def _drilled(name: str, sandbox: Sandbox) -> list[DrillResult]:
    await sandbox.run("1")
    try:
        results = [await _told_off(name, sandbox, each) for each in HOSTILE]
        return [*results, await _many(name, sandbox)]
    finally:
        await sandbox.close()


async def _told_off(name: str, sandbox: Sandbox, each: HostileProgram) -> DrillResult:
    wanted = each.kinds | (REFUSED if name == "bubblewrap" and each.kinds & REFUSED else set())
    watched = await watched_while(sandbox.run(each.code))
    kind = _kind(watched.found)
    faults = [f"{kind}, not {' or '.join(sorted(wanted))}"] if kind not in wanted else []
    if watched.seconds > WITHIN_S and watched.is_quiet:
        faults.append(f"after more than {WITHIN_S} s")
    return watched.as_result(f"{name} {each.row} {each.code[:20]!r}", faults, note=kind)


async def _many(name: str, sandbox: Sandbox) -> DrillResult:
    """Run all at once, hostile ones and harmless ones: each is answered, or told that there is no room."""
    codes = [HOSTILE[number % len(HOSTILE)].code if number % 2 else "6 * 7" for number in range(AT_ONCE)]
    watched = await watched_while(asyncio.gather(*(_outcome(sandbox, code) for code in codes)))
    ended: list[str] = watched.found
    faults = [f"{ended.count('internal')} cut off"] if "internal" in ended else []
    counted = ", ".join(f"{ended.count(kind)} {kind}" for kind in sorted(set(ended)))
    return watched.as_result(f"{name} C12 {AT_ONCE} at once", faults, note=counted)


async def _worker_killed() -> DrillResult:
    """Kill −9 what runs a program, ten times: each is told, and the next runs."""
    sandbox, faults = MontySandbox(), []
    started = monotonic()
    await sandbox.run("1")
    for _ in range(10):
        running = asyncio.create_task(_outcome(sandbox, LOOP))
        while not running.done():
            for worker in (pid for keeper in _children("self") for pid in _children(keeper)):
                _kill(worker)
            await asyncio.sleep(LOOK_EVERY_S)
        if running.result() != "internal" or await _outcome(sandbox, "1") != "done":
            faults.append(f"{running.result()} after a kill")
    await sandbox.close()
    return DrillResult(name="monty C12 kill -9", faults=tuple(faults), seconds=monotonic() - started, measured="ten in")


async def _outcome(sandbox: Sandbox, code: str) -> str:
    try:
        return _kind(await sandbox.run(code))
    except ProgramNotRun as why:
        return why.error_type


def _kind(found: ProgramRun) -> str:
    return found.error.kind if found.error else "done"


def _children(pid: int | str) -> list[int]:
    return [int(child) for each in Path(f"/proc/{pid}/task").glob("*/children") for child in each.read_text().split()]


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
