"""Pictures of parts and numbers as values, and their safe inline SVG.

A picture is numbers and one alternative text; the SVG is built here from checked numbers and escaped text only.
It carries no style: `base.css` fills `pic-shaded` with a pattern (striped; of a comparison's second bar dotted, of its
third cross-hatched), which `components/patterns.html` defines once for a page. `pic-blank` is plain.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

Kind = Literal["bar", "circle", "grid", "pieces", "number_line", "compare", "shape"]

WIDTH = 320
"""Width of a drawing in user units; with its margin it stays under 420 on every page."""
# More parts are thinner than a line at 320 units. The sizes below are chosen by eye.
MAX_PARTS = 100
MAX_TEXT = 300
MAX_LABEL = 20
_BAR_HEIGHT = 56
_STRIP_HEIGHT = 44
_RADIUS = 70
_CELL = 44
_SHAPE_HEIGHT = 160
_MARGIN = 2
_LABEL_WIDTH = 72
PATTERNS = ("striped", "dotted", "crossed")
"""Patterns of shaded parts, by the bar of a comparison; a fourth bar is striped again."""

type Point = tuple[float, float]


class PictureError(ValueError):
    """A picture that cannot be drawn; the text says why, in words for the course's author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureBar:
    """One bar of a comparison, with a label such as a name (often none)."""

    parts: tuple[float, ...]
    shaded: tuple[int, ...] = ()
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberLineMark:
    """A point on a number line, with what is written above it (often nothing)."""

    at: float
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One drawing; which fields count depends on `kind`. Raises PictureError if it cannot be drawn.

    `parts` are relative sizes of bar, circle and pieces; `shaded` are indexes from 0 (of a grid: row by row);
    `gap` is the space between a bar's parts in user units; `ticks` is the number of equal steps of a number line;
    a shape's `polygons` are its parts, on a sheet `width` by `height` units large. `scale` draws the whole smaller.
    `movable`: the two bars of a comparison can be cut again and moved.
    """

    kind: Kind
    alt: str
    parts: tuple[float, ...] = ()
    shaded: tuple[int, ...] = ()
    gap: float = 0
    rows: int = 0
    columns: int = 0
    start: float = 0
    end: float = 1
    ticks: int = 1
    marks: tuple[NumberLineMark, ...] = ()
    bars: tuple[PictureBar, ...] = ()
    movable: bool = False
    width: float = 0
    height: float = 0
    polygons: tuple[tuple[Point, ...], ...] = ()
    scale: float = 1

    def __post_init__(self) -> None:
        if not 0.2 <= self.scale <= 1:
            raise PictureError("a scale must be from 0.2 to 1")
        if not self.alt.strip() or len(self.alt) > MAX_TEXT:
            raise PictureError(f"a picture needs alternative text of at most {MAX_TEXT} characters")
        if self.movable and (self.kind != "compare" or len(self.bars) != 2):
            raise PictureError("only a comparison of two bars can be movable")
        match self.kind:
            case "bar" | "circle" | "pieces":
                _check_strip(self.parts, self.shaded)
                if not 0 <= self.gap <= 20:
                    raise PictureError("a gap must be from 0 to 20")
            case "grid":
                _check_grid(self.rows, self.columns, self.shaded)
            case "number_line":
                _check_line(self)
            case "compare":
                if not 2 <= len(self.bars) <= 4:
                    raise PictureError("a comparison must have two to four bars")
                for strip in self.bars:
                    _check_strip(strip.parts, strip.shaded)
                if any(len(strip.label) > MAX_LABEL for strip in self.bars):
                    raise PictureError(f"a bar's label can have at most {MAX_LABEL} characters")
            case "shape":
                _check_shape(self)


def _check_strip(parts: Sequence[float], shaded: Sequence[int]) -> None:
    if not 1 <= len(parts) <= MAX_PARTS:
        raise PictureError(f"a picture must have 1 to {MAX_PARTS} parts")
    if not all(math.isfinite(part) and 0 < part <= 1000 for part in parts):
        raise PictureError("sizes of parts must be above 0 and at most 1000")
    _check_shaded(shaded, count=len(parts))


def _check_grid(rows: int, columns: int, shaded: Sequence[int]) -> None:
    if not (1 <= rows <= 12 and 1 <= columns <= 12):
        raise PictureError("a grid must have 1 to 12 rows and columns")
    _check_shaded(shaded, count=rows * columns)


def _check_shaded(shaded: Sequence[int], *, count: int) -> None:
    if len(set(shaded)) != len(shaded) or not all(0 <= index < count for index in shaded):
        raise PictureError(f"shaded parts must be different indexes from 0 to {count - 1}")


def _check_line(picture: Picture) -> None:
    numbers = (picture.start, picture.end, *(mark.at for mark in picture.marks))
    if not all(math.isfinite(number) and abs(number) <= 1_000_000 for number in numbers):
        raise PictureError("numbers on a line must be at most a million")
    if not (picture.start < picture.end and 1 <= picture.ticks <= 60 and len(picture.marks) <= 12):
        raise PictureError("a number line must go up, with 1 to 60 steps and at most 12 marks")
    if not all(picture.start <= mark.at <= picture.end for mark in picture.marks):
        raise PictureError("a mark is outside its number line")
    if any(len(mark.label) > 20 for mark in picture.marks):
        raise PictureError("a mark's label can have at most 20 characters")


def _check_shape(picture: Picture) -> None:
    if not (0 < picture.width <= 1000 and 0 < picture.height <= 1000 and picture.height <= 2 * picture.width):
        raise PictureError("a shape must have a width, and a height of at most twice the width")
    if not 1 <= len(picture.polygons) <= MAX_PARTS:
        raise PictureError(f"a shape must have 1 to {MAX_PARTS} polygons")
    for polygon in picture.polygons:
        if not 3 <= len(polygon) <= 60:
            raise PictureError("a polygon must have 3 to 60 corners")
        if not all(0 <= x <= picture.width and 0 <= y <= picture.height for x, y in polygon):
            raise PictureError("a corner of a polygon is outside the shape's width and height")
    _check_shaded(picture.shaded, count=len(picture.polygons))


def render_svg(picture: Picture) -> str:
    """Return the picture as one `<svg>` element, safe to embed in a page."""
    width, height, shapes = _drawn(picture)
    alt = escape(picture.alt.strip())
    shown = f'width="{_n(width * picture.scale)}" height="{_n(height * picture.scale)}"'
    size = f'viewBox="0 0 {_n(width)} {_n(height)}" {shown}'
    opening = f'<svg class="pic pic-kind-{picture.kind}" {size} role="img" aria-label="{alt}">'
    return f"{opening}<title>{alt}</title>{''.join(shapes)}</svg>"


def _drawn(picture: Picture) -> tuple[float, float, Iterator[str]]:
    """Return width, height and shapes."""
    outer, edge = WIDTH + 2 * _MARGIN, 2 * _MARGIN
    match picture.kind:
        case "bar":
            return outer, _BAR_HEIGHT + edge, _strip(picture.parts, picture.shaded, height=_BAR_HEIGHT, gap=picture.gap)
        case "pieces":
            return outer, _BAR_HEIGHT + edge, _strip(picture.parts, picture.shaded, height=_BAR_HEIGHT, gap=14)
        case "circle":
            return 2 * _RADIUS + edge, 2 * _RADIUS + edge, _circle(picture.parts, picture.shaded)
        case "grid":
            cell = min(_CELL, WIDTH / picture.columns)
            return cell * picture.columns + edge, cell * picture.rows + edge, _grid(picture, cell=cell)
        case "number_line":
            return outer + 40, 70, _number_line(picture)
        case "compare":
            height = len(picture.bars) * (_STRIP_HEIGHT + 12) - 12
            label = _LABEL_WIDTH if any(bar.label for bar in picture.bars) else 0
            return outer + label, height + edge, _compare(picture.bars, label=label)
        case "shape":
            unit = min(WIDTH / picture.width, _SHAPE_HEIGHT / picture.height)
            return picture.width * unit + edge, picture.height * unit + edge, _shape(picture, unit=unit)


def _n(number: float) -> str:
    """Write a coordinate with two places, without a trailing zero."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _class(index: int, shaded: Sequence[int], *, pattern: str = PATTERNS[0]) -> str:
    return f"pic-shaded pic-{pattern}" if index in shaded else "pic-blank"


