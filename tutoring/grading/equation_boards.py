"""Boards of algebra: a plane for a point or a line, and a scale that shows an equation."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tutoring.grading.board_errors import require

# At 320 units a step is then 16 wide. A phone shows it as wide, and a point can still be moved step by step.
MAX_STEPS = 20
# As many as fit on a pan in rows of boxes and weights. Chosen by eye.
MAX_BOXES = 6
MAX_WEIGHTS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """An axis from `start` to `end`, with a line of the grid at each step."""

    start: Fraction
    end: Fraction
    step: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        require(abs(self.start) <= 1000 and abs(self.end) <= 1000, "an axis can go to at most 1000")
        require(self.start < self.end and self.step > 0, "an axis must go up, in steps above 0")
        steps = (self.end - self.start) / self.step
        require(steps.denominator == 1 and steps <= MAX_STEPS, f"an axis must have 1 to {MAX_STEPS} whole steps")

    def numbers(self) -> tuple[Fraction, ...]:
        """Return the number at each line of the grid."""
        return tuple(self.start + self.step * index for index in range(int((self.end - self.start) / self.step) + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class PointBoard:
    """A plane on whose grid a point is put."""

    kind: Literal["point"] = "point"
    x: Axis
    y: Axis


@dataclass(frozen=True, slots=True, kw_only=True)
class LineBoard:
    """A plane on which two points of the grid make a line."""

    kind: Literal["line"] = "line"
    x: Axis
    y: Axis


@dataclass(frozen=True, slots=True, kw_only=True)
class Pan:
    """What lies on one side of a scale: boxes of the same unknown weight, and weights of 1."""

    x: int = 0
    ones: int = 0

    def __post_init__(self) -> None:
        require(0 <= self.x <= MAX_BOXES, f"a side of the scale can have at most {MAX_BOXES} boxes")
        require(0 <= self.ones <= MAX_WEIGHTS, f"a side of the scale can have at most {MAX_WEIGHTS} weights")

    def __str__(self) -> str:
        boxes = f"{self.x}x" if self.x > 1 else "x" * self.x
        return " + ".join(filter(None, (boxes, str(self.ones) if self.ones or not boxes else "")))


@dataclass(frozen=True, slots=True, kw_only=True)
class BalanceBoard:
    """A scale in balance, to be emptied on both sides until one box stands alone."""

    kind: Literal["balance"] = "balance"
    left: Pan
    right: Pan

    def __post_init__(self) -> None:
        require(self.left.x != self.right.x, "the two sides must have different numbers of boxes")
        require(self.value.denominator == 1, f"a box would weigh {self.value}; it must weigh a whole number")
        require(0 <= self.value <= MAX_WEIGHTS, f"a box would weigh {self.value}; it must weigh 0 to {MAX_WEIGHTS}")
        require({self.left, self.right} != {Pan(x=1), Pan(ones=int(self.value))}, "one box already stands alone")

    @property
    def value(self) -> Fraction:
        """What a box weighs."""
        return Fraction(self.right.ones - self.left.ones, self.left.x - self.right.x)

    def __str__(self) -> str:
        return f"{self.left} = {self.right}"
