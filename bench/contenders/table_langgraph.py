"""The round table's rounds on LangGraph, without a checkpointer: the same agents, time limits and words."""

import asyncio
from collections.abc import Awaitable, Callable
from operator import add
from typing import Annotated, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from langgraph.types import StreamWriter

from bench.contenders import table_rounds


class TableState(TypedDict, total=False):
    question: str
    round: int
    said: Annotated[list[str], add]
    """In order, over all rounds."""


def agent_node(name: str) -> Callable[..., Awaitable[TableState]]:
    async def node(state: TableState, writer: StreamWriter) -> TableState:
        writer(("agent_started", name))
        words = []
        told = "\n".join((state["question"], *state["said"]))
        async with asyncio.timeout(30):
            async for word in table_rounds.model(name, told):
                words.append(word)
                writer(("agent_text", word))
        writer(("agent_finished", name))
        return {"said": ["".join(words)] if words else []}

    return node


async def begin_round(state: TableState, writer: StreamWriter) -> TableState:
    number = state["round"] + 1
    writer(("round_started", number))
    return {"round": number}


async def end_round(state: TableState, writer: StreamWriter) -> TableState:
    writer(("round_finished", state["round"]))
    return {}


def go_on(state: TableState) -> str:
    """Choose another round, if the last one said anything and one is left, or the summary."""
    is_over = state["round"] == table_rounds.ROUNDS or not any(state["said"][-len(table_rounds.VOICES) :])
    return table_rounds.CLOSES if is_over else "begin_round"


def compiled() -> CompiledStateGraph[TableState]:
    graph = StateGraph(TableState)
    for name in (table_rounds.OPENS, *table_rounds.VOICES, table_rounds.CLOSES):
        graph.add_node(name, agent_node(name))
    graph.add_node("begin_round", begin_round)
    graph.add_node("end_round", end_round)
    graph.add_edge(START, table_rounds.OPENS)
    graph.add_edge(table_rounds.OPENS, "begin_round")
    for name in table_rounds.VOICES:
        graph.add_edge("begin_round", name)
    graph.add_edge(list(table_rounds.VOICES), "end_round")
    graph.add_conditional_edges("end_round", go_on, ["begin_round", table_rounds.CLOSES])
    graph.add_edge(table_rounds.CLOSES, END)
    return graph.compile()


GRAPH = compiled()


async def table() -> int:
    words = 0
    start: TableState = {"question": table_rounds.QUESTION, "round": 0, "said": []}
    async for kind, _ in GRAPH.astream(start, stream_mode="custom"):
        words += kind == "agent_text"
    return words


def sample() -> dict[str, float]:
    return table_rounds.sample(table)
