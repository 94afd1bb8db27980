"""What all contenders share: the simulated model, and how a turn's CPU time is taken."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from time import process_time

AGENTS = ("tutor", "analysis", "research", "quiz")
TOKEN = "token "
TOKENS = 50
SAMPLE_CPU_S = 0.25
"""CPU seconds that one figure is taken over."""
MANY = 25
"""Turns between two looks at the clock."""

Turn = Callable[[int], Awaitable[tuple[int, int]]]
"""Tokens per agent → events of the turn, and how many of them were words."""


async def model(tokens: int) -> AsyncIterator[str]:
    """Yield words, handing the loop back before each; without words it only hands the loop back once."""
    if not tokens:
        await asyncio.sleep(0)
    for _ in range(tokens):
        await asyncio.sleep(0)
        yield TOKEN


def sample(turn: Turn) -> dict[str, float]:
    """Return µs of CPU of a turn without words, of one with them, and of one event more."""
    return asyncio.run(_sample(turn))


async def _sample(turn: Turn) -> dict[str, float]:
    few, _ = await turn(0)
    many, words = await turn(TOKENS)
    if words != len(AGENTS) * TOKENS:
        raise RuntimeError(f"{words} of {len(AGENTS) * TOKENS} words arrived")
    silent, streaming = await _cpu_us(turn, 0), await _cpu_us(turn, TOKENS)
    return {"s0_us": silent, "stream_us": streaming, "event_us": (streaming - silent) / (many - few)}


async def _cpu_us(turn: Turn, tokens: int) -> float:
    turns, started = 0, process_time()
    while process_time() - started < SAMPLE_CPU_S:
        for _ in range(MANY):
            await turn(tokens)
        turns += MANY
    return (process_time() - started) / turns * 1e6
