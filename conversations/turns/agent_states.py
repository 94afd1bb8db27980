"""States of agents over the whole site: which are at work, and which wait for their part of a running turn."""

import uuid
from collections import defaultdict
from typing import Literal

from agents.engine.events import AgentFailed, AgentFinished, AgentStarted, Classified, TurnResumed
from agents.models import ModelCall
from conversations.models import Event, TurnStatus

AgentState = Literal["idle", "processing", "waiting"]
TOLD_BY = (Classified, AgentStarted, AgentFinished, AgentFailed, TurnResumed)


def busy_agents() -> dict[str, AgentState]:
    """Return the state of every agent that is not idle, by its name in events; two queries.

    An agent is `processing` in a running turn from its start to its end, and while a model is asked for it; it is
    `waiting` in a turn that it was chosen for, until it starts. Events are stored half a second late.
    """
    states: dict[str, AgentState] = {}
    for in_turn in _states_by_turn().values():
        states |= {agent: state for agent, state in in_turn.items() if states.get(agent) != "processing"}
    asking = ModelCall.objects.filter(status=ModelCall.Status.OPEN).order_by().values_list("agent", flat=True)
    return states | dict.fromkeys(asking.distinct(), "processing")


def _states_by_turn() -> dict[uuid.UUID, dict[str, AgentState]]:
    told = Event.objects.filter(turn__status=TurnStatus.RUNNING, type__in=[each.type for each in TOLD_BY])
    turns: dict[uuid.UUID, dict[str, AgentState]] = defaultdict(dict)
    rows = told.order_by("turn", "seq").values_list("turn", "type", "body__agent", "body__agents")
    for turn_id, kind, agent, chosen in rows:
        match kind:
            case TurnResumed.type:
                turns[turn_id] = {}
            case Classified.type:
                turns[turn_id] |= dict.fromkeys(chosen, "waiting")
            case AgentStarted.type:
                turns[turn_id][agent] = "processing"
            case _:
                turns[turn_id].pop(agent, None)
    return turns
