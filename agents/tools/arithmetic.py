"""Arithmetic of the calculator: exact numbers where possible, with limits checked before computing."""

import math
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from typing import Literal

from agents.tools import ToolFailed

type Number = int | Fraction | float
"""A float is a value that could not be kept exact."""

BITS = 1024
"""Most bits of a number, or of numerator and denominator: about 300 digits, like a float."""
SHOWN_DIGITS = 12
MOST_FACTORIAL = 170
DECIMALS = 15
"""Decimals kept of a sine: the last digit of a float is unreliable, and sin(pi) is 0."""
ROUNDED = Context(prec=SHOWN_DIGITS, rounding=ROUND_HALF_UP)


class CannotCalculate(ToolFailed):
    """There is no result; the text says why."""

    def __init__(self, kind: Literal["unreadable", "undefined", "too_large"], text: str) -> None:
        super().__init__(text)
        self.kind = kind


def too_large() -> CannotCalculate:
    return CannotCalculate(
        "too_large", "That number is too large for this calculator. It can handle up to about 300 digits."
    )


def undefined_result(what: str) -> CannotCalculate:
    return CannotCalculate("undefined", what)


def check_bounds(number: Number) -> Number:
    """Return a number that is within the limits, whole ones as int. Raises CannotCalculate otherwise."""
    if isinstance(number, float):
        if math.isnan(number) or math.isinf(number):
            raise too_large()
        return number
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > BITS:
        raise too_large()
    return number.numerator if number.denominator == 1 else number


def divide(left: Number, right: Number) -> Number:
    if right == 0:
        raise undefined_result("You can’t divide by 0.")
    if isinstance(left, float) or isinstance(right, float):
        return left / right
    return Fraction(left) / right


def whole_part(left: Number, right: Number) -> Number:
    return math.floor(divide(left, right))


def remainder(left: Number, right: Number) -> Number:
    if right == 0:
        raise undefined_result("You can’t divide by 0, so there is no remainder.")
    return left % right


def power(base: Number, exponent: Number) -> Number:
    """Return base to the exponent, exact if both are and the exponent is whole or a half."""
    if base == 0 and exponent <= 0:
        raise undefined_result("0 to the power of 0 or a negative number has no value.")
    if isinstance(exponent, Fraction) and exponent.denominator == 2:
        return power(square_root(base), exponent.numerator)
    if isinstance(exponent, int) and not isinstance(base, float):
        return _exact_power(base, exponent)
    if base < 0 and (isinstance(exponent, Fraction) or exponent != math.floor(exponent)):
        raise undefined_result("A negative number raised to a power that is not a whole number has no real value.")
    result: float = float(base) ** float(exponent)
    return result


def _exact_power(base: int | Fraction, exponent: int) -> Number:
    if base in {-1, 0, 1}:
        return base if exponent % 2 else base * base
    bits = max(base.numerator.bit_length(), base.denominator.bit_length()) - 1
    if bits * abs(exponent) > BITS:
        raise too_large()
    return Fraction(base) ** exponent


def square_root(number: Number) -> Number:
    if number < 0:
        raise undefined_result("A negative number has no real square root.")
    if not isinstance(number, float):
        above, below = math.isqrt(number.numerator), math.isqrt(number.denominator)
        if above * above == number.numerator and below * below == number.denominator:
            return Fraction(above, below)
    return math.sqrt(number)


def round_number(number: Number, places: Number = 0) -> Number:
    """Return the number rounded to decimal places, halves away from 0: as taught in school, unlike Python."""
    count = require_whole(places)
    if abs(count) > 300:
        raise too_large()
    scaled = Fraction(number) * Fraction(10) ** count
    return Fraction(int(abs(scaled) + Fraction(1, 2)) * (1 if scaled > 0 else -1)) / Fraction(10) ** count


def require_whole(number: Number) -> int:
    """Return the number as int. Raises CannotCalculate if it is not whole."""
    if number != math.floor(number):
        raise undefined_result("That only works for whole numbers.")
    return int(number)


def factorial(number: Number) -> Number:
    count = require_whole(number)
    if count < 0:
        raise undefined_result("A negative number has no factorial.")
    if count > MOST_FACTORIAL:
        raise too_large()
    return math.factorial(count)


def logarithm(number: Number, base: Number = 10) -> Number:
    """Return the logarithm, to base 10 by default."""
    if number <= 0 or base <= 0 or base == 1:
        raise undefined_result("That logarithm has no value: both numbers must be above 0, and the base can’t be 1.")
    return math.log10(number) if base == 10 else math.log(number) / math.log(base)


def natural_logarithm(number: Number) -> Number:
    if number <= 0:
        raise undefined_result("Only a number greater than 0 has a logarithm.")
    return math.log(number)


def sine(angle: Number) -> Number:
    return round(math.sin(angle), DECIMALS)


def cosine(angle: Number) -> Number:
    return round(math.cos(angle), DECIMALS)


def tangent(angle: Number) -> Number:
    if cosine(angle) == 0:
        raise undefined_result("The tangent has no value there.")
    return round(math.tan(angle), DECIMALS)


FUNCTIONS: Mapping[str, tuple[Callable[..., Number], int, int]] = {
    "sqrt": (square_root, 1, 1),
    "abs": (abs, 1, 1),
    "round": (round_number, 1, 2),
    "floor": (math.floor, 1, 1),
    "ceil": (math.ceil, 1, 1),
    "min": (min, 2, 50),
    "max": (max, 2, 50),
    "gcd": (lambda *numbers: math.gcd(*map(require_whole, numbers)), 2, 50),
    "lcm": (lambda *numbers: math.lcm(*map(require_whole, numbers)), 2, 50),
    "factorial": (factorial, 1, 1),
    "sin": (sine, 1, 1),
    "cos": (cosine, 1, 1),
    "tan": (tangent, 1, 1),
    "log": (logarithm, 1, 2),
    "ln": (natural_logarithm, 1, 1),
    "exp": (math.exp, 1, 1),
}
"""Name → function, and the least and most numbers it takes. Angles are in radians."""
CONSTANTS: Mapping[str, float] = {"pi": math.pi, "e": math.e}


def as_fraction(number: Number) -> str | None:
    """Return the exact number, "7/2" or "224"; None if it is not exact."""
    return None if isinstance(number, float) else str(number)


def as_decimal(number: Number) -> tuple[str, bool]:
    """Return the number with a decimal point and at most 12 digits, and whether it was rounded; whole ones in full."""
    if isinstance(number, int):
        return str(number), False
    shown = (
        ROUNDED.create_decimal(number)
        if isinstance(number, float)
        else ROUNDED.divide(Decimal(number.numerator), Decimal(number.denominator))
    )
    is_rounded = isinstance(number, float) or Fraction(shown) != number
    digits = shown.normalize(ROUNDED)
    return (f"{digits:f}" if -8 < digits.adjusted() < 15 else f"{digits:e}"), is_rounded
