"""Registry of roles and graphs by name. Apps register theirs in autodiscovered modules `roles` and `graphs`."""

from agents.engine.graph import Graph, check_graph
from agents.engine.roles import Role
from agents.errors import GraphError

roles: dict[str, Role] = {}
graphs: dict[str, Graph] = {}


def register_role(role: Role) -> Role:
    """Register a role under its name. Raises GraphError if the name is taken."""
    if roles.get(role.name, role) is not role:
        raise GraphError(f"role {role.name!r} is already registered")
    roles[role.name] = role
    return role


def register_graph(graph: Graph) -> Graph:
    """Check a graph and register it under its name."""
    if graphs.get(graph.name, graph) is not graph:
        raise GraphError(f"graph {graph.name!r} is already registered")
    check_graph(graph, known_roles=roles)
    graphs[graph.name] = graph
    return graph
