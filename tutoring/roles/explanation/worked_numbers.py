"""Numbers and bars of worked calculations."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from tutoring.courses.exercises.picture_plans import draw_plan
from tutoring.courses.picture_plans import PicturePlan, StripPlan
from tutoring.courses.pictures import Picture

MOST_PARTS: Final = 24
"""More parts than this cannot be told apart at a glance."""
MOST_BARS: Final = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkedCalculation:
    """A calculation with its lines, one sentence each, and a picture where it helps."""

    lines: tuple[str, ...]
    picture: Picture | None = None


def write_fraction(top: int, bottom: int) -> str:
    """Return a fraction as it is written, not reduced; a whole number over 1 without its bottom."""
    sign = "−" if top < 0 else ""
    return f"{sign}{abs(top)}" if bottom == 1 else f"{sign}{abs(top)}/{bottom}"


def write_mixed(value: Fraction) -> str:
    """Return a value as a mixed number: "1 3/4"; one below 1 as a fraction."""
    whole, rest = divmod(abs(value.numerator), value.denominator)
    written = (
        f"{whole} {rest}/{value.denominator}"
        if whole and rest
        else write_fraction(abs(value.numerator), value.denominator)
    )
    return f"−{written}" if value < 0 else written


def result_chain(made: str, value: Fraction) -> str:
    """Return a result, in lowest terms, and as a mixed number if it is greater than a whole: "6/4 = 3/2 = 1 1/2"."""
    return " = ".join(dict.fromkeys((made, write_fraction(value.numerator, value.denominator), write_mixed(value))))


def draw_bars(bars: Iterable[tuple[int, int]], *, labels: bool = True) -> Picture | None:
    """Return (shaded, parts) as bars one above the other, or one bar; None if they cannot be told apart, or are more than a whole."""
    drawn = list(bars)
    if not 0 < len(drawn) <= MOST_BARS or not all(0 < top <= bottom <= MOST_PARTS for top, bottom in drawn):
        return None
    if len(drawn) == 1:
        return draw_plan(PicturePlan(kind="bar", parts=str(drawn[0][1]), shaded=str(drawn[0][0])), {})
    strips = (
        StripPlan(parts=str(bottom), shaded=str(top), label=write_fraction(top, bottom) if labels else "")
        for top, bottom in drawn
    )
    return draw_plan(PicturePlan(kind="compare", bars=tuple(strips)), {})


def draw_wholes(top: int, bottom: int) -> Picture | None:
    """Return a number of parts as one bar for each whole that they need."""
    if bottom < 2 or top > MOST_BARS * bottom:
        return None
    return draw_bars([(min(bottom, top - begun), bottom) for begun in range(0, top, bottom)], labels=False)
