"""Memory of runs that all wait in the middle of their words: `python -m bench.contenders.waiting_runs ours|langgraph`."""

import asyncio
import gc
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from bench.contenders import simulated_turn

RUNS = 1000
WORDS = 5
"""Words before an agent waits."""


class RunGate:
    """Where agents wait until all runs are here."""

    def __init__(self) -> None:
        self.waiting = 0
        self.all_here = asyncio.Event()
        self.open = asyncio.Event()

    async def model(self, tokens: int) -> AsyncIterator[str]:
        if not tokens:
            await asyncio.sleep(0)
        for number in range(tokens):
            if number == WORDS:
                self.waiting += 1
                if self.waiting == RUNS * len(simulated_turn.AGENTS):
                    self.all_here.set()
                await self.open.wait()
            await asyncio.sleep(0)
            yield simulated_turn.TOKEN


def ours() -> dict[str, float]:
    return _fresh("ours")


def langgraph() -> dict[str, float]:
    return _fresh("langgraph")


def _fresh(contender: str) -> dict[str, float]:
    """Measure in a new process: what an earlier sample freed would be used again."""
    command = [sys.executable, "-m", "bench.contenders.waiting_runs", contender]
    figures: dict[str, float] = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return figures


def _turn(contender: str) -> Callable[[int], Awaitable[tuple[int, int]]]:
    if contender == "langgraph":
        from bench.contenders.langgraph import turn as theirs

        return theirs
    from bench.contenders.engine_runner import turn as own

    return own


async def _measured(contender: str) -> dict[str, float]:
    gate = RunGate()
    turn = _turn(contender)
    # Each agent looks the model up when it speaks.
    simulated_turn.model = gate.model
    gate.open.set()
    await turn(simulated_turn.TOKENS)
    gate.open.clear()
    gate.waiting = 0
    gc.collect()
    before = _memory_kb()
    tasks = [asyncio.create_task(_run(turn)) for _ in range(RUNS)]
    async with asyncio.timeout(120):
        await gate.all_here.wait()
    parked = _memory_kb() - before
    gate.open.set()
    ended = await asyncio.gather(*tasks)
    return {
        "kb_a_run": parked / RUNS,
        "lost": sum(words != len(simulated_turn.AGENTS) * simulated_turn.TOKENS for _, words in ended),
    }


async def _run(turn: Callable[[int], Awaitable[tuple[int, int]]]) -> tuple[int, int]:
    return await turn(simulated_turn.TOKENS)


def _memory_kb() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1024


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_measured(sys.argv[1]))))
