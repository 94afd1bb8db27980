"""What both contenders for the panel share: models with the design document's latencies, and how turns are timed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from time import perf_counter, process_time

from bench.harness import percentile

AT_ONCE = ("conversation", "analysis", "research")
LATENCY_S = {"conversation": 0.8, "analysis": 0.25, "research": 0.6, "synthesis": 0.15}
WORDS = {"conversation": 40, "synthesis": 80}
"""How many words an agent says; the other two return a result only."""
PATH_S = max(LATENCY_S[name] for name in AT_ONCE) + LATENCY_S["synthesis"]
"""The longest path of agents: what a turn takes beyond it is coordination."""
TOKEN = "token "
TURNS = 60
"""Of a sample."""
EVERY_S = 0.05
"""Between the starts of two turns: 20 turns a second."""

Turn = Callable[[], Awaitable[int]]
"""Runs a turn; returns how many words arrived."""


async def model(name: str) -> AsyncIterator[str]:
    """Wait for the agent's latency, then yield its words."""
    await asyncio.sleep(LATENCY_S[name])
    for _ in range(WORDS.get(name, 0)):
        yield TOKEN


def sample(turn: Turn) -> dict[str, float]:
    """Return the coordination of a turn in ms, p50 and p95, and its CPU time in µs, with 20 turns a second."""
    return asyncio.run(_sample(turn))


async def _sample(turn: Turn) -> dict[str, float]:
    cpu = process_time()
    async with asyncio.TaskGroup() as group:
        tasks = []
        for _ in range(TURNS):
            tasks.append(group.create_task(_coordination_ms(turn)))
            await asyncio.sleep(EVERY_S)
    took = [task.result() for task in tasks]
    return {
        "coordination_p50_ms": percentile(took, 50),
        "coordination_p95_ms": percentile(took, 95),
        "cpu_us": (process_time() - cpu) / TURNS * 1e6,
    }


async def _coordination_ms(turn: Turn) -> float:
    started = perf_counter()
    words = await turn()
    took = perf_counter() - started
    if words != sum(WORDS.values()):
        raise RuntimeError(f"{words} of {sum(WORDS.values())} words arrived")
    return (took - PATH_S) * 1000
