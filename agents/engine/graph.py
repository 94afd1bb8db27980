"""Graphs: the order in which roles run, as `sequence`, `parallel`, bounded `loop`, `route`, `Round` and `Call`."""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from agents.engine.bus import Bus
from agents.engine.roles import Request
from agents.errors import GraphError
from agents.values import value

LOOP_BOUND = 100
"""The most passes a loop may ask for."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Steps that run one after another."""

    steps: tuple["Step", ...]


@dataclass(frozen=True, slots=True)
class Parallel:
    """Steps that run at the same time."""

    steps: tuple["Step", ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loop:
    """A step that is repeated until `until` is true, at most `at_most` times."""

    step: "Step"
    until: Callable[[Request], bool]
    """Called after each pass; true ends the loop."""
    at_most: int


@value
class Choice:
    """The branch that a route takes, and the reason for this choice."""

    to: str
    reason: str
    strategy: str = "rule"
    confidence: float | None = None
    came_from: str = ""
    changed: Mapping[str, Any] = field(default_factory=dict)
    """Changes of the shared state made by the choice itself."""
    is_told: bool = False
    """Whether another event has told of it already, such as a handover: then a route reports none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """A step in which a function chooses the branch that runs."""

    choose: Callable[[Request], Choice]
    branches: Mapping[str, "Step"]


def is_always_needed(request: Request) -> bool:
    """Return true: the round takes place, whatever was said before."""
    return True


@dataclass(frozen=True, slots=True)
class Call:
    """A step without an agent: the app prepares what later steps need. If it fails or is late, the graph continues."""

    run: Callable[[Request, Bus], Awaitable[None]]
    """Takes the request as it is now, and the bus, over which it may tell the agents something."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A numbered pass in which agents speak at the same time. If an agent aborts, the rounds end, but the graph continues."""

    number: int
    """From 1."""
    step: Parallel
    agents: tuple[str, ...]
    """All that take part, by the names in events; after a restart, some of them may have spoken already."""
    opens: "Step | None" = None
    """Runs before the agents speak; if it fails, they speak all the same."""
    closes: "Step | None" = None
    """Runs after all agents have spoken or failed."""
    is_needed: Callable[[Request], bool] = is_always_needed
    """Called before the round; false ends the rounds."""
    reserve_s: float = 0.0
    """Seconds of the run's time that are kept for what follows the rounds."""

    @property
    def steps(self) -> "tuple[Step, ...]":
        """Its steps, in the order in which they run."""
        return tuple(each for each in (self.opens, self.step, self.closes) if each is not None)


Step = str | Sequence | Parallel | Loop | Route | Round | Call
"""A role's name, or a composition of steps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Graph:
    """A named definition of which roles run and in what order."""

    name: str
    root: Step


def sequence(*steps: Step) -> Sequence:
    """Run the steps one after the other."""
    return Sequence(steps)


def parallel(*steps: Step) -> Parallel:
    """Run the steps at the same time; a late or failing one never stops the others."""
    return Parallel(steps)


def loop(step: Step, *, until: Callable[[Request], bool], at_most: int) -> Loop:
    """Repeat the step until `until` returns true, at most `at_most` times."""
    return Loop(step=step, until=until, at_most=at_most)


def route(choose: Callable[[Request], Choice], **branches: Step) -> Route:
    """Run the branch that `choose` names."""
    return Route(choose=choose, branches=branches)


def role_names(step: Step) -> Iterator[str]:
    """Yield every role name below a step, in graph order, including repeats."""
    match step:
        case str():
            yield step
        case Sequence(steps) | Parallel(steps):
            for inner in steps:
                yield from role_names(inner)
        case Loop(step=inner):
            yield from role_names(inner)
        case Round(steps=steps):
            for inner in steps:
                yield from role_names(inner)
        case Route(branches=branches):
            for inner in branches.values():
                yield from role_names(inner)


def check_graph(graph: Graph, *, known_roles: Mapping[str, object]) -> None:
    """Raise GraphError for an unknown role, an empty step, a role twice in a step, or a loop without a valid limit."""
    unknown = sorted({name for name in role_names(graph.root) if name not in known_roles})
    if unknown:
        raise GraphError(f"graph {graph.name!r}: unknown role {', '.join(map(repr, unknown))}")
    _check_step(graph.root, graph=graph.name)


def _check_step(step: Step, *, graph: str) -> None:
    match step:
        case Sequence(steps) | Parallel(steps):
            inner: tuple[Step, ...] = steps
        case Loop():
            if not 1 <= step.at_most <= LOOP_BOUND:
                raise GraphError(f"graph {graph!r}: a loop needs a limit from 1 to {LOOP_BOUND}, not {step.at_most!r}")
            inner = (step.step,)
        case Round():
            inner = step.steps
        case Route():
            inner = tuple(step.branches.values())
        case _:
            return
    if not inner:
        raise GraphError(f"graph {graph!r}: a step contains no steps")
    named = [each for each in inner if isinstance(each, str)]
    if not isinstance(step, Route) and (twice := sorted({name for name in named if named.count(name) > 1})):
        raise GraphError(f"graph {graph!r}: {', '.join(map(repr, twice))} twice in one step")
    for each in inner:
        _check_step(each, graph=graph)
