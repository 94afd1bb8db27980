"""The same team on LangGraph, without a checkpointer, in the same server: only who runs the agents differs."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from operator import add
from time import monotonic
from typing import Annotated, Any, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StreamWriter

from agents.engine.events import AgentFinished, AgentStarted, AgentText, Emit, ReplyText
from agents.engine.graph import Graph
from agents.engine.outcomes import Answered
from agents.engine.roles import Request
from agents.engine.runner import RunResult
from agents.llm.token_usage import Usage
from bench.live_server.team_script import AGENTS, REPLY, paced_tokens

USAGE = Usage(backend="simulated")


class TwinState(TypedDict, total=False):
    outcomes: Annotated[list[Answered], add]


async def model(name: str) -> AsyncIterator[str]:
    if name in AGENTS:
        async for token in paced_tokens():
            yield token
    elif name == "tutor":
        yield REPLY


def agent_node(name: str) -> Callable[..., Awaitable[TwinState]]:
    async def node(state: TwinState, writer: StreamWriter) -> TwinState:
        started = monotonic()
        writer(AgentStarted(agent=name))
        said = []
        async with asyncio.timeout(30):
            async for piece in model(name):
                said.append(piece)
                writer(ReplyText(text=piece) if name == "tutor" else AgentText(agent=name, text=piece))
        ms = (monotonic() - started) * 1000
        writer(AgentFinished(agent=name, ms=ms))
        return {"outcomes": [Answered(agent=name, result=None, text="".join(said), ms=ms, usage=USAGE)]}

    return node


def compiled() -> CompiledStateGraph[TwinState]:
    graph = StateGraph(TwinState)
    for name in ("classify", *AGENTS, "tutor"):
        graph.add_node(name, agent_node(name))
    graph.add_edge(START, "classify")
    for name in AGENTS:
        graph.add_edge("classify", name)
    graph.add_edge(list(AGENTS), "tutor")
    graph.add_edge("tutor", END)
    return graph.compile()


GRAPH = compiled()


async def run(graph: Graph, request: Request, *, emit: Emit, **_others: Any) -> RunResult:
    """Stand in for `agents.engine.runner.run`."""
    state: TwinState = {}
    async for mode, part in GRAPH.astream({"outcomes": []}, stream_mode=["custom", "values"]):
        if mode == "custom":
            emit(part)
        else:
            state = part
    return RunResult(outcomes=tuple(state["outcomes"]), state={}, position=None)