def _strip(
    parts: Sequence[float],
    shaded: Sequence[int],
    *,
    height: float,
    gap: float = 0,
    top: float = _MARGIN,
    left: float = _MARGIN,
    pattern: str = PATTERNS[0],
) -> Iterator[str]:
    gap = min(gap, WIDTH / (2 * len(parts)))
    unit = (WIDTH - gap * (len(parts) - 1)) / sum(parts)
    for index, part in enumerate(parts):
        place = f'x="{_n(left)}" y="{_n(top)}" width="{_n(part * unit)}" height="{_n(height)}"'
        yield f'<rect class="{_class(index, shaded, pattern=pattern)}" {place}/>'
        left += part * unit + gap


def _circle(parts: Sequence[float], shaded: Sequence[int]) -> Iterator[str]:
    centre = _RADIUS + _MARGIN
    if len(parts) == 1:
        yield f'<circle class="{_class(0, shaded)}" cx="{centre}" cy="{centre}" r="{_RADIUS}"/>'
        return
    turned = 0.0
    for index, part in enumerate(parts):
        share = part / sum(parts)
        begin, end = _on_circle(turned), _on_circle(turned + share)
        arc = f"A{_RADIUS} {_RADIUS} 0 {int(share > 0.5)} 1 {end}"
        yield f'<path class="{_class(index, shaded)}" d="M{centre} {centre}L{begin}{arc}Z"/>'
        turned += share


