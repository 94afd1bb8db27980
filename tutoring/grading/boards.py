"""Boards: what is drawn for questions that are answered by doing something to a picture."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from tutoring.grading.board_errors import BoardError, require
from tutoring.grading.equation_boards import BalanceBoard, LineBoard, PointBoard

__all__ = [
    "Board",
    "BoardError",
    "BoardKind",
    "BuildBoard",
    "CombineBoard",
    "CutBoard",
    "NumberBoard",
    "PlaceBoard",
    "PlaneBoard",
    "ShadeBoard",
    "ShareBoard",
    "board_from_json",
    "board_to_json",
]  # fmt: skip

type NumberBoard = ShadeBoard | CutBoard | PlaceBoard | BuildBoard | ShareBoard | CombineBoard | BalanceBoard
"""Boards that show one number."""
type PlaneBoard = PointBoard | LineBoard
"""Boards that show two numbers: those of a point, or slope and intercept of a line."""
type Board = NumberBoard | PlaneBoard
type BoardKind = Literal["shade", "cut", "place", "build", "share", "combine", "point", "line", "balance"]

# At 320 units a part of a bar or a circle is then 13 wide; a grid has parts in both directions. All chosen by eye.
MAX_PARTS = 24
MAX_ROWS = 12
MAX_EQUAL_PARTS = 12
MAX_TICKS = 60
MAX_COMMON_PARTS = 60
MAX_WHOLES = 4
MAX_UNIT = 24
MAX_DEALT = 96
MAX_PEOPLE = 8
MAX_NUMBER = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ShadeBoard:
    """Equal parts to shade: of a bar, a circle, or a grid (row by row). `shaded` are indexes from 0, at the start."""

    kind: Literal["shade"] = "shade"
    shape: Literal["bar", "circle", "grid"]
    parts: int = 0
    rows: int = 1
    columns: int = 1
    shaded: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.shape == "grid":
            require(
                1 <= self.rows <= MAX_ROWS and 1 <= self.columns <= MAX_ROWS,
                "a grid must have 1 to 12 rows and columns",
            )
        require(self.count >= 2, "a board to shade must have at least two parts")
        require(self.shape == "grid" or self.count <= MAX_PARTS, f"a bar or circle can have at most {MAX_PARTS} parts")
        fits = all(0 <= index < self.count for index in self.shaded)
        require(fits and len(set(self.shaded)) == len(self.shaded), "shaded parts must be different indexes, from 0")

    @property
    def count(self) -> int:
        """How many parts there are."""
        return self.rows * self.columns if self.shape == "grid" else self.parts


@dataclass(frozen=True, slots=True, kw_only=True)
class CutBoard:
    """A bar to cut across, or a circle to cut from its center; a circle has one cut already, at the top."""

    kind: Literal["cut"] = "cut"
    shape: Literal["bar", "circle"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceBoard:
    """A number line in `ticks` equal steps, on whose marks a point is placed."""

    kind: Literal["place"] = "place"
    start: Fraction
    end: Fraction
    ticks: int

    def __post_init__(self) -> None:
        require(
            -MAX_NUMBER <= self.start < self.end <= MAX_NUMBER, "a number line must go up, and at most to a million"
        )
        require(1 <= self.ticks <= MAX_TICKS, f"a number line must have 1 to {MAX_TICKS} steps")

    @property
    def step(self) -> Fraction:
        return (self.end - self.start) / self.ticks

    def places(self) -> tuple[Fraction, ...]:
        """Return the value of each mark."""
        return tuple(self.start + self.step * tick for tick in range(self.ticks + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildBoard:
    """Pieces to lay into a frame that is `length` wholes long, any number of each."""

    kind: Literal["build"] = "build"
    pieces: tuple[Fraction, ...]
    length: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        require(1 <= len(self.pieces) <= 6, "a board to build on must have one to six pieces")
        require(len(set(self.pieces)) == len(self.pieces), "pieces must have different sizes")
        drawn = all(piece > 0 and piece.denominator <= MAX_UNIT for piece in self.pieces)
        require(drawn, f"pieces must be above 0, with a denominator of at most {MAX_UNIT}")
        require(
            max(self.pieces) <= self.length <= MAX_WHOLES,
            f"a frame must be at least as long as the longest piece, and at most {MAX_WHOLES}",
        )
        require(min(self.pieces) < self.length, "one piece must not fill the frame")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareBoard:
    """Things, each cut into `cut` equal parts (1: not cut), to be dealt to people."""

    kind: Literal["share"] = "share"
    things: int
    people: int
    cut: int = 1

    def __post_init__(self) -> None:
        require(2 <= self.people <= MAX_PEOPLE, f"things must be shared by 2 to {MAX_PEOPLE} people")
        require(self.things >= 1 and self.cut >= 1, "there must be at least one thing, in at least one part")
        require(self.total <= MAX_DEALT, f"there can be at most {MAX_DEALT} parts to share")

    @property
    def total(self) -> int:
        """How many parts there are to share."""
        return self.things * self.cut

    @property
    def letters(self) -> str:
        """The people, a letter each."""
        return "ABCDEFGH"[: self.people]


@dataclass(frozen=True, slots=True, kw_only=True)
class CombineBoard:
    """Two bars to cut into one common number of parts, and to add or to take away."""

    kind: Literal["combine"] = "combine"
    first: Fraction
    sign: Literal["+", "-"]
    second: Fraction

    def __post_init__(self) -> None:
        require(0 < self.first <= 1 and 0 < self.second <= 1, "each bar must show more than 0, and at most 1")
        require(
            self.sign == "+" or self.second <= self.first,
            "the second bar must not show more than the first if it is taken away",
        )
        common = math.lcm(self.first.denominator, self.second.denominator)
        require(
            common <= MAX_COMMON_PARTS, f"the bars must have a common number of parts of at most {MAX_COMMON_PARTS}"
        )

    @property
    def value(self) -> Fraction:
        return self.first + self.second if self.sign == "+" else self.first - self.second


def board_to_json(board: Board) -> dict[str, Any]:
    """Return the board as JSON values, with its kind."""
    data: dict[str, Any] = _adapter().dump_python(board, mode="json")
    return data


def board_from_json(data: Mapping[str, Any]) -> Board:
    """Return the board that `board_to_json` wrote. Raises ValueError for anything else."""
    return _adapter().validate_python(data)


@cache
def _adapter() -> TypeAdapter[Board]:
    return TypeAdapter(Annotated[Board, Field(discriminator="kind")])
