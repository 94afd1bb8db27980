"""What one would write by hand: a TaskGroup, a time limit per agent, a queue between agents and consumer."""

import asyncio

from bench.contenders import simulated_turn

Event = tuple[str, str]


async def agent(name: str, tokens: int, queue: asyncio.Queue[Event | None]) -> str:
    queue.put_nowait(("agent_started", name))
    pieces = []
    async with asyncio.timeout(30):
        async for piece in simulated_turn.model(tokens):
            pieces.append(piece)
            queue.put_nowait(("agent_text", piece))
    queue.put_nowait(("agent_finished", name))
    return "".join(pieces)


async def walk(tokens: int, queue: asyncio.Queue[Event | None]) -> None:
    await agent("classify", 0, queue)
    queue.put_nowait(("routed", "panel"))
    async with asyncio.TaskGroup() as group:
        for name in simulated_turn.AGENTS:
            group.create_task(agent(name, tokens, queue))
    await agent("synthesize", 0, queue)
    queue.put_nowait(None)


async def turn(tokens: int) -> tuple[int, int]:
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    events = words = 0
    async with asyncio.TaskGroup() as group:
        group.create_task(walk(tokens, queue))
        while event := await queue.get():
            events += 1
            words += event[0] == "agent_text"
    return events, words


def sample() -> dict[str, float]:
    return simulated_turn.sample(turn)
