"""Schema of a drawing board, strict and bounded, as the page sends it and as it is stored."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from math import dist
from typing import Annotated, Any, Final, Literal, Self

from django.utils.translation import gettext, ngettext
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import from_json

WIDTH: Final = 1000
HEIGHT: Final = 700
"""The paper's height in its own units; the screen scales it."""
MAX_BYTES: Final = 1_000_000
"""Django's limit for a body that is not a form (`DATA_UPLOAD_MAX_MEMORY_SIZE`)."""
MAX_ITEMS: Final = 600
MAX_POINTS: Final = 20_000
"""Maximum number of points of all pen strokes together, after thinning."""
MAX_SENT_POINTS: Final = 120_000
MAX_TEXT: Final = 200
MAX_WRITTEN: Final = 4_000
"""Maximum number of characters of all texts together."""
MAX_NUMBER_LINES: Final = 12
MAX_STEPS: Final = 60
NEAR = (2.0, 4.0)
"""Stroke points closer than this to the previous one are dropped; the second value is used if too many remain."""

Colour = Literal["ink", "blue", "red", "green", "amber", "plum"]


class BoardRefused(ValueError):
    """A board is rejected. The message says why, in the reader's language."""


class BoardTooFull(BoardRefused):
    """There is more on the board than can be read."""


def _rounded(number: float) -> float:
    # Convert -0.0, so that equal boards have equal digests.
    return round(number, 1) + 0.0


def _printable(text: str) -> str:
    return "".join(character for character in text if character.isprintable()).strip()


X = Annotated[float, Field(strict=True, ge=0, le=WIDTH, allow_inf_nan=False), AfterValidator(_rounded)]
Y = Annotated[float, Field(strict=True, ge=0, le=HEIGHT, allow_inf_nan=False), AfterValidator(_rounded)]
Number = Annotated[float, Field(strict=True, ge=-1e6, le=1e6, allow_inf_nan=False)]
Whole = Annotated[int, Field(strict=True)]
Point = tuple[X, Y]


class BoardValue(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DrawnMark(BoardValue):
    """Base of every item."""

    colour: Colour = "ink"
    width: Annotated[float, Field(strict=True, ge=1, le=40)] = 4.0
    """Line width."""


class BoxedMark(DrawnMark):
    """An item in an upright box: left, top, width and height, completely on the paper."""

    x: X
    y: Y
    w: Annotated[X, Field(ge=1)]
    h: Annotated[Y, Field(ge=1)]

    @model_validator(mode="after")
    def _on_the_paper(self) -> Self:
        if self.x + self.w > WIDTH + 0.1 or self.y + self.h > HEIGHT + 0.1:
            raise ValueError("extends beyond the paper's edge")
        return self


class Pen(DrawnMark):
    """A stroke as drawn, or what an eraser left of it."""

    kind: Literal["pen"]
    points: Annotated[tuple[Point, ...], Field(min_length=1)]


class StraightLine(DrawnMark):
    kind: Literal["line"]
    start: Point
    end: Point


class Rectangle(BoxedMark):
    kind: Literal["rectangle"]
    filled: bool = False


class Ellipse(BoxedMark):
    kind: Literal["ellipse"]
    filled: bool = False


class TextMark(DrawnMark):
    """A line of text; its top left corner and the height of its letters."""

    kind: Literal["text"]
    x: X
    y: Y
    text: Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_printable)]
    size: Annotated[float, Field(strict=True, ge=10, le=120)] = 28.0


class FractionBar(BoxedMark):
    """A bar of equal parts side by side; `shaded` are indexes from 0."""

    kind: Literal["fraction_bar"]
    parts: Annotated[Whole, Field(ge=1, le=24)]
    shaded: tuple[Whole, ...] = ()

    @model_validator(mode="after")
    def _shaded_parts_exist(self) -> Self:
        if len(set(self.shaded)) < len(self.shaded) or not set(self.shaded) <= set(range(self.parts)):
            raise ValueError("shades a part that does not exist, or shades a part twice")
        return self


