"""The graph of the panel."""

from agents.engine.graph import Graph, parallel, sequence
from agents.engine.registry import register_graph
from conversations import roles  # noqa: F401  # Graphs name roles: they must be known first.

PANEL = register_graph(
    Graph(name="panel", root=sequence(parallel("conversation", "analysis", "research"), "synthesis"))
)
