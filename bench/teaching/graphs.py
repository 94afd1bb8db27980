"""Prerequisite graphs to walk, and what simulated learners know of them."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tutoring.mastery.prerequisites import topological_order

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

type Graph = Mapping[str, tuple[str, ...]]

COURSES = Path(__file__).resolve().parent.parent.parent / "courses"
REACH, PREREQUISITES, ROOTS = 8, (1, 1, 2, 2, 3), 3
"""A concept rests on one to three of the eight before it, the first three on nothing."""
DIFFICULTY = 0.5
"""Spread, in logits, of how much harder or easier a concept is to know than the pool supposes."""


def random_graph(size: int, rng: "np.random.Generator", *, reach: int = REACH) -> Graph:
    """Return a graph of `size` concepts; a few rest on nothing, the others on one to three of the `reach` before."""
    graph: dict[str, tuple[str, ...]] = {}
    for number in range(size):
        nearby = [f"c{each}" for each in range(max(0, number - reach), number)]
        count = min(len(nearby), int(rng.choice(PREREQUISITES))) if number >= ROOTS else 0
        graph[f"c{number}"] = tuple(sorted(map(str, rng.choice(nearby, size=count, replace=False)))) if count else ()
    return graph


SHIPPED = (
    "fractions", "algebra-foundations", "programming-in-python", "how-neural-networks-learn", "thinking-with-data",
)  # fmt: skip
"""The courses of this repository."""


def course_graph(name: str = "fractions") -> Graph:
    """Return the prerequisite graph of a shipped course, in course order."""
    from bench.contenders import temporary_django

    temporary_django.prepare_django()
    from tutoring.courses.files.loader import parse_course

    return parse_course(COURSES / name).requires


def knowledge(
    graph: Graph, rng: "np.random.Generator", *, learners: int, leak: float, ability: float = 0.0, spread: float = 1.0
) -> "NDArray[np.bool_]":
    """Return who knows what: a row a learner, a column a concept in the graph's order.

    As the pool of `tutoring.mastery.placement` supposes, but for what it cannot know: how hard each concept is, and that
    the learners' general ability is `ability` with a `spread`.
    """
    import numpy as np

    column = {concept: number for number, concept in enumerate(graph)}
    general = ability + spread * rng.standard_normal(learners)
    known = np.zeros((learners, len(graph)), dtype=bool)
    for concept in topological_order(graph):
        if_ready = 1 / (1 + np.exp(-(1.2 + 1.5 * general - DIFFICULTY * rng.standard_normal())))
        ready = known[:, [column[each] for each in graph[concept]]].all(axis=1)
        known[:, column[concept]] = rng.random(learners) < np.where(ready, if_ready, leak)
    return known