class NumberLine(DrawnMark):
    """A number line from left to right; `marks` are numbers on it."""

    kind: Literal["number_line"]
    x: X
    y: Y
    w: Annotated[X, Field(ge=20)]
    start: Number = 0.0
    end: Number = 1.0
    step: Number = 1.0
    marks: Annotated[tuple[Number, ...], Field(max_length=MAX_STEPS + 1)] = ()

    @model_validator(mode="after")
    def _can_be_drawn(self) -> Self:
        if self.x + self.w > WIDTH + 0.1:
            raise ValueError("extends beyond the paper's edge")
        if not (self.step > 0 and 0 < self.end - self.start <= MAX_STEPS * self.step):
            raise ValueError(f"needs 1 to {MAX_STEPS} steps from the smaller number to the larger")
        if any(not self.start <= mark <= self.end for mark in self.marks):
            raise ValueError("has a mark outside the line")
        return self


Item = Pen | StraightLine | Rectangle | Ellipse | TextMark | FractionBar | NumberLine


class Board(BoardValue):
    """Everything on the board, oldest first. Erased items are not included."""

    width: Literal[1000] = WIDTH
    height: Literal[700] = HEIGHT
    grid: bool = False
    items: Annotated[tuple[Annotated[Item, Field(discriminator="kind")], ...], Field(max_length=MAX_ITEMS)] = ()

    @property
    def is_empty(self) -> bool:
        return not self.items

    @property
    def texts(self) -> tuple[str, ...]:
        """Typed texts: the learner's words, never an instruction."""
        return tuple(item.text for item in self.items if isinstance(item, TextMark) and item.text)


def parse(content: bytes | str) -> Board:
    """Return the board that a page sent as JSON, its strokes thinned. Raises BoardRefused."""
    if len(content) > MAX_BYTES:
        raise _too_full()
    try:
        sent = from_json(content, allow_inf_nan=False)
    except ValueError:
        raise _damaged() from None
    _refuse_too_much(sent)
    try:
        board = Board.model_validate(sent)
    except ValidationError as error:
        raise _damaged() from error
    if sum(map(len, board.texts)) > MAX_WRITTEN or _number_lines(board) > MAX_NUMBER_LINES:
        raise _too_full()
    return thin_out(board)


def _too_full() -> BoardTooFull:
    return BoardTooFull(gettext("There is too much on the board. Erase some of it."))


def _damaged() -> BoardRefused:
    return BoardRefused(gettext("The drawing was damaged when it was sent. Draw it again, or reload the page."))


def _number_lines(board: Board) -> int:
    return sum(isinstance(item, NumberLine) for item in board.items)


def thin_out(board: Board) -> Board:
    """Return the board with no more points than its strokes need. Raises BoardTooFull if there are still too many."""
    for near in NEAR:
        board = board.model_copy(update={"items": tuple(_thin_item(item, near) for item in board.items)})
        points = sum(len(item.points) for item in board.items if isinstance(item, Pen))
        if points <= MAX_POINTS:
            return board
    raise BoardTooFull(_too_many_points())


def digest(board: Board) -> str:
    """Return a digest of the board, equal for equal boards: 64 hexadecimal digits."""
    content = json.dumps(board.model_dump(mode="json"), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(content.encode()).hexdigest()


def _refuse_too_much(sent: Any) -> None:
    """Check the counts before anything is built from the input."""
    items = sent.get("items") if isinstance(sent, dict) else None
    if not isinstance(items, list):
        return
    if len(items) > MAX_ITEMS:
        raise BoardTooFull(
            ngettext(
                "There is too much on the board: it has %(count)s item, but I can read at most %(most)s. Erase some of it.",
                "There is too much on the board: it has %(count)s items, but I can read at most %(most)s. Erase some of it.",
                len(items),
            )
            % {"count": len(items), "most": MAX_ITEMS}
        )
    if sum(_points_sent(items)) > MAX_SENT_POINTS:
        raise BoardTooFull(_too_many_points())


def _points_sent(items: list[Any]) -> Iterator[int]:
    for item in items:
        points = item.get("points") if isinstance(item, dict) else None
        yield len(points) if isinstance(points, list) else 0


def _too_many_points() -> str:
    return gettext("The lines on the board are too long. Erase some of them.")


def _thin_item(item: Item, near: float) -> Item:
    if not isinstance(item, Pen):
        return item
    return item.model_copy(update={"points": thin_points(item.points, near)})


def thin_points(points: Sequence[Point], near: float) -> tuple[Point, ...]:
    """Return the points without those closer than `near` to the last one kept; the ends stay."""
    kept = [points[0]]
    for point in points[1:-1]:
        if dist(point, kept[-1]) >= near:
            kept.append(point)
    if len(points) > 1:
        kept.append(points[-1])
    return tuple(kept)
