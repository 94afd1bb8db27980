"""The least that runs agents at once: a TaskGroup, events by direct call, no time limits."""

import asyncio
from collections.abc import Callable

from bench.contenders import simulated_turn


async def agent(name: str, tokens: int, emit: Callable[[tuple[str, str]], None]) -> str:
    emit(("agent_started", name))
    pieces = []
    async for piece in simulated_turn.model(tokens):
        pieces.append(piece)
        emit(("agent_text", piece))
    emit(("agent_finished", name))
    return "".join(pieces)


async def turn(tokens: int) -> tuple[int, int]:
    events: list[tuple[str, str]] = []
    await agent("classify", 0, events.append)
    events.append(("routed", "panel"))
    async with asyncio.TaskGroup() as group:
        for name in simulated_turn.AGENTS:
            group.create_task(agent(name, tokens, events.append))
    await agent("synthesize", 0, events.append)
    return len(events), sum(kind == "agent_text" for kind, _ in events)


def sample() -> dict[str, float]:
    return simulated_turn.sample(turn)
