"""Renders a board as a picture: for a vision model, for the transcript, and for OCR."""

from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

from conversations.drawing.schema import (
    HEIGHT,
    WIDTH,
    Board,
    Colour,
    Ellipse,
    FractionBar,
    Item,
    NumberLine,
    Pen,
    Point,
    Rectangle,
    StraightLine,
    TextMark,
)

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw
    from PIL.ImageFont import FreeTypeFont

FONT: Final = next(
    (Path(__file__).resolve().parents[2] / "static" / "vendor").glob("atkinson-*/*-latin-wght-normal.woff2")
)
"""The pages' own font: Pillow's default has no ½."""

type RGB = tuple[int, int, int]

PAPER: Final[RGB] = (255, 255, 255)
GRID: Final[RGB] = (226, 230, 235)
GRID_APART: Final = 50
COLOURS: Final[dict[Colour, RGB]] = {
    "ink": (34, 37, 43),
    "blue": (59, 116, 184),
    "red": (179, 55, 43),
    "green": (43, 122, 61),
    "amber": (196, 122, 18),
    "plum": (141, 90, 165),
}
"""Colors of the light theme: drawings are always on white paper."""
WASH: Final = 0.35
"""Opacity of a filled area, so that text on it stays readable."""
LARGER: Final = 2
"""Drawn at double size and then reduced, to smooth the lines."""
TICK: Final = 12
LABEL: Final = 22


def render_png(board: Board) -> bytes:
    """Return the board on white paper as a PNG, one pixel per unit, without metadata."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH * LARGER, HEIGHT * LARGER), PAPER)
    paper = _Paper(ImageDraw.Draw(image))
    if board.grid:
        _draw_grid(paper)
    for item in board.items:
        _draw(paper, item)
    image = image.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    file = BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


class _Paper:
    """Draws in board units."""

    def __init__(self, draw: "ImageDraw") -> None:
        self.draw = draw
        self.fonts: dict[float, FreeTypeFont] = {}

    def line(self, points: tuple[Point, ...], colour: RGB, width: float) -> None:
        dots = [self._dot(point) for point in points]
        thick = max(1, round(width * LARGER))
        if len(dots) > 1:
            self.draw.line(dots, fill=colour, width=thick, joint="curve")
        if thick > 2:
            for x, y in (dots[0], dots[-1]):
                self.draw.ellipse((x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2), fill=colour)

    def box(self, item: Rectangle | Ellipse | FractionBar, *, fill: RGB | None) -> None:
        corners = (self._dot((item.x, item.y)), self._dot((item.x + item.w, item.y + item.h)))
        shape = self.draw.ellipse if isinstance(item, Ellipse) else self.draw.rectangle
        shape(corners, fill=fill, outline=COLOURS[item.colour], width=max(1, round(item.width * LARGER)))

    def area(self, corner: Point, size: Point, fill: RGB) -> None:
        self.draw.rectangle((self._dot(corner), self._dot((corner[0] + size[0], corner[1] + size[1]))), fill=fill)

    def text(self, at: Point, text: str, colour: RGB, size: float, *, anchor: str = "la") -> None:
        from PIL import ImageFont

        if size not in self.fonts:
            self.fonts[size] = ImageFont.truetype(FONT, size * LARGER)
        self.draw.text(self._dot(at), text, fill=colour, font=self.fonts[size], anchor=anchor)

    def _dot(self, point: Point) -> Point:
        return point[0] * LARGER, point[1] * LARGER


def _draw_grid(paper: _Paper) -> None:
    for x in range(GRID_APART, WIDTH, GRID_APART):
        paper.line(((x, 0), (x, HEIGHT)), GRID, 1)
    for y in range(GRID_APART, HEIGHT, GRID_APART):
        paper.line(((0, y), (WIDTH, y)), GRID, 1)


def _draw(paper: _Paper, item: Item) -> None:
    colour = COLOURS[item.colour]
    match item:
        case Pen():
            paper.line(item.points, colour, item.width)
        case StraightLine():
            paper.line((item.start, item.end), colour, item.width)
        case Rectangle() | Ellipse():
            paper.box(item, fill=_wash(colour) if item.filled else None)
        case TextMark():
            paper.text((item.x, item.y), item.text, colour, item.size)
        case FractionBar():
            _draw_bar(paper, item)
        case NumberLine():
            _draw_number_line(paper, item)


def _draw_bar(paper: _Paper, bar: FractionBar) -> None:
    part = bar.w / bar.parts
    for place in bar.shaded:
        paper.area((bar.x + place * part, bar.y), (part, bar.h), _wash(COLOURS[bar.colour]))
    paper.box(bar, fill=None)
    for place in range(1, bar.parts):
        x = bar.x + place * part
        paper.line(((x, bar.y + bar.width), (x, bar.y + bar.h - bar.width)), COLOURS[bar.colour], bar.width)


def _draw_number_line(paper: _Paper, line: NumberLine) -> None:
    colour = COLOURS[line.colour]

    def x_of(number: float) -> float:
        return line.x + line.w * (number - line.start) / (line.end - line.start)

    paper.line(((line.x, line.y), (line.x + line.w, line.y)), colour, line.width)
    for place in range(round((line.end - line.start) / line.step) + 1):
        number = min(line.start + place * line.step, line.end)
        x = x_of(number)
        paper.line(((x, line.y - TICK), (x, line.y + TICK)), colour, 2)
        paper.text((x, line.y + TICK + 6), f"{number:g}", colour, LABEL, anchor="ma")
    for mark in line.marks:
        x = x_of(mark)
        paper.line(((x, line.y), (x, line.y)), colour, 4 * TICK / 2)


def _wash(colour: RGB) -> RGB:
    red, green, blue = (round(255 - (255 - part) * WASH) for part in colour)
    return red, green, blue
