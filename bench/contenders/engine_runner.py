"""The engine as the app uses it: its graph, its runner, its events."""

import asyncio
from collections.abc import AsyncIterator

from agents.engine.events import AgentText, Emit, Event
from agents.engine.graph import Choice, Graph, parallel, route, sequence
from agents.engine.roles import Plan, Request, Role, RoleCall, Tier
from agents.engine.runner import run
from agents.engine.speaker import Speaker, SpeechCompleted, SpeechPiece
from agents.llm.base import TextPiece
from agents.llm.token_usage import Usage
from bench.contenders import simulated_turn

PLAN = Plan()
CHOICE = Choice(to="panel", reason="always")
ROLES = {
    name: Role(name=name, purpose="Part of a simulated turn.", plan=lambda request: PLAN)
    for name in ("classify", *simulated_turn.AGENTS, "synthesize")
}
USAGE = Usage(backend="simulated")
REQUEST = Request(text="What is a half?")
GRAPH = Graph(
    name="panel",
    root=sequence(
        "classify",
        route(lambda request: CHOICE, panel=parallel(*simulated_turn.AGENTS)),
        "synthesize",
    ),
)


class SimulatedSpeaker(Speaker):
    """The simulated model of `turns`, speaking for the four agents only."""

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens

    async def stream(self, call: RoleCall) -> AsyncIterator[SpeechPiece]:
        tokens = self.tokens if call.role.name in simulated_turn.AGENTS else 0
        async for word in simulated_turn.model(tokens):
            yield TextPiece(word)
        yield SpeechCompleted(result=None, usage=USAGE)


async def walk(tokens: int, *, emit: Emit) -> None:
    speaker = SimulatedSpeaker(tokens)
    speakers: dict[Tier, Speaker] = {"fast": speaker, "strong": speaker, "vision": speaker}
    await run(GRAPH, REQUEST, emit=emit, speakers=speakers, roles=ROLES)


async def turn(tokens: int) -> tuple[int, int]:
    events: list[Event] = []
    await walk(tokens, emit=events.append)
    return len(events), sum(type(event) is AgentText for event in events)


async def walk_to_queue(tokens: int, queue: asyncio.Queue[Event | None]) -> None:
    await walk(tokens, emit=queue.put_nowait)
    queue.put_nowait(None)


async def queued_turn(tokens: int) -> tuple[int, int]:
    queue: asyncio.Queue[Event | None] = asyncio.Queue()
    events = words = 0
    async with asyncio.TaskGroup() as group:
        group.create_task(walk_to_queue(tokens, queue))
        while event := await queue.get():
            events += 1
            words += type(event) is AgentText
    return events, words


def sample() -> dict[str, float]:
    """Events by direct call, as the app takes them."""
    return simulated_turn.sample(turn)


def sample_queued() -> dict[str, float]:
    """Events through a queue to a consumer beside the run."""
    return simulated_turn.sample(queued_turn)
