"""What questions to the panel show: how long turns and agents took, and what of a turn was coordination."""

from collections.abc import Mapping, Sequence

from bench.harness import percentile
from bench.live_server.panel_load import AnsweredTurn, PanelLoad
from bench.live_server.panel_models import AGENTS, UNDERSTANDING
from bench.live_server.panel_place import ModelCallTime

Figures = dict[str, float]

STEPS: Mapping[str, Sequence[Sequence[str]]] = {
    "simple_query": (("tutor",),),
    "complex_query": (("conversation", "analysis", "research"), ("synthesis",)),
    "visual_query": (("vision", "conversation", "analysis"), ("research",), ("synthesis",)),
    "insight_request": (("conversation", "analysis", "research"), ("synthesis",)),
}
"""The kind of a question → the agents of each step, which work at the same time."""


def longest_path_ms(turn: AnsweredTurn) -> float:
    """Return how long the agents took, of each step the slowest one. Raises KeyError if one of them did not work."""
    return sum(max(turn.agents_ms[agent] for agent in step) for step in STEPS[turn.kind])


def reading_times_ms(calls: Sequence[ModelCallTime]) -> dict[str, float]:
    """Return how long a model took to read each turn's message, by the turn's id."""
    return {call.turn_id: call.ms for call in calls if call.agent == UNDERSTANDING}


def turn_figures(turns: Sequence[AnsweredTurn], *, reading_ms: Mapping[str, float]) -> Figures:
    """Return the figures of turns. Coordination is what a turn took besides its agents and the model that read it."""
    took = [turn.ms for turn in turns]
    coordination = [turn.ms - longest_path_ms(turn) - reading_ms.get(turn.id, 0.0) for turn in turns]
    return {
        "turns": len(turns),
        "p50_ms": percentile(took, 50),
        "p95_ms": percentile(took, 95),
        "coordination_p50_ms": percentile(coordination, 50),
        "coordination_p95_ms": percentile(coordination, 95),
    }


def load_figures(load: PanelLoad, *, reading_ms: Mapping[str, float]) -> Figures:
    """Return the figures of a load, all kinds of questions together."""
    return turn_figures(load.answered, reading_ms=reading_ms) | {
        "errors": load.errors,
        "last_s": load.last_s,
        "cpu_ms": load.cpu_ms,
        "others_percent": load.others_percent,
    }


def agent_figures(turns: Sequence[AnsweredTurn], calls: Sequence[ModelCallTime]) -> dict[str, Figures]:
    """Return how long each agent took, and what its model took of that; an agent that asks no model says so."""
    asking = {call.agent for call in calls}
    rows = {}
    for agent in dict.fromkeys(name for turn in turns for name in turn.agents_ms):
        took = [turn.agents_ms[agent] for turn in turns if agent in turn.agents_ms]
        row: Figures = {"turns": len(took), "p50_ms": percentile(took, 50), "p95_ms": percentile(took, 95)}
        if agent in asking:
            rows[f"agent {agent}"] = row | {"model_ms": AGENTS[agent].latency_s * 1000}
        else:
            rows[f"agent {agent}, asks no model"] = row
    return rows
