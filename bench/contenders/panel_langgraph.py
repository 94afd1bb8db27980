"""The panel's graph on LangGraph, without a checkpointer: the same agents, time limits and words."""

import asyncio
from collections.abc import Awaitable, Callable
from operator import add
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StreamWriter

from bench.contenders import panel_turn


class PanelState(TypedDict, total=False):
    answers: Annotated[list[str], add]


def agent_node(name: str) -> Callable[..., Awaitable[PanelState]]:
    async def node(state: PanelState, writer: StreamWriter) -> PanelState:
        writer(("agent_started", name))
        said = []
        async with asyncio.timeout(30):
            async for word in panel_turn.model(name):
                said.append(word)
                writer(("agent_text", word))
        writer(("agent_finished", name))
        return {"answers": ["".join(said)]}

    return node


def compiled() -> CompiledStateGraph[PanelState]:
    graph = StateGraph(PanelState)
    for name in (*panel_turn.AT_ONCE, "synthesis"):
        graph.add_node(name, agent_node(name))
    for name in panel_turn.AT_ONCE:
        graph.add_edge(START, name)
    graph.add_edge(list(panel_turn.AT_ONCE), "synthesis")
    graph.add_edge("synthesis", END)
    return graph.compile()


GRAPH = compiled()


async def turn() -> int:
    words = 0
    async for kind, _ in GRAPH.astream({"answers": []}, stream_mode="custom"):
        words += kind == "agent_text"
    return words


def sample() -> dict[str, float]:
    return panel_turn.sample(turn)
