"""The graphs of the panel: for questions, and for questions with a picture."""

from agents.engine.graph import Graph, parallel, sequence
from agents.engine.registry import register_graph
from conversations import roles  # noqa: F401  # Graphs name roles: they must be known first.

PANEL = register_graph(
    Graph(name="panel", root=sequence(parallel("conversation", "analysis", "research"), "synthesis"))
)
VISUAL_PANEL = register_graph(
    Graph(
        name="visual_panel",
        # The library can be searched for the picture's text only once the picture has been read.
        root=sequence(parallel("panel_vision", "conversation", "analysis"), "research", "synthesis"),
    )
)
