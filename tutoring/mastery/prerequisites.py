"""Queries on an acyclic graph of prerequisites."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from graphlib import TopologicalSorter

type Requires = Mapping[str, Sequence[str]]
"""Each concept with its direct prerequisites, in course order. Names that are no key are ignored."""


def all_prerequisites(requires: Requires, concepts: Iterable[str]) -> frozenset[str]:
    """Return all prerequisites of the concepts; a concept itself only if another one depends on it."""
    found: set[str] = set()
    waiting = list(concepts)
    while waiting:
        new = {each for each in requires.get(waiting.pop(), ()) if each in requires} - found
        found |= new
        waiting += new
    return frozenset(found)


def subgraph(requires: Requires, concepts: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the subgraph of these concepts."""
    kept = {concept for concept in requires if concept in concepts}
    return {
        concept: tuple(each for each in requires[concept] if each in kept) for concept in requires if concept in kept
    }


def topological_order(requires: Requires) -> tuple[str, ...]:
    """Return the concepts in topological order: by depth, then in course order.

    Raises graphlib.CycleError, a ValueError, for a cycle.
    """
    depth: dict[str, int] = {}
    known = subgraph(requires, requires.keys())
    for concept in TopologicalSorter(known).static_order():
        depth[concept] = 1 + max((depth[each] for each in known[concept]), default=-1)
    return tuple(sorted(known, key=depth.__getitem__))
