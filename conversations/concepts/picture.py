"""Lays the concept graph out as a picture: one line for each concept, by topic, and arcs between related ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

from conversations.concepts.graph import AskedConcept, AskedTopic
from conversations.panel.terms import Stems

CONCEPTS_AT_MOST: Final = 24
"""More than these do not fit on a screen; the list has them all."""
LONGEST_LABEL: Final = 24
"""In characters."""
WIDTH: Final = 360
AXIS: Final = 110
"""Distance of the concepts from the left side, where the arcs are; this and the following in the picture's own units."""
ROW, HEADING = 32, 40
SMALLEST, LARGEST = 4.0, 10.0
"""Radius of a concept's dot."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedConcept:
    concept: AskedConcept
    label: str
    y: int
    radius: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedHeading:
    name: str
    y: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturedArc:
    path: str
    width: float
    one: str
    other: str
    """Names of the concepts that it joins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConceptPicture:
    """The picture of the concepts asked about most."""

    height: int
    headings: tuple[PicturedHeading, ...]
    concepts: tuple[PicturedConcept, ...]
    """From top to bottom."""
    arcs: tuple[PicturedArc, ...]
    width: int = WIDTH
    axis: int = AXIS


def draw_concepts(topics: Sequence[AskedTopic]) -> ConceptPicture:
    """Return the picture of the 24 concepts asked about most."""
    ranked = sorted((each for topic in topics for each in topic.concepts), key=lambda each: (-each.count, each.name))
    shown = {each.key for each in ranked[:CONCEPTS_AT_MOST]}
    most = max((each.count for each in ranked), default=1)
    headings, concepts, y = list[PicturedHeading](), list[PicturedConcept](), 0
    for topic in topics:
        inside = [each for each in topic.concepts if each.key in shown]
        if inside:
            y += HEADING
            headings.append(PicturedHeading(name=topic.name, y=y))
        for concept in inside:
            y += ROW
            radius = SMALLEST + (LARGEST - SMALLEST) * sqrt(concept.count / most)
            concepts.append(PicturedConcept(concept=concept, label=_label(concept.name), y=y, radius=round(radius, 1)))
    return ConceptPicture(
        height=y + ROW, headings=tuple(headings), concepts=tuple(concepts), arcs=tuple(_arcs(concepts))
    )


def _arcs(concepts: Sequence[PicturedConcept]) -> Iterator[PicturedArc]:
    """Yield an arc for each pair of related concepts; the further apart they stand, the further it reaches out."""
    ys: dict[Stems, int] = {each.concept.key: each.y for each in concepts}
    span = max(ys.values(), default=0) - min(ys.values(), default=0) or 1
    for each in concepts:
        for other in each.concept.related:
            if ys.get(other.key, 0) > each.y:
                reach = round((AXIS - 20) * (0.25 + 0.75 * (ys[other.key] - each.y) / span) * 4 / 3)
                left = AXIS - reach
                yield PicturedArc(
                    path=f"M{AXIS} {each.y}C{left} {each.y} {left} {ys[other.key]} {AXIS} {ys[other.key]}",
                    width=min(5.0, 1.0 + other.count / 2),
                    one=each.concept.name,
                    other=other.name,
                )


def _label(name: str) -> str:
    return name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 1].rstrip()}…"
