"""What rests on what: questions about a prerequisite graph that has no cycles."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from graphlib import TopologicalSorter

type Requires = Mapping[str, Sequence[str]]
"""Each concept with what it rests on directly, in course order. What is named but no key of it is left out of account."""


def all_prerequisites(requires: Requires, concepts: Iterable[str]) -> frozenset[str]:
    """Return all that the concepts rest on, directly or not; the concepts themselves only where another rests on them."""
    found: set[str] = set()
    waiting = list(concepts)
    while waiting:
        new = {each for each in requires.get(waiting.pop(), ()) if each in requires} - found
        found |= new
        waiting += new
    return frozenset(found)


def subgraph(requires: Requires, concepts: Collection[str]) -> dict[str, tuple[str, ...]]:
    """Return the part of the graph that consists of the concepts."""
    kept = {concept for concept in requires if concept in concepts}
    return {
        concept: tuple(each for each in requires[concept] if each in kept) for concept in requires if concept in kept
    }


def topological_order(requires: Requires) -> tuple[str, ...]:
    """Return the concepts so that each comes after what it rests on: by depth, then in course order.

    Raises graphlib.CycleError, a ValueError, where a concept rests on itself.
    """
    depth: dict[str, int] = {}
    known = subgraph(requires, requires.keys())
    for concept in TopologicalSorter(known).static_order():
        depth[concept] = 1 + max((depth[each] for each in known[concept]), default=-1)
    return tuple(sorted(known, key=depth.__getitem__))
