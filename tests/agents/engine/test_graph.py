"""Graphs: what they name, and which cannot work."""

import pytest

from agents.engine.graph import (
    LOOP_BOUND,
    Choice,
    Graph,
    Step,
    check_graph,
    loop,
    parallel,
    role_names,
    route,
    sequence,
)
from agents.engine.roles import Request
from agents.errors import GraphError
from tests.agents.engine.stage import role


def never(request: Request) -> bool:
    return False


def choose_left(request: Request) -> Choice:
    return Choice(to="left", reason="always")


def checked(root: Step, *, known: str = "abc") -> None:
    check_graph(Graph(name="drawn", root=root), known_roles=dict.fromkeys(known))


def test_role_names_come_in_the_order_of_the_drawing() -> None:
    root = sequence("a", parallel("b", "c"), loop("a", until=never, at_most=2), route(choose_left, left="b", right="c"))
    assert list(role_names(root)) == ["a", "b", "c", "a", "b", "c"]


def test_graph_of_known_roles_is_accepted() -> None:
    checked(sequence("a", parallel("b", loop("c", until=never, at_most=LOOP_BOUND))))


def test_unknown_roles_are_named() -> None:
    with pytest.raises(GraphError, match="graph 'drawn': unknown role 'x', 'z'"):
        checked(sequence("a", route(choose_left, left="z", right=parallel("x", "z"))))


@pytest.mark.parametrize("bound", [0, -1, LOOP_BOUND + 1])
def test_loop_needs_a_sensible_bound(bound: int) -> None:
    with pytest.raises(GraphError, match=f"a loop needs a limit from 1 to {LOOP_BOUND}, not {bound}"):
        checked(sequence("a", loop("b", until=never, at_most=bound)))


@pytest.mark.parametrize("step", [sequence("a", "b", "a"), parallel("a", "a")], ids=["sequence", "parallel"])
def test_role_stands_once_in_a_step(step):
    with pytest.raises(GraphError, match="graph 'drawn': 'a' twice in one step"):
        checked(sequence("b", step))


@pytest.mark.parametrize("empty", [sequence(), parallel(), route(choose_left)], ids=["sequence", "parallel", "route"])
def test_step_without_steps_is_refused(empty: Step) -> None:
    with pytest.raises(GraphError, match="a step contains no steps"):
        checked(sequence("a", empty))


@pytest.mark.parametrize("name", ["", "Tutor", "a b", "x" * 31, "tutor\n"])
def test_role_with_a_bad_name_is_refused(name: str) -> None:
    with pytest.raises(GraphError, match="a name has 1 to 30 characters of"):
        role(name)


@pytest.mark.parametrize("timeout_s", [0, -1.0])
def test_role_without_time_is_refused(timeout_s: float) -> None:
    with pytest.raises(GraphError, match="timeout_s must be greater than 0"):
        role("tutor", timeout_s=timeout_s)
