"""The graph of the planner's agents: a bounded loop over those that the message is for, each once a turn."""

from agents.engine.graph import Choice, Graph, loop, route
from agents.engine.registry import register_graph
from agents.engine.roles import Request
from tutoring.planner import roles  # noqa: F401  # The graph names them: they must be known first.
from tutoring.planner.facts import next_agent
from tutoring.planner.values import AGENTS


def choose_agent(request: Request) -> Choice:
    """Return the agent that serves next. That it does was told by the turn's routing, or by a handover."""
    agent = next_agent(request)
    assert agent is not None  # The loop ends before.
    return Choice(to=agent, reason="", is_told=True)


def is_served(request: Request) -> bool:
    """Tell whether nobody is left to serve the message."""
    return next_agent(request) is None


COMPANION = register_graph(
    Graph(
        name="companion",
        root=loop(
            route(choose_agent, task="task", event="event", food="food", memory="memory"),
            until=is_served,
            at_most=len(AGENTS),
        ),
    )
)
