"""Drill: every hostile program in both sandboxes (C1 to C12): told off in its time, and the server neither grows nor stalls."""

import asyncio
import os
import shutil
import signal
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from agents.sandbox.bubblewrap import BubblewrapSandbox
from agents.sandbox.monty import MontySandbox
from agents.sandbox.programs import ProgramNotRun, ProgramRun, Sandbox
from bench.pressure import cpu_pressure
from drills.prepared import Prepared
from drills.result import Result
from tests.agents.sandbox.programs import HOSTILE, LOOP, REFUSED, Hostile

WITHIN_S = 2.5
GROWTH_KB = 10_000
STALL_S = 0.05
QUIET = 20.0
"""CPU pressure, in percent, above which times say nothing of ours."""
AT_ONCE = 50
LOOK_EVERY_S = 0.005


def run(_base: Prepared) -> Iterator[Result]:
    yield from asyncio.run(_drilled("monty", MontySandbox()))
    yield asyncio.run(_worker_killed())
    if shutil.which("bwrap"):
        yield from asyncio.run(_drilled("bubblewrap", BubblewrapSandbox()))
    else:
        print("not run: the sandbox by bubblewrap, for want of its command bwrap")


async def _drilled(name: str, sandbox: Sandbox) -> list[Result]:
    await sandbox.run("1")
    try:
        results = [await _told_off(name, sandbox, each) for each in HOSTILE]
        return [*results, await _many(name, sandbox)]
    finally:
        await sandbox.close()


async def _told_off(name: str, sandbox: Sandbox, each: Hostile) -> Result:
    wanted = each.kinds | (REFUSED if name == "bubblewrap" and each.kinds & REFUSED else set())
    watched = await _watched(sandbox.run(each.code))
    kind = _kind(watched.found)
    faults = [f"{kind}, not {' or '.join(sorted(wanted))}"] if kind not in wanted else []
    if watched.seconds > WITHIN_S and watched.is_quiet:
        faults.append(f"after more than {WITHIN_S} s")
    return watched.as_result(f"{name} {each.row} {each.code[:20]!r}", faults, note=kind)


async def _many(name: str, sandbox: Sandbox) -> Result:
    """Run all at once, hostile ones and harmless ones: each is answered, or told that there is no room."""
    codes = [HOSTILE[number % len(HOSTILE)].code if number % 2 else "6 * 7" for number in range(AT_ONCE)]
    watched = await _watched(asyncio.gather(*(_outcome(sandbox, code) for code in codes)))
    ended: list[str] = watched.found
    faults = [f"{ended.count('internal')} cut off"] if "internal" in ended else []
    counted = ", ".join(f"{ended.count(kind)} {kind}" for kind in sorted(set(ended)))
    return watched.as_result(f"{name} C12 {AT_ONCE} at once", faults, note=counted)


async def _worker_killed() -> Result:
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
    return Result(name="monty C12 kill -9", faults=tuple(faults), seconds=monotonic() - started, measured="ten in")


async def _outcome(sandbox: Sandbox, code: str) -> str:
    try:
        return _kind(await sandbox.run(code))
    except ProgramNotRun as why:
        return why.error_type


def _kind(found: ProgramRun) -> str:
    return found.error.kind if found.error else "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Watched:
    """What something came to, and what it did to the process around it."""

    found: Any
    seconds: float
    stalled_s: float
    grown_kb: int

    @property
    def is_quiet(self) -> bool:
        return (cpu_pressure() or 0.0) < QUIET

    def as_result(self, name: str, faults: list[str], *, note: str) -> Result:
        if self.grown_kb > GROWTH_KB:
            faults.append(f"the server grew by {self.grown_kb} KB")
        if self.stalled_s > STALL_S and self.is_quiet:
            faults.append("the loop was stalled")
        note = f"{note}; loop stalled {self.stalled_s * 1000:.0f} ms; +{self.grown_kb} KB"
        return Result(name=name, faults=tuple(faults), seconds=self.seconds, measured="answered in", note=note)


async def _watched(work: Coroutine[Any, Any, Any] | asyncio.Future[Any]) -> _Watched:
    before, started = _resident_kb(), monotonic()
    stalls = asyncio.create_task(_stalls())
    found = await work
    seconds = monotonic() - started
    stalls.cancel()
    return _Watched(found=found, seconds=seconds, stalled_s=await stalls, grown_kb=_resident_kb() - before)


async def _stalls() -> float:
    """Return the longest time that the loop was kept from its work, once called off."""
    longest = 0.0
    try:
        while True:
            started = monotonic()
            await asyncio.sleep(LOOK_EVERY_S)
            longest = max(longest, monotonic() - started - LOOK_EVERY_S)
    except asyncio.CancelledError:
        return longest


def _resident_kb() -> int:
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _children(pid: int | str) -> list[int]:
    return [int(child) for each in Path(f"/proc/{pid}/task").glob("*/children") for child in each.read_text().split()]


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return
