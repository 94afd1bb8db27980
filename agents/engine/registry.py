"""Role and graph names → objects. Any room contributes its own by autodiscovery of `roles` and `graphs`."""

from agents.engine.graph import Graph, check_graph
from agents.engine.roles import Role
from agents.errors import GraphError

roles: dict[str, Role] = {}
graphs: dict[str, Graph] = {}


def register_role(role: Role) -> Role:
    """Make a role known by its name; a second one of the name is refused."""
    if roles.get(role.name, role) is not role:
        raise GraphError(f"role {role.name!r} is registered already")
    roles[role.name] = role
    return role


def register_graph(graph: Graph) -> Graph:
    """Check a graph and make it known by its name."""
    if graphs.get(graph.name, graph) is not graph:
        raise GraphError(f"graph {graph.name!r} is registered already")
    check_graph(graph, known_roles=roles)
    graphs[graph.name] = graph
    return graph
