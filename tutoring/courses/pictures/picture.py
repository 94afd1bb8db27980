"""A picture of any kind as a value, and as one safe SVG element.

A picture is numbers and one alternative text; the SVG is built here from checked numbers and escaped text only.
"""

from dataclasses import dataclass
from html import escape
from typing import Literal

from tutoring.courses.pictures.drawings import Drawing, draw_drawing
from tutoring.courses.pictures.equations import AreaModel, Scale, draw_area, draw_scale
from tutoring.courses.pictures.networks import Network, draw_network
from tutoring.courses.pictures.number_lines import NumberLineMark, check_line, number_line
from tutoring.courses.pictures.parts import (
    BAR_HEIGHT,
    CELL,
    MAX_LABEL,
    RADIUS,
    STRIP_HEIGHT,
    PictureBar,
    Point,
    check_grid,
    check_shape,
    check_strip,
    circle,
    compare,
    grid,
    shape,
    strip,
)
from tutoring.courses.pictures.plot_drawing import draw_plot
from tutoring.courses.pictures.plots import Plot
from tutoring.courses.pictures.shapes import MARGIN, WIDTH, Drawn, PictureError, coordinate

Kind = (
    Literal["bar", "circle", "grid", "pieces", "number_line", "compare", "shape"]
    | Literal["plot", "balance", "area", "network", "svg"]
)

MAX_TEXT = 300
_SHAPE_HEIGHT = 160
_LABEL_WIDTH, _LETTER_WIDTH = 72, 8.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """One drawing; which fields count depends on `kind`. Raises PictureError if it cannot be drawn.

    `parts` are relative sizes of bar, circle and pieces; `shaded` are indexes from 0 (of a grid: row by row);
    `gap` is the space between a bar's parts in user units; `ticks` is the number of equal steps of a number line;
    a shape's `polygons` are its parts, on a sheet `width` by `height` units large. `scale` draws the whole smaller.
    `movable`: the two bars of a comparison can be cut again and moved. `one_pattern`: what is shaded in its bars is the
    same thing, and has the same pattern. The kinds plot, balance, area, network and svg have what they show in the
    field of their name.
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
    one_pattern: bool = False
    width: float = 0
    height: float = 0
    polygons: tuple[tuple[Point, ...], ...] = ()
    scale: float = 1
    plot: Plot | None = None
    balance: Scale | None = None
    area: AreaModel | None = None
    network: Network | None = None
    svg: Drawing | None = None

    def __post_init__(self) -> None:
        if not 0.2 <= self.scale <= 1:
            raise PictureError("a scale must be from 0.2 to 1")
        if not self.alt.strip() or len(self.alt) > MAX_TEXT:
            raise PictureError(f"a picture needs alternative text of at most {MAX_TEXT} characters")
        if self.movable and (self.kind != "compare" or len(self.bars) != 2):
            raise PictureError("only a comparison of two bars can be movable")
        match self.kind:
            case "bar" | "circle" | "pieces":
                check_strip(self.parts, self.shaded)
                if not 0 <= self.gap <= 20:
                    raise PictureError("a gap must be from 0 to 20")
            case "grid":
                check_grid(self.rows, self.columns, self.shaded)
            case "number_line":
                check_line(self.start, self.end, self.ticks, self.marks)
            case "compare":
                if not 2 <= len(self.bars) <= 4:
                    raise PictureError("a comparison must have two to four bars")
                for strip in self.bars:
                    check_strip(strip.parts, strip.shaded)
                if any(len(strip.label) > MAX_LABEL for strip in self.bars):
                    raise PictureError(f"a bar's label can have at most {MAX_LABEL} characters")
            case "shape":
                check_shape(self.width, self.height, self.polygons, self.shaded)
            case "plot" | "balance" | "area" | "network" | "svg" as kind:
                if getattr(self, kind) is None:
                    raise PictureError(f"the picture of the kind {kind} is empty")


def render_svg(picture: Picture) -> str:
    """Return the picture as one element, `<svg>` or a drawing's `<img>`, safe to embed in a page."""
    alt = escape(picture.alt.strip())
    if picture.svg is not None and picture.svg.address:
        _left, _top, width, height = picture.svg.box
        shown = f'width="{coordinate(width * picture.scale)}" height="{coordinate(height * picture.scale)}"'
        return f'<img class="pic pic-image" src="{escape(picture.svg.address)}" {shown} alt="{alt}">'
    drawn = _drawn(picture)
    shown = f'width="{coordinate(drawn.width * picture.scale)}" height="{coordinate(drawn.height * picture.scale)}"'
    size = f'viewBox="0 0 {coordinate(drawn.width)} {coordinate(drawn.height)}" {shown}'
    opening = f'<svg class="pic pic-kind-{picture.kind}" {size} role="img" aria-label="{alt}"{drawn.data}>'
    return f"{opening}<title>{alt}</title>{drawn.shapes}</svg>"


def _drawn(picture: Picture) -> Drawn:
    if picture.plot is not None:
        return draw_plot(picture.plot)
    if picture.balance is not None:
        return draw_scale(picture.balance)
    if picture.area is not None:
        return draw_area(picture.area)
    if picture.network is not None:
        return draw_network(picture.network)
    return draw_drawing(picture.svg) if picture.svg is not None else _drawn_parts(picture)


def _drawn_parts(picture: Picture) -> Drawn:
    """Return a drawing of parts or of a number line."""
    edge = 2 * MARGIN
    outer = WIDTH + edge
    parts, shaded = picture.parts, picture.shaded
    match picture.kind:
        case "pieces":
            shapes = strip(parts, shaded, height=BAR_HEIGHT, gap=14)
            return Drawn(width=outer, height=BAR_HEIGHT + edge, shapes="".join(shapes))
        case "circle":
            return Drawn(width=2 * RADIUS + edge, height=2 * RADIUS + edge, shapes="".join(circle(parts, shaded)))
        case "grid":
            cell = min(CELL, WIDTH / picture.columns)
            shapes = grid(picture.rows, picture.columns, shaded, cell=cell)
            width, height = cell * picture.columns + edge, cell * picture.rows + edge
            return Drawn(width=width, height=height, shapes="".join(shapes))
        case "number_line":
            shapes = number_line(picture.start, picture.end, picture.ticks, picture.marks)
            return Drawn(width=outer + 40, height=70, shapes="".join(shapes))
        case "compare":
            height = len(picture.bars) * (STRIP_HEIGHT + 12) - 12 + edge
            longest = max(len(bar.label) for bar in picture.bars)
            label = max(_LABEL_WIDTH, longest * _LETTER_WIDTH + 8) if longest else 0
            return Drawn(
                width=outer + label,
                height=height,
                shapes="".join(compare(picture.bars, label=label, one_pattern=picture.one_pattern)),
            )
        case "shape":
            unit = min(WIDTH / picture.width, _SHAPE_HEIGHT / picture.height)
            width, height = picture.width * unit + edge, picture.height * unit + edge
            return Drawn(width=width, height=height, shapes="".join(shape(picture.polygons, shaded, unit=unit)))
        case _:
            shapes = strip(parts, shaded, height=BAR_HEIGHT, gap=picture.gap)
            return Drawn(width=outer, height=BAR_HEIGHT + edge, shapes="".join(shapes))
