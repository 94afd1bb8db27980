"""Pictures of parts: bars, circles, grids, pieces, comparisons and shapes.

They carry no style: `base.css` fills `pic-shaded` with a pattern (striped; of a comparison's second bar dotted, of its
third cross-hatched, unless `one_pattern` is set), which `components/patterns.html` defines once for a page. `pic-blank` is plain.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from tutoring.courses.pictures.shapes import MARGIN, WIDTH, PictureError, coordinate

# More parts are thinner than a line at 320 units. The sizes below are chosen by eye.
MAX_PARTS = 100
MAX_LABEL = 20
BAR_HEIGHT = 56
STRIP_HEIGHT = 44
RADIUS = 70
CELL = 44
PATTERNS = ("striped", "dotted", "crossed")
"""Patterns of shaded parts, by the bar of a comparison; a fourth bar is striped again."""

type Point = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureBar:
    """One bar of a comparison, with a label such as a name (often none)."""

    parts: tuple[float, ...]
    shaded: tuple[int, ...] = ()
    label: str = ""


def check_strip(parts: Sequence[float], shaded: Sequence[int]) -> None:
    if not 1 <= len(parts) <= MAX_PARTS:
        raise PictureError(f"a picture must have 1 to {MAX_PARTS} parts")
    if not all(math.isfinite(part) and 0 < part <= 1000 for part in parts):
        raise PictureError("sizes of parts must be above 0 and at most 1000")
    check_shaded(shaded, count=len(parts))


def check_grid(rows: int, columns: int, shaded: Sequence[int]) -> None:
    if not (1 <= rows <= 12 and 1 <= columns <= 12):
        raise PictureError("a grid must have 1 to 12 rows and columns")
    check_shaded(shaded, count=rows * columns)


def check_shaded(shaded: Sequence[int], *, count: int) -> None:
    if len(set(shaded)) != len(shaded) or not all(0 <= index < count for index in shaded):
        raise PictureError(f"shaded parts must be different indexes from 0 to {count - 1}")


def check_shape(width: float, height: float, polygons: Sequence[Sequence[Point]], shaded: Sequence[int]) -> None:
    if not (0 < width <= 1000 and 0 < height <= 1000 and height <= 2 * width):
        raise PictureError("a shape must have a width, and a height of at most twice the width")
    if not 1 <= len(polygons) <= MAX_PARTS:
        raise PictureError(f"a shape must have 1 to {MAX_PARTS} polygons")
    for polygon in polygons:
        if not 3 <= len(polygon) <= 60:
            raise PictureError("a polygon must have 3 to 60 corners")
        if not all(0 <= x <= width and 0 <= y <= height for x, y in polygon):
            raise PictureError("a corner of a polygon is outside the shape's width and height")
    check_shaded(shaded, count=len(polygons))


def _class(index: int, shaded: Sequence[int], *, pattern: str = PATTERNS[0]) -> str:
    return f"pic-shaded pic-{pattern}" if index in shaded else "pic-blank"


def strip(
    parts: Sequence[float],
    shaded: Sequence[int],
    *,
    height: float,
    gap: float = 0,
    top: float = MARGIN,
    left: float = MARGIN,
    pattern: str = PATTERNS[0],
) -> Iterator[str]:
    gap = min(gap, WIDTH / (2 * len(parts)))
    unit = (WIDTH - gap * (len(parts) - 1)) / sum(parts)
    for index, part in enumerate(parts):
        place = f'x="{coordinate(left)}" y="{coordinate(top)}" width="{coordinate(part * unit)}" height="{coordinate(height)}"'
        yield f'<rect class="{_class(index, shaded, pattern=pattern)}" {place}/>'
        left += part * unit + gap


def circle(parts: Sequence[float], shaded: Sequence[int]) -> Iterator[str]:
    centre = RADIUS + MARGIN
    if len(parts) == 1:
        yield f'<circle class="{_class(0, shaded)}" cx="{centre}" cy="{centre}" r="{RADIUS}"/>'
        return
    turned = 0.0
    for index, part in enumerate(parts):
        share = part / sum(parts)
        begin, end = _on_circle(turned), _on_circle(turned + share)
        arc = f"A{RADIUS} {RADIUS} 0 {int(share > 0.5)} 1 {end}"
        yield f'<path class="{_class(index, shaded)}" d="M{centre} {centre}L{begin}{arc}Z"/>'
        turned += share


def _on_circle(turn: float) -> str:
    """Return the point after `turn` (0 to 1) clockwise from the top."""
    angle, centre = 2 * math.pi * turn, RADIUS + MARGIN
    return f"{coordinate(centre + RADIUS * math.sin(angle))} {coordinate(centre - RADIUS * math.cos(angle))}"


def grid(rows: int, columns: int, shaded: Sequence[int], *, cell: float) -> Iterator[str]:
    for index in range(rows * columns):
        row, column = divmod(index, columns)
        place = f'x="{coordinate(MARGIN + column * cell)}" y="{coordinate(MARGIN + row * cell)}"'
        yield f'<rect class="{_class(index, shaded)}" {place} width="{coordinate(cell)}" height="{coordinate(cell)}"/>'


def compare(bars: Sequence[PictureBar], *, label: float, one_pattern: bool) -> Iterator[str]:
    for index, bar in enumerate(bars):
        top = MARGIN + index * (STRIP_HEIGHT + 12)
        pattern = PATTERNS[0 if one_pattern else index % len(PATTERNS)]
        if bar.label:
            yield f'<text class="pic-text" x="{MARGIN}" y="{top + STRIP_HEIGHT / 2 + 5:g}">{escape(bar.label)}</text>'
        yield from strip(bar.parts, bar.shaded, height=STRIP_HEIGHT, top=top, left=MARGIN + label, pattern=pattern)


def shape(polygons: Sequence[Sequence[Point]], shaded: Sequence[int], *, unit: float) -> Iterator[str]:
    for index, polygon in enumerate(polygons):
        corners = " ".join(f"{coordinate(MARGIN + x * unit)},{coordinate(MARGIN + y * unit)}" for x, y in polygon)
        yield f'<polygon class="{_class(index, shaded)}" points="{corners}"/>'
