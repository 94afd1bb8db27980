"""Conversions and comparisons of numbers as short expressions: "simplest 6/8", "3/4 = ?/12", "2/3 of 12", "3/4 ? 2/3"."""

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, get_args

NumberForm = Literal["simplest", "mixed", "improper", "fraction", "decimal", "percent"]
"""What a number is rewritten as."""
NUMBER_FORMS: Final[tuple[NumberForm, ...]] = get_args(NumberForm)
ConversionKind = Literal[NumberForm, "missing", "share", "comparison"]

# Learners' numbers are short: four digits a part, three decimals. Longer ones are codes or dates.
FRACTION: Final = r"(?:\d{1,4} )?\d{1,4}\s?/\s?\d{1,4}"
DECIMAL: Final = r"\d{0,4}\.\d{1,3}"
PERCENT: Final = r"(?:\d{1,4}(?:\.\d{1,3})?|\.\d{1,3})\s?(?:%|percent\b)"
REPEATING: Final = r"\d{0,4}\.\d{2,6}(?:\.{2,3}|…)"
WRITTEN: Final = rf"(?:{FRACTION}|{PERCENT}|{REPEATING}|{DECIMAL}|\d{{1,4}})"
"""A number as learners write it: mixed, a fraction, a percentage, a decimal, also one without end, or a whole number."""
_REPEATED = re.compile(r"(\d{0,4})\.(\d*?)(\d{1,3})\3+(?:\.{2,3}|…)")
_REWRITTEN = re.compile(rf"({'|'.join(NUMBER_FORMS)}) ({WRITTEN})")
_MISSING = re.compile(rf"({FRACTION}) = (\?/\d{{1,4}}|\d{{1,4}}/\?)")
_SHARE = re.compile(rf"({WRITTEN}) of ({WRITTEN})")
_COMPARISON = re.compile(rf"({WRITTEN}) \? ({WRITTEN})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """One conversion; the numbers are as they were written.

    missing: the fraction, and the other with a "?" for its unknown part. share: the part, and what it is of.
    """

    kind: ConversionKind
    numbers: tuple[str, ...]

    def __str__(self) -> str:
        match self.kind:
            case "missing":
                return " = ".join(self.numbers)
            case "share":
                return " of ".join(self.numbers)
            case "comparison":
                return " ? ".join(self.numbers)
        return f"{self.kind} {self.numbers[0]}"


def parse_conversion(expression: str) -> Conversion | None:
    """Return the conversion that an expression writes, or None."""
    if found := _REWRITTEN.fullmatch(expression):
        return Conversion(kind=next(each for each in NUMBER_FORMS if each == found[1]), numbers=(found[2],))
    patterns: tuple[tuple[ConversionKind, re.Pattern[str]], ...] = (
        ("missing", _MISSING), ("share", _SHARE), ("comparison", _COMPARISON),
    )  # fmt: skip
    read = ((kind, pattern.fullmatch(expression)) for kind, pattern in patterns)
    return next((Conversion(kind=kind, numbers=(found[1], found[2])) for kind, found in read if found), None)


def value_of(number: str) -> Fraction | None:
    """Return the value of a number as `WRITTEN` matches it; None for a fraction with 0 at the bottom."""
    if re.fullmatch(PERCENT, number):
        return Fraction(re.sub(r"\s?(?:%|percent)", "", number)) / 100
    if re.fullmatch(REPEATING, number):
        return Fraction(*repeating_parts(number))
    whole, _space, rest = re.sub(r"\s?/\s?", "/", number).rpartition(" ")
    top, slash, bottom = rest.partition("/")
    if slash and not int(bottom):
        return None
    return int(whole or 0) + (Fraction(int(top), int(bottom)) if slash else Fraction(rest))


def repeating_parts(number: str) -> tuple[int, int]:
    """Return the top and the bottom of a decimal without end: 0.333... is 3/9; without a repeated part it ends there."""
    found = _REPEATED.fullmatch(number)
    if found is None:
        value = Fraction(number.rstrip(".…"))
        return value.numerator, value.denominator
    whole, before, block = found.groups()
    return int(whole + before + block) - int(whole + before or 0), (10 ** len(block) - 1) * 10 ** len(before)


def missing_number(conversion: Conversion) -> Fraction | None:
    """Return what stands for the "?" of "3/4 = ?/12"; None if nothing can."""
    value = value_of(conversion.numbers[0])
    top, _slash, bottom = conversion.numbers[1].partition("/")
    if value is None or "0" in {top.lstrip("0") or "0", bottom.lstrip("0") or "0"}:
        return None
    if top == "?":
        return value * int(bottom)
    return int(top) / value if value else None
