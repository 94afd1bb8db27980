"""A number in the many ways in which it can be said."""

from collections.abc import Callable
from fractions import Fraction

_UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["_", "_", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_PARTS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 8: "eighth", 9: "ninth", 12: "twelfth", 20: "twentieth"}
_GLYPHS = {"1/2": "½", "1/3": "⅓", "2/3": "⅔", "1/4": "¼", "3/4": "¾", "1/5": "⅕", "1/6": "⅙", "1/8": "⅛", "5/8": "⅝"}
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]


def in_words(number: Fraction) -> str:
    """Spell a number out: three quarters, minus two, one and a half is "three halves"."""
    if number < 0:
        return f"minus {in_words(-number)}"
    if number.denominator == 1:
        return _whole_in_words(number.numerator)
    part = _part(number.denominator)
    if number.numerator != 1:
        part = "halves" if part == "half" else f"{part}s"
    return f"{_whole_in_words(number.numerator)} {part}"


def _whole_in_words(number: int) -> str:
    if number < 20:
        return _UNITS[number]
    if number < 100:
        tens, units = divmod(number, 10)
        return _TENS[tens] + (f"-{_UNITS[units]}" if units else "")
    return str(number)


def _part(denominator: int) -> str:
    if denominator in _PARTS:
        return _PARTS[denominator]
    words = _whole_in_words(denominator)
    return f"{words[:-1]}ieth" if words.endswith("y") else f"{words}th"


def _decimal(number: Fraction) -> str:
    return f"{float(number):.4g}"


def _as_sum(number: Fraction) -> str:
    part = Fraction(1, number.denominator)
    return f"{number - part} + {part}"


WAYS: tuple[Callable[[Fraction], str], ...] = (
    str,
    in_words,
    _decimal,
    lambda number: f"{float(number * 100):.4g} %",
    lambda number: f"{float(number * 100):.4g} percent",
    lambda number: rf"$\frac{{{number.numerator}}}{{{number.denominator}}}$",
    lambda number: rf"\({number.numerator}/{number.denominator}\)",
    lambda number: f"{2 * number.numerator}/{2 * number.denominator}",
    lambda number: f"{number.numerator} over {number.denominator}",
    lambda number: f"{number.numerator} out of {number.denominator}",
    lambda number: f"{number.numerator} ÷ {number.denominator}",
    lambda number: f"**{number.numerator}**/**{number.denominator}**",
    lambda number: f"{number.numerator} ⁄ {number.denominator}",
    lambda number: _GLYPHS.get(str(number), str(number)),
    lambda number: _decimal(number).replace(".", ","),
    _as_sum,
)
"""Plain first."""
