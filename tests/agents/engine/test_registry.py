"""The registry knows roles and graphs by name, each once."""

import pytest

from agents.engine import registry
from agents.engine.graph import Graph, sequence
from agents.engine.registry import register_graph, register_role
from agents.errors import GraphError
from tests.agents.engine.stage import role


@pytest.fixture(autouse=True)
def _empty_registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "roles", {})
    monkeypatch.setattr(registry, "graphs", {})


def test_registered_role_is_found_by_its_name() -> None:
    tutor = register_role(role("tutor"))
    assert registry.roles == {"tutor": tutor}


def test_second_role_of_a_name_is_refused() -> None:
    register_role(role("tutor"))
    with pytest.raises(GraphError, match="role 'tutor' is already registered"):
        register_role(role("tutor"))


def test_same_role_may_be_registered_again() -> None:
    tutor = role("tutor")
    assert register_role(tutor) is register_role(tutor)


def test_graph_of_registered_roles_is_found_by_its_name() -> None:
    register_role(role("tutor"))
    graph = register_graph(Graph(name="learning", root=sequence("tutor")))
    assert registry.graphs == {"learning": graph}


def test_graph_of_unknown_roles_is_not_kept() -> None:
    with pytest.raises(GraphError, match="unknown role 'tutor'"):
        register_graph(Graph(name="learning", root="tutor"))
    assert registry.graphs == {}


def test_second_graph_of_a_name_is_refused() -> None:
    register_role(role("tutor"))
    register_graph(Graph(name="learning", root="tutor"))
    with pytest.raises(GraphError, match="graph 'learning' is already registered"):
        register_graph(Graph(name="learning", root=sequence("tutor")))
