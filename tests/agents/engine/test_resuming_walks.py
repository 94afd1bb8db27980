"""Waiting for the learner: a walk rests at a position and goes on from there in the next turn."""

import asyncio
import json
from collections.abc import Iterator
from itertools import count, cycle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.engine import runner
from agents.engine.graph import Choice, Step, loop, parallel, role_names, route, sequence
from agents.engine.roles import Plan, Request, Role
from agents.engine.runner import Position, RunResult
from tests.agents.engine.stage import names, role, walk

WAITS = role("waits", plan=Plan(waits=True))
ENOUGH_TURNS = 200


@pytest.fixture(autouse=True)
def _bugs_are_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "raise_bugs", True)


def choose_left(request: Request) -> Choice:
    return Choice(to="left", reason="always")


async def test_sequence_rests_at_the_role_that_waits_and_goes_on_there() -> None:
    graph = sequence("first", "waits", "last")
    rested = await walk(graph, WAITS)
    assert (names(rested), rested.position) == (["first", "waits"], (1,))
    resumed = await walk(graph, position=(1,))
    assert (names(resumed), resumed.position) == (["waits", "last"], None)


async def test_loop_goes_on_in_the_same_pass() -> None:
    graph = loop(sequence("first", "waits"), until=lambda request: False, at_most=3)
    rested = await walk(graph, WAITS, position=(1, 1))
    assert (names(rested), rested.position) == (["waits"], (1, 1))
    resumed = await walk(graph, position=(1, 1))
    assert (names(resumed), resumed.position) == (["waits", "first", "waits"], None)


async def test_route_goes_on_in_its_branch_without_choosing_again() -> None:
    rested = await walk(route(choose_left, left="waits", right="other"), WAITS)
    assert rested.position == ("left",)
    resumed = await walk(route(choose_left, left="waits", right="other"), position=("right",))
    assert names(resumed) == ["other"]


async def test_parallel_step_does_not_wait() -> None:
    result = await walk(sequence(parallel("waits", "other"), "last"), WAITS)
    assert (names(result)[-1], result.position) == ("last", None)


async def test_position_the_graph_no_longer_has_starts_anew() -> None:
    graph = sequence("first", route(choose_left, left="second"))
    stale_positions: list[Position] = [(7,), (-1,), ("left",), (0, 3, "x"), (1, "gone")]
    for stale in stale_positions:
        result = await walk(graph, position=stale)
        assert names(result)[-1] == "second", stale
        assert result.position is None
    assert names(await walk(graph, position=(7,))) == ["first", "second"]


# --- Any graph ---

Spec = tuple[Any, ...]


def specs(*, depth: int = 3) -> st.SearchStrategy[Spec]:
    """Drawings of graphs: any nesting of sequence, loop and route, with parallel steps of single roles."""
    alone = st.tuples(st.just("role"), st.sampled_from("abcde"))
    if not depth:
        return alone
    inner = specs(depth=depth - 1)
    few, small = st.lists(inner, min_size=1, max_size=3), st.integers(min_value=1, max_value=3)
    return st.one_of(
        alone,
        st.tuples(st.just("parallel"), st.sampled_from(["xy", "xyz"])),
        st.tuples(st.just("sequence"), few),
        st.tuples(st.just("route"), few),
        st.tuples(st.just("loop"), inner, small, small),
    )


def built(spec: Spec) -> Step:
    """Return the graph of a drawing; its choices and loop ends depend on how often they were asked, and nothing else."""
    match spec:
        case ("role", name):
            return str(name)
        case ("parallel", several):
            return parallel(*several)
        case ("sequence", inner):
            return sequence(*map(built, inner))
        case ("route", inner):
            branches = {f"branch{index}": built(each) for index, each in enumerate(inner)}
            turns = cycle(branches)
            return route(lambda request: Choice(to=next(turns), reason="its turn"), **branches)
        case ("loop", inner, at_most, after):
            asked = count(1)
            return loop(built(inner), until=lambda request: next(asked) % after == 0, at_most=at_most)
    raise AssertionError(spec)


def visits(spec: Spec, waits: Iterator[int]) -> list[str]:
    """Walk the drawing turn by turn to its end; return the roles as they were done with, each visit once."""
    done: list[str] = []
    left: dict[str, int] = {}

    def cast(name: str, *, may_wait: bool) -> Role:
        def plan(request: Request) -> Plan:
            if name not in left:
                left[name] = next(waits) if may_wait else 0
            if left[name]:
                left[name] -= 1
                return Plan(waits=True)
            del left[name]
            done.append(name)
            return Plan()

        return Role(name=name, purpose="Is done with after a while.", plan=plan)

    root = built(spec)
    roles = [cast(name, may_wait=name in "abcde") for name in set(role_names(root))]
    position: Position = ()
    for _ in range(ENOUGH_TURNS):
        result: RunResult = asyncio.run(walk(root, *roles, position=position))
        if result.position is None:
            return done
        position = tuple(json.loads(json.dumps(result.position)))
    raise AssertionError("the walk never came to its end")


@given(spec=specs(), waits=st.lists(st.integers(0, 2), min_size=1, max_size=5).filter(any))
def test_walk_with_waits_runs_the_same_roles_as_one_without(spec: Spec, waits: list[int]) -> None:
    assert visits(spec, cycle(waits)) == visits(spec, cycle([0]))


@given(spec=specs(), position=st.lists(st.integers(-1, 4) | st.sampled_from(["branch0", "gone"]), max_size=4))
def test_any_stored_position_can_be_walked_from(spec: Spec, position: list[int | str]) -> None:
    result = asyncio.run(walk(built(spec), position=tuple(position)))
    assert result.position is None
    assert result.outcomes
