"""What some work does to the process around it: how long the event loop stalls, and by how much the process grows."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Any

from bench.machine_load import cpu_pressure
from drills.result import DrillResult

GROWTH_KB = 10_000
STALL_S = 0.05
QUIET = 20.0
"""CPU pressure, in percent, above which times say nothing of ours."""
LOOK_EVERY_S = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessUse:
    """What something came to, and what it did to the process around it."""

    found: Any
    seconds: float
    stalled_s: float
    grown_kb: int

    @property
    def is_quiet(self) -> bool:
        return (cpu_pressure() or 0.0) < QUIET

    def as_result(self, name: str, faults: list[str], *, note: str) -> DrillResult:
        if self.grown_kb > GROWTH_KB:
            faults.append(f"the server grew by {self.grown_kb} KB")
        if self.stalled_s > STALL_S and self.is_quiet:
            faults.append("the loop was stalled")
        note = f"{note}; loop stalled {self.stalled_s * 1000:.0f} ms; +{self.grown_kb} KB"
        return DrillResult(name=name, faults=tuple(faults), seconds=self.seconds, measured="answered in", note=note)


async def watched_while(work: Coroutine[Any, Any, Any] | asyncio.Future[Any]) -> ProcessUse:
    """Return what the work came to; meanwhile the loop is watched."""
    before, started = _resident_kb(), monotonic()
    stalls = asyncio.create_task(_stalls())
    await asyncio.sleep(0)  # It begins here, so that it can be called off.
    found = await work
    seconds = monotonic() - started
    stalls.cancel()
    return ProcessUse(found=found, seconds=seconds, stalled_s=await stalls, grown_kb=_resident_kb() - before)


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
