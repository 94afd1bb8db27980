"""The same turn on LangGraph, without a checkpointer; words travel by its own stream writer, each agent has a time limit."""

import asyncio
from collections.abc import Awaitable, Callable
from operator import add
from typing import Annotated, TypedDict

from langgraph.config import get_stream_writer
from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StreamWriter

from bench.contenders import simulated_turn


class GraphState(TypedDict, total=False):
    tokens: int
    answers: Annotated[list[str], add]


def agent_node(name: str, *, speaks: bool) -> Callable[..., Awaitable[GraphState]]:
    async def node(state: GraphState, writer: StreamWriter) -> GraphState:
        writer(("agent_started", name))
        pieces = []
        async with asyncio.timeout(30):
            async for piece in simulated_turn.model(state["tokens"] if speaks else 0):
                pieces.append(piece)
                writer(("agent_text", piece))
        writer(("agent_finished", name))
        return {"answers": ["".join(pieces)]}

    return node


def choose(state: GraphState) -> list[str]:
    get_stream_writer()(("routed", "panel"))
    return list(simulated_turn.AGENTS)


def compiled() -> CompiledStateGraph[GraphState]:
    graph = StateGraph(GraphState)
    graph.add_node("classify", agent_node("classify", speaks=False))
    graph.add_node("synthesize", agent_node("synthesize", speaks=False))
    for name in simulated_turn.AGENTS:
        graph.add_node(name, agent_node(name, speaks=True))
    graph.add_edge(START, "classify")
    graph.add_conditional_edges("classify", choose, list(simulated_turn.AGENTS))
    graph.add_edge(list(simulated_turn.AGENTS), "synthesize")
    graph.add_edge("synthesize", END)
    return graph.compile()


GRAPH = compiled()


async def turn(tokens: int) -> tuple[int, int]:
    events = words = 0
    async for kind, _ in GRAPH.astream({"tokens": tokens, "answers": []}, stream_mode="custom"):
        events += 1
        words += kind == "agent_text"
    return events, words


def sample() -> dict[str, float]:
    return simulated_turn.sample(turn)
