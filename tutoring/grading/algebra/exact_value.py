"""The rational value of an expression, with bounded work."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from tutoring.grading.algebra.nodes import Node, Number, Operation, Quantity, Unparsable

# School powers are smaller; 2^64 still fits, 9^9^9 is refused. _MAX_BITS bounds what products of powers may grow to
# (some 1,200 digits), and 20! is the last factorial below 2^64.
MAX_EXPONENT = 64
_MAX_BITS = 4096
_MAX_FACTORIAL = 20


class Inexact(Exception):
    """The value is no rational number, or depends on a variable."""


def exact_value(node: Node) -> Fraction:
    """Return the rational value of an expression without variables.

    Raises Inexact if it is irrational or has a variable, Unparsable("too_big" | "division_by_zero") if it has none.
    """
    match node:
        case Number(value=value):
            return value
        case Quantity(value=value):
            return exact_value(value)
        case Operation(operator=operator, operands=operands):
            return _bounded(_exact_operation(operator, [exact_value(operand) for operand in operands]))
        case _:
            raise Inexact


def _exact_operation(operator: str, values: list[Fraction]) -> Fraction:
    match operator, values:
        case "+", _:
            return sum(values, Fraction(0))
        case "*", _:
            return math.prod(values, start=Fraction(1))
        case "/", [top, bottom]:
            return top / _divisor(bottom)
        case "mixed", [whole, top, bottom]:
            return whole + top / _divisor(bottom)
        case "^", [base, exponent]:
            return _exact_power(base, exponent)
        case "root", [value, degree] if degree.denominator == 1 and 2 <= degree <= MAX_EXPONENT:
            return _exact_root(value, int(degree))
        case _, [value] if operator in _FUNCTIONS:
            return _FUNCTIONS[operator](value)
        case _:
            raise Inexact


def _bounded(value: Fraction) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > _MAX_BITS:
        raise Unparsable("too_big")
    return value


def _divisor(value: Fraction) -> Fraction:
    if value == 0:
        raise Unparsable("division_by_zero")
    return value


def _factorial_of(value: Fraction) -> int:
    if value.denominator != 1 or value < 0:
        raise Inexact
    if value > _MAX_FACTORIAL:
        raise Unparsable("too_big")
    return int(value)


def _exact_power(base: Fraction, exponent: Fraction) -> Fraction:
    if abs(exponent) > MAX_EXPONENT:
        raise Unparsable("too_big")
    if exponent < 0:
        base, exponent = 1 / _divisor(base), -exponent
    if exponent.denominator > 1:
        if exponent.denominator > MAX_EXPONENT:
            raise Inexact
        base = _exact_root(base, exponent.denominator)
    if (base.numerator.bit_length() + base.denominator.bit_length()) * exponent.numerator > 2 * _MAX_BITS:
        raise Unparsable("too_big")
    return base**exponent.numerator


def _exact_root(value: Fraction, degree: int) -> Fraction:
    if value < 0 and degree % 2 == 0:
        raise Inexact
    top, bottom = _whole_root(abs(value.numerator), degree), _whole_root(value.denominator, degree)
    return Fraction(top if value >= 0 else -top, bottom)


def _whole_root(value: int, degree: int) -> int:
    # Above 2^1000 a float cannot hold the value; such roots count as inexact.
    root = math.isqrt(value) if degree == 2 else round(value ** (1 / degree)) if value < 2**1000 else -1
    if root < 0 or root**degree != value:
        raise Inexact
    return root


_FUNCTIONS: Final[Mapping[str, Callable[[Fraction], Fraction]]] = {
    "neg": lambda value: -value,
    "%": lambda value: value / 100,
    "!": lambda value: Fraction(math.factorial(_factorial_of(value))),
    "abs": abs,
    "floor": lambda value: Fraction(math.floor(value)),
    "ceil": lambda value: Fraction(math.ceil(value)),
    "sqrt": lambda value: _exact_root(value, 2),
    "cbrt": lambda value: _exact_root(value, 3),
}
