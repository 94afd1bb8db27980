"""Pictures of small neural networks: layers of nodes, with an arrow from each node to all of the next layer."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from tutoring.courses.pictures.shapes import WIDTH, Drawn, PictureError, circle, coordinate, label, require_text

MAX_LAYERS = 5
MAX_NODES = 6
MAX_LABEL = 12
MAX_WEIGHT = 8
_RADIUS = 19
_ROW = 58
_INSIDE = 4
"""Longest label that stands inside its node; others stand below."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkWeight:
    """The text on the arrow from a node of `layer` to a node of the next; all are counted from 0."""

    layer: int
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    layers: tuple[int, ...]
    labels: tuple[tuple[str, ...], ...] = ()
    weights: tuple[NetworkWeight, ...] = ()

    def __post_init__(self) -> None:
        if not (2 <= len(self.layers) <= MAX_LAYERS and all(1 <= each <= MAX_NODES for each in self.layers)):
            raise PictureError(f"a network must have 2 to {MAX_LAYERS} layers of 1 to {MAX_NODES} nodes")
        if self.labels and tuple(map(len, self.labels)) != self.layers:
            raise PictureError("a network's labels must have a list for each layer, and a text for each node")
        for text in (each for layer in self.labels for each in layer):
            require_text(text, most=MAX_LABEL, what="a node's label")
        for weight in self.weights:
            if not (
                0 <= weight.layer < len(self.layers) - 1
                and 0 <= weight.start < self.layers[weight.layer]
                and 0 <= weight.end < self.layers[weight.layer + 1]
            ):
                raise PictureError("a weight is on an arrow that the network does not have")
            require_text(weight.text, most=MAX_WEIGHT, what="a weight's text")


def draw_network(network: Network) -> Drawn:
    height = _row(network) * max(network.layers) + 8
    return Drawn(width=WIDTH + 4, height=height, shapes="".join(_shapes(network, height=height)))


def _shapes(network: Network, *, height: float) -> Iterator[str]:
    for layer, (count, following) in enumerate(pairwise(network.layers)):
        for start in range(count):
            for end in range(following):
                yield _arrow(_place(network, layer, start, height), _place(network, layer + 1, end, height))
    for weight in network.weights:
        (x1, y1), (x2, y2) = (
            _place(network, weight.layer, weight.start, height),
            _place(network, weight.layer + 1, weight.end, height),
        )
        share = 0.45 if y1 == y2 else 0.3 if y1 < y2 else 0.6  # Arrows that cross have their texts apart.
        yield label(weight.text, x1 + (x2 - x1) * share, y1 + (y2 - y1) * share + 5, more="has-halo is-small")
    for layer, count in enumerate(network.layers):
        for node in range(count):
            x, y = _place(network, layer, node, height)
            yield circle(x, y, _RADIUS, classes="pic-blank")
            if network.labels and (text := network.labels[layer][node]):
                is_inside = len(text) <= _INSIDE
                yield label(
                    text, x, y + (5 if is_inside else _RADIUS + 15), more="" if is_inside else "has-halo is-small"
                )


def _row(network: Network) -> float:
    """Return the height of a node, with its label if that stands below."""
    is_below = any(len(text) > _INSIDE for layer in network.labels for text in layer)
    return _ROW + 20 if is_below else _ROW


def _place(network: Network, layer: int, node: int, height: float) -> tuple[float, float]:
    count = network.layers[layer]
    across = 2 + 44 + (WIDTH - 88) * layer / (len(network.layers) - 1)
    return across, height / 2 + (node - (count - 1) / 2) * _row(network) - 4


def _arrow(start: tuple[float, float], end: tuple[float, float]) -> str:
    """Return an arrow from the edge of one node to that of another."""
    (x1, y1), (x2, y2) = start, end
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    ux, uy = (x2 - x1) / length, (y2 - y1) / length
    tip_x, tip_y = x2 - ux * (_RADIUS + 2), y2 - uy * (_RADIUS + 2)
    base_x, base_y = tip_x - ux * 7, tip_y - uy * 7
    head = " ".join(
        f"{coordinate(x)},{coordinate(y)}"
        for x, y in ((tip_x, tip_y), (base_x - uy * 3.5, base_y + ux * 3.5), (base_x + uy * 3.5, base_y - ux * 3.5))
    )
    begin = f"M{coordinate(x1 + ux * _RADIUS)} {coordinate(y1 + uy * _RADIUS)}"
    return (
        f'<path class="pic-edge" d="{begin}L{coordinate(base_x)} {coordinate(base_y)}"/>'
        f'<polygon class="pic-arrow" points="{head}"/>'
    )
