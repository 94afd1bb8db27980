"""What a construction shows: one number, or two for a point and a line."""

from fractions import Fraction

type Shown = Fraction | tuple[Fraction, Fraction]
"""A number; of a point x and y; of a line slope and intercept."""


def shown_text(shown: Shown) -> str:
    """Return it as it stands in keys: "5/4", or "2, -1"."""
    return ", ".join(map(str, shown)) if isinstance(shown, tuple) else str(shown)


def read_shown(text: str) -> Shown:
    """Return what `shown_text` wrote. Raises ValueError for anything else."""
    first, comma, second = text.partition(",")
    return (Fraction(first), Fraction(second.strip())) if comma else Fraction(first)


def pair_of(text: str) -> tuple[Fraction, Fraction]:
    """Return the two numbers of a point or a line. Raises ValueError for one number."""
    shown = read_shown(text)
    if not isinstance(shown, tuple):
        raise ValueError("expected two numbers")
    return shown
