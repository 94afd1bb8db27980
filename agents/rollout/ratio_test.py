"""Is the difference between two groups of people more than chance? A test of ratios such as failures per turn."""

from dataclasses import dataclass
from math import erfc, inf, sqrt
from typing import Final

MOST_CHANCE: Final = 0.05
"""A difference is named only if chance would give one as large less often than this."""
FEWEST_PEOPLE: Final = 30
"""On each side. With fewer, the test's normal approximation is not to be relied on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatioSums:
    """One group's sums over its people: each has a `value`, such as failed turns, and an `of`, such as turns."""

    people: int = 0
    value: float = 0.0
    of: float = 0.0
    value_squares: float = 0.0
    of_squares: float = 0.0
    products: float = 0.0
    """The sum of each person's value times their `of`."""

    @property
    def ratio(self) -> float | None:
        """The group's values over its `of`s; None without any."""
        return self.value / self.of if self.of else None

    @property
    def variance(self) -> float:
        """The variance of the ratio, by the delta method; infinite for fewer than two people.

        Its unit is the person: one person's turns resemble each other, and counting each turn as a witness of its own
        would find differences that are none (Deng, Knoblich, Lu: "Applying the delta method in metric analytics", 2018).
        """
        ratio = self.ratio
        if ratio is None or self.people < 2:
            return inf
        squares = self.value_squares - 2 * ratio * self.products + ratio**2 * self.of_squares
        return max(0.0, squares) * self.people / (self.people - 1) / self.of**2


def chance_of(one: RatioSums, other: RatioSums) -> float | None:
    """Return the probability (0–1) that chance alone gives ratios at least this far apart; two-sided z-test.

    None if a side has fewer than FEWEST_PEOPLE. For a share with one turn a person it is the two-proportion z-test.
    """
    if min(one.people, other.people) < FEWEST_PEOPLE or one.ratio is None or other.ratio is None:
        return None
    apart, spread = abs(one.ratio - other.ratio), sqrt(one.variance + other.variance)
    if spread == 0:
        return 1.0 if apart == 0 else 0.0
    return erfc(apart / spread / sqrt(2))