def _on_circle(turn: float) -> str:
    """Return the point after `turn` (0 to 1) clockwise from the top."""
    angle, centre = 2 * math.pi * turn, _RADIUS + _MARGIN
    return f"{_n(centre + _RADIUS * math.sin(angle))} {_n(centre - _RADIUS * math.cos(angle))}"


def _grid(picture: Picture, *, cell: float) -> Iterator[str]:
    for index in range(picture.rows * picture.columns):
        row, column = divmod(index, picture.columns)
        place = f'x="{_n(_MARGIN + column * cell)}" y="{_n(_MARGIN + row * cell)}"'
        yield f'<rect class="{_class(index, picture.shaded)}" {place} width="{_n(cell)}" height="{_n(cell)}"/>'


def _number_line(picture: Picture) -> Iterator[str]:
    left, right, level = 22, WIDTH + 22, 38
    landmarks = _landmarks(picture)
    yield f'<line class="pic-line" x1="{left}" y1="{level}" x2="{right}" y2="{level}"/>'
    for tick in range(picture.ticks + 1):
        x = _n(left + WIDTH * tick / picture.ticks)
        reach = 10 if tick in landmarks else 6
        yield f'<line class="pic-line" x1="{x}" y1="{level - reach}" x2="{x}" y2="{level + reach}"/>'
        if label := landmarks.get(tick):
            yield f'<text class="pic-text" x="{x}" y="64" text-anchor="middle">{escape(label)}</text>'
    for mark in picture.marks:
        x = _n(left + WIDTH * (mark.at - picture.start) / (picture.end - picture.start))
        yield f'<circle class="pic-mark" cx="{x}" cy="{level}" r="6"/>'
        if mark.label:
            yield f'<text class="pic-text" x="{x}" y="20" text-anchor="middle">{escape(mark.label)}</text>'


def _landmarks(picture: Picture) -> dict[int, str]:
    """Return the steps with long ticks and their labels: both ends, and whole numbers between fractions.

    An end that a short decimal cannot say, such as 4/3, has no number: a mark's label may name it. Where an end is no
    whole number, finding the one may be the question, so none between is named.
    """
    span = picture.end - picture.start
    numbers = {tick: picture.start + span * tick / picture.ticks for tick in range(picture.ticks + 1)}
    whole = {tick for tick, number in numbers.items() if abs(number - round(number)) < 1e-9}
    ends = {0, picture.ticks}
    shown = ends | whole if picture.ticks > span and ends <= whole else ends
    return {tick: _exact(numbers[tick]) for tick in sorted(shown)}


def _exact(number: float) -> str:
    """Return a number in at most six digits; empty if it does not fit."""
    written = f"{number:g}"
    return written if math.isclose(float(written), number, rel_tol=1e-9) else ""


def _compare(bars: Sequence[PictureBar], *, label: float) -> Iterator[str]:
    for index, strip in enumerate(bars):
        top = _MARGIN + index * (_STRIP_HEIGHT + 12)
        pattern = PATTERNS[index % len(PATTERNS)]
        if strip.label:
            yield f'<text class="pic-text" x="{_MARGIN}" y="{top + _STRIP_HEIGHT / 2 + 5:g}">{escape(strip.label)}</text>'
        yield from _strip(
            strip.parts, strip.shaded, height=_STRIP_HEIGHT, top=top, left=_MARGIN + label, pattern=pattern
        )


def _shape(picture: Picture, *, unit: float) -> Iterator[str]:
    for index, polygon in enumerate(picture.polygons):
        corners = " ".join(f"{_n(_MARGIN + x * unit)},{_n(_MARGIN + y * unit)}" for x, y in polygon)
        yield f'<polygon class="{_class(index, picture.shaded)}" points="{corners}"/>'
