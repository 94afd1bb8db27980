"""Pictures of equations: a scale with boxes and weights, and area models."""

from collections.abc import Iterator
from dataclasses import dataclass

from tutoring.courses.pictures.shapes import (
    WIDTH,
    Drawn,
    PictureError,
    circle,
    coordinate,
    label,
    line,
    rectangle,
    require_text,
)

MAX_BOXES = 6
MAX_WEIGHTS = 30
MAX_SIDES = 4
MAX_CELL = 12
_BOX = 27
_WEIGHT = 9
_IN_ROW = 6
_PAN = 148
_CELL_HEIGHT = 52


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalePan:
    """What lies on a side of a scale: boxes of unknown weight, and weights of 1."""

    x: int = 0
    ones: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.x <= MAX_BOXES and 0 <= self.ones <= MAX_WEIGHTS):
            raise PictureError(f"a side of a scale can have at most {MAX_BOXES} boxes and {MAX_WEIGHTS} weights")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """A scale with both its pans at the same height."""

    left: ScalePan
    right: ScalePan


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaModel:
    """A rectangle cut into cells: factors along its rows and columns, products inside; an empty text is left open."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]

    def __post_init__(self) -> None:
        if not (1 <= len(self.rows) <= MAX_SIDES and 1 <= len(self.columns) <= MAX_SIDES):
            raise PictureError(f"an area model must have 1 to {MAX_SIDES} rows and columns")
        if len(self.cells) != len(self.rows) or any(len(row) != len(self.columns) for row in self.cells):
            raise PictureError("an area model must have a list of cells for each row, and a cell for each column")
        for text in (*self.rows, *self.columns, *(cell for row in self.cells for cell in row)):
            require_text(text, most=MAX_CELL, what="a text in an area model")


def draw_scale(scale: Scale) -> Drawn:
    """Return a scale; weights stand in rows of six, above the boxes."""
    tall = max(_pan_height(scale.left), _pan_height(scale.right), _BOX)
    level = tall + 8
    middle = WIDTH / 2 + 2
    shapes = [
        f'<path class="pic-blank" d="M{coordinate(middle)} {coordinate(level + 22)}l-20 40h40Z"/>',
        line(_PAN / 2, level + 22, WIDTH + 4 - _PAN / 2, level + 22, classes="pic-line is-beam"),
    ]
    for pan, left in ((scale.left, 2.0), (scale.right, WIDTH + 2.0 - _PAN)):
        center = left + _PAN / 2
        shapes += [
            line(center, level, center, level + 22),
            line(left, level, left + _PAN, level, classes="pic-line is-beam"),
        ]
        shapes += _lying(pan, center=center, level=level)
    return Drawn(width=WIDTH + 4, height=level + 66, shapes="".join(shapes))


def _pan_height(pan: ScalePan) -> float:
    return (_BOX + 2 if pan.x else 0) + -(-pan.ones // _IN_ROW) * 2 * (_WEIGHT + 1)


def _lying(pan: ScalePan, *, center: float, level: float) -> Iterator[str]:
    left = center - pan.x * (_BOX - 3) / 2
    for index in range(pan.x):
        at = left + index * (_BOX - 3)
        yield rectangle(at, level - _BOX + 2, _BOX - 5, _BOX - 3, classes="pic-blank is-box")
        yield label("x", at + (_BOX - 5) / 2, level - 8)
    base = level - (_BOX + 2 if pan.x else 0) - _WEIGHT - 1
    for index in range(pan.ones):
        row, column = divmod(index, _IN_ROW)
        in_row = min(_IN_ROW, pan.ones - row * _IN_ROW)
        at = center + (column - (in_row - 1) / 2) * 2 * (_WEIGHT + 1)
        yield circle(at, base - row * 2 * (_WEIGHT + 1), _WEIGHT, classes="pic-blank")
        yield label("1", at, base - row * 2 * (_WEIGHT + 1) + 4.5, more="is-weight")


def draw_area(model: AreaModel) -> Drawn:
    side = 14 + 9 * max(map(len, model.rows))
    width = min(110.0, (WIDTH - side) / len(model.columns))
    shapes = [label(text, side + width * (index + 0.5), 16) for index, text in enumerate(model.columns)]
    for row, text in enumerate(model.rows):
        top = 26 + row * _CELL_HEIGHT
        shapes.append(label(text, side - 8, top + _CELL_HEIGHT / 2 + 5, anchor="end"))
        for column, cell in enumerate(model.cells[row]):
            shapes.append(rectangle(side + column * width, top, width, _CELL_HEIGHT, classes="pic-blank"))
            if cell:
                shapes.append(label(cell, side + (column + 0.5) * width, top + _CELL_HEIGHT / 2 + 5))
    return Drawn(
        width=side + width * len(model.columns) + 2,
        height=28 + _CELL_HEIGHT * len(model.rows),
        shapes="".join(shapes),
    )
