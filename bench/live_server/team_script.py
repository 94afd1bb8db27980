"""What the simulated team says, and when."""

import asyncio
import os
from collections.abc import AsyncIterator

AGENTS = ("analysis", "research", "quiz")
TOKEN = "token "
TOKENS = 50
PACE_S = float(os.environ.get("BENCH_PACE_S", "0.02"))
MODEL_S = TOKENS * PACE_S
"""How long a turn's models take: what a turn takes beyond that is ours."""
REPLY = (
    "**A half** is one of two *equal* parts.\n\n- cut it in two\n- compare both\n- say so\n\n"
    + "Half of it is half. " * 45
)
TORRENT = "torrent"
"""The message that is answered with as much as one agent may say, in small pieces."""
PIECES, PIECE = 40_000, "drop "


async def paced_tokens() -> AsyncIterator[str]:
    """Yield an agent's tokens when they are due by the clock: what a loop oversleeps must not add up to model time."""
    loop = asyncio.get_running_loop()
    due = loop.time()
    for _ in range(TOKENS):
        due += PACE_S
        await asyncio.sleep(due - loop.time())
        yield TOKEN
