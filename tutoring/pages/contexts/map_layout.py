"""The layout of a course map in pixels: concepts in layers from top to bottom, lines as smooth curves."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from tutoring.mastery.prerequisites import Requires, all_prerequisites, topological_order

WIDTH, HEIGHT = 208, 58
"""Width and height of a concept."""
ACROSS, DOWN, MARGIN = 26, 38, 14
"""Gaps between two concepts side by side, between two layers, and around everything."""
LINE_WIDTH: Final = 12
"""Width of a line that passes a layer."""
SWEEPS: Final = 12

type Node = str | tuple[str, str, int]
"""A concept, or the place where a line between two concepts passes a layer."""
type Way = tuple[Node, ...]
type Beside = Mapping[Node, Sequence[Node]]


@dataclass(frozen=True, slots=True, kw_only=True)
class MapEdge:
    """A line from a concept down to one that builds on it."""

    start: str
    end: str
    path: str
    """As the `d` of an SVG path."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MapLayout:
    width: int
    height: int
    places: Mapping[str, tuple[int, int]]
    """Concept → left and top."""
    lines: tuple[MapEdge, ...]


def lay_out(requires: Requires) -> MapLayout:
    """Return the place of every concept and line. A line is left out if a longer path implies it."""
    return _laid_out(tuple((concept, tuple(below)) for concept, below in requires.items()))


@lru_cache(maxsize=32)
def _laid_out(graph: tuple[tuple[str, tuple[str, ...]], ...]) -> MapLayout:
    requires = dict(graph)
    edges = [(below, concept) for concept in topological_order(requires) for below in _direct(requires, concept)]
    depth = _depths(requires)
    ways = {(start, end): _way(start, end, depth) for start, end in edges}
    layers = _layers(requires, depth, ways.values())
    beside = _neighbours(ways.values())
    for sweep in range(SWEEPS):
        _sort(layers if sweep % 2 == 0 else layers[::-1], beside)
    middles = _middles(layers, beside)
    left = min((middles[each] - _width(each) / 2 for each in middles), default=0)
    right = max((middles[each] + _width(each) / 2 for each in middles), default=0)
    middles = {each: middle - left + MARGIN for each, middle in middles.items()}
    return MapLayout(
        width=round(right - left) + 2 * MARGIN,
        height=max(0, len(layers) * (HEIGHT + DOWN) - DOWN) + 2 * MARGIN,
        places={each: (round(middles[each] - WIDTH / 2), _top(depth[each])) for each in requires},
        lines=tuple(MapEdge(start=a, end=b, path=_path(way, middles, depth[a])) for (a, b), way in ways.items()),
    )


def _direct(requires: Requires, concept: str) -> list[str]:
    """Return the direct prerequisites, without those that another of them implies."""
    below = [each for each in requires[concept] if each in requires]
    return [
        each for each in below if each not in all_prerequisites(requires, [other for other in below if other != each])
    ]


def _depths(requires: Requires) -> dict[str, int]:
    depth: dict[str, int] = {}
    for concept in topological_order(requires):
        depth[concept] = 1 + max((depth[each] for each in requires[concept] if each in requires), default=-1)
    return depth


def _way(start: str, end: str, depth: Mapping[str, int]) -> Way:
    return (start, *((start, end, layer) for layer in range(depth[start] + 1, depth[end])), end)


def _layers(requires: Requires, depth: Mapping[str, int], ways: Iterable[Way]) -> list[list[Node]]:
    layers: list[list[Node]] = [[] for _ in range(1 + max(depth.values(), default=-1))]
    for concept in requires:
        layers[depth[concept]].append(concept)
    for passed in (each for way in ways for each in way if not isinstance(each, str)):
        layers[passed[2]].append(passed)
    return layers


def _neighbours(ways: Iterable[Way]) -> Beside:
    beside: dict[Node, list[Node]] = defaultdict(list)
    for upper, lower in (pair for way in ways for pair in pairwise(way)):
        beside[upper].append(lower)
        beside[lower].append(upper)
    return beside


def _sort(layers: Sequence[list[Node]], beside: Beside) -> None:
    """Order each layer by the places of its neighbors in the layer before, so that few lines cross."""
    for before, layer in pairwise(layers):
        place = {each: (number + 0.5) / len(before) for number, each in enumerate(before)}
        held = {each: (number + 0.5) / len(layer) for number, each in enumerate(layer)}
        near = {each: [place[other] for other in beside.get(each, ()) if other in place] for each in layer}
        layer.sort(key=lambda each: sum(near[each]) / len(near[each]) if near[each] else held[each])


def _middles(layers: Sequence[Sequence[Node]], beside: Beside) -> dict[Node, float]:
    """Return the horizontal middle of everything: near what it is connected to, without overlaps."""
    middles: dict[Node, float] = dict.fromkeys((each for layer in layers for each in layer), 0.0)
    for sweep in range(SWEEPS):
        for layer in layers if sweep % 2 == 0 else layers[::-1]:
            wanted = [_mean([middles[other] for other in beside.get(each, ())], middles[each]) for each in layer]
            middles.update(zip(layer, _apart(layer, wanted), strict=True))
    return middles


def _apart(layer: Sequence[Node], wanted: Sequence[float]) -> list[float]:
    """Return the middles nearest to the wanted ones without overlaps: least squares, by pooling neighbors."""
    steps = [0.0]
    for one, other in pairwise(layer):
        steps.append(steps[-1] + (_width(one) + _width(other)) / 2 + ACROSS)
    pools: list[list[float]] = []
    for want, step in zip(wanted, steps, strict=True):
        pools.append([want - step])
        while len(pools) > 1 and _mean(pools[-2]) > _mean(pools[-1]):
            pools[-2:] = [pools[-2] + pools[-1]]
    shifts = [_mean(pool) for pool in pools for _ in pool]
    return [shift + step for shift, step in zip(shifts, steps, strict=True)]


def _mean(values: Sequence[float], default: float = 0.0) -> float:
    return sum(values) / len(values) if values else default


def _width(node: Node) -> int:
    return WIDTH if isinstance(node, str) else LINE_WIDTH


def _top(layer: int) -> int:
    return MARGIN + layer * (HEIGHT + DOWN)


def _path(way: Way, middles: Mapping[Node, float], layer: int) -> str:
    """Return the curve from the bottom of its first concept to the top of its last, vertical at every layer."""
    parts = [f"M{middles[way[0]]:.0f} {_top(layer) + HEIGHT}"]
    for number, (upper, lower) in enumerate(pairwise(way), layer):
        bottom, top = _top(number) + HEIGHT, _top(number + 1)
        turn = (bottom + top) // 2
        if not isinstance(upper, str):
            parts.append(f"V{bottom}")
        parts.append(f"C{middles[upper]:.0f} {turn} {middles[lower]:.0f} {turn} {middles[lower]:.0f} {top}")
    return "".join(parts)
