"""What both contenders for the round table share: five voices in three rounds, their latencies and words, and how tables are timed."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from time import perf_counter, process_time

from bench.harness import percentile

VOICES = ("explainer", "sceptic", "example_finder", "historian", "practitioner")
ROUNDS = 3
OPENS, CLOSES = "initiator", "summarizer"
LATENCY_S = {
    OPENS: 0.1,
    "explainer": 0.3,
    "sceptic": 0.25,
    "example_finder": 0.2,
    "historian": 0.15,
    "practitioner": 0.1,
    CLOSES: 0.15,
}
WORDS = dict.fromkeys(VOICES, 40) | {CLOSES: 80}
"""How many words an agent says each time; the initiator returns a result only."""
PATH_S = LATENCY_S[OPENS] + ROUNDS * max(LATENCY_S[name] for name in VOICES) + LATENCY_S[CLOSES]
"""The longest path of agents: what a table takes beyond it is coordination."""
ALL_WORDS = ROUNDS * sum(WORDS[name] for name in VOICES) + WORDS[CLOSES]
TOKEN = "token "
QUESTION = "Was the invention of the fraction more useful than zero? Discuss."
TABLES = 40
"""Of a sample."""
EVERY_S = 0.1
"""Between the starts of two tables: about 13 are held at once."""

HeldTable = Callable[[], Awaitable[int]]
"""Holds a table; returns how many words arrived."""


async def model(name: str, told: str) -> AsyncIterator[str]:
    """Wait for the agent's latency, then yield its words. `told` is the prompt: the question and the earlier rounds."""
    if QUESTION not in told:
        raise ValueError(f"{name} was not told the question")
    await asyncio.sleep(LATENCY_S[name])
    for _ in range(WORDS.get(name, 0)):
        yield TOKEN


def sample(table: HeldTable) -> dict[str, float]:
    """Return the coordination of a round in ms, p50 and p95, and a table's CPU time in µs."""
    return asyncio.run(_sample(table))


async def _sample(table: HeldTable) -> dict[str, float]:
    cpu = process_time()
    async with asyncio.TaskGroup() as group:
        tasks = []
        for _ in range(TABLES):
            tasks.append(group.create_task(_coordination_ms(table)))
            await asyncio.sleep(EVERY_S)
    took = [task.result() for task in tasks]
    return {
        "coordination_p50_ms": percentile(took, 50),
        "coordination_p95_ms": percentile(took, 95),
        "cpu_us": (process_time() - cpu) / TABLES * 1e6,
    }


async def _coordination_ms(table: HeldTable) -> float:
    """Hold a table; return what each of its rounds took beyond its agents, the beginning and the end included."""
    started = perf_counter()
    words = await table()
    took = perf_counter() - started
    if words != ALL_WORDS:
        raise RuntimeError(f"{words} of {ALL_WORDS} words arrived")
    return (took - PATH_S) / ROUNDS * 1000
