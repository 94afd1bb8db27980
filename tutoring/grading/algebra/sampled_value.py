"""Values of expressions at random points: exactly in a finite field, or by floats."""

import cmath
import math
import random
from collections.abc import Callable, Mapping
from fractions import Fraction

from tutoring.grading.algebra.exact_value import MAX_EXPONENT, Inexact, exact_value
from tutoring.grading.algebra.nodes import CONSTANTS, Name, Node, Number, Operation, Quantity, Unparsable

# A prime with a square root of -1, so that polynomial identities with i are tested exactly, in one machine word or two.
PRIME = 2**61 - 31
# Points are drawn for 26 variables; a 27th would share a value with the first.
_NAMES = 26


def sample_residues(names: list[str]) -> list[dict[str, int]]:
    """Return four seeded points of the finite field for these variables, with i as a root of -1."""
    i = {"i": _ROOT_OF_MINUS_ONE}
    return [{name: row[index % _NAMES] for index, name in enumerate(names)} | i for row in _RESIDUES]


def sample_points(names: list[str]) -> list[dict[str, float]]:
    """Return seeded real points for these variables; a single empty one without variables."""
    return [
        {name: row[index % _NAMES] for index, name in enumerate(names)} for row in (_REALS if names else _REALS[:1])
    ]


def residue(node: Node, at: Mapping[str, int]) -> int:
    """Return the value of a rational expression modulo the prime; raise Inexact for roots, logarithms and the like."""
    match node:
        case Number(value=value):
            return value.numerator * _inverse(value.denominator) % PRIME
        case Name(name=name) if name in at:
            return at[name]
        case Quantity(value=value):
            return residue(value, at)
        case Operation(operator="^", operands=(base, exponent)):
            return _residue_power(residue(base, at), exact_value(exponent))
        case Operation(operator=operator, operands=operands):
            return _residue_operation(operator, [residue(operand, at) for operand in operands])
        case _:
            raise Inexact


def _residue_operation(operator: str, values: list[int]) -> int:
    match operator, values:
        case "+", _:
            return sum(values) % PRIME
        case "*", _:
            product = 1
            for value in values:
                product = product * value % PRIME
            return product
        case "neg", [value]:
            return -value % PRIME
        case "/", [top, bottom]:
            return top * _inverse(bottom) % PRIME
        case "mixed", [whole, top, bottom]:
            return (whole + top * _inverse(bottom)) % PRIME
        case "%", [value]:
            return value * _inverse(100) % PRIME
        case _:
            raise Inexact


def _inverse(value: int) -> int:
    if value % PRIME == 0:
        raise ZeroDivisionError
    return pow(value, -1, PRIME)


def _residue_power(base: int, exponent: Fraction) -> int:
    if exponent.denominator != 1:
        raise Inexact
    if abs(exponent) > MAX_EXPONENT:
        raise Unparsable("too_big")
    return pow(base if exponent >= 0 else _inverse(base), abs(int(exponent)), PRIME)


def is_real(value: complex) -> bool:
    """Tell whether the imaginary part of a value is only rounding noise."""
    return abs(value.imag) <= 1e-12 * max(1.0, abs(value))


def approximate(node: Node, at: Mapping[str, float]) -> complex | None:
    """Return the complex value at a point, or None if it is undefined or out of the range of floats."""
    try:
        value = _float(node, at)
    except (ArithmeticError, ValueError, Inexact):
        return None
    return value if cmath.isfinite(value) else None


def _float(node: Node, at: Mapping[str, float]) -> complex:
    match node:
        case Number(value=value):
            return complex(float(value))
        case Name(name=name):
            return complex(at[name]) if name in at else _constant(name)
        case Quantity(value=value):
            return _float(value, at)
        case Operation(operator=operator, operands=operands):
            return _float_operation(operator, [_float(operand, at) for operand in operands])
        case _:
            raise Inexact


def _constant(name: str) -> complex:
    if name not in CONSTANTS or name == "∞":
        raise Inexact
    return {"π": complex(math.pi), "e": complex(math.e), "i": 1j}[name]


def _float_operation(operator: str, values: list[complex]) -> complex:
    match operator, values:
        case "+", _:
            return sum(values, 0j)
        case "*", _:
            return math.prod(values, start=1 + 0j)
        case "/", [top, bottom]:
            return top / bottom
        case "mixed", [whole, top, bottom]:
            return whole + top / bottom
        case "^", [base, exponent]:
            return _float_power(base, exponent)
        case "root", [value, degree]:
            return _float_power(value, 1 / degree)
        case "!", [value] if is_real(value) and 0 <= value.real <= 170 and value.real == int(value.real):
            return complex(math.gamma(value.real + 1))
        case _, [value] if operator in _FUNCTIONS:
            return _FUNCTIONS[operator](value)
        case _:
            raise Inexact


def _float_power(base: complex, exponent: complex) -> complex:
    if is_real(base) and base.real < 0 and is_real(exponent):
        ratio = Fraction(exponent.real).limit_denominator(MAX_EXPONENT)
        if ratio.denominator % 2 and ratio.denominator > 1 and abs(float(ratio) - exponent.real) < 1e-12:
            root = (-base.real) ** exponent.real  # Odd roots of negative numbers are real in class.
            return complex(-root if ratio.numerator % 2 else root)
    return base**exponent


def _real_only(function: Callable[[float], float]) -> Callable[[complex], complex]:
    def apply(value: complex) -> complex:
        if not is_real(value):
            raise Inexact
        return complex(function(value.real))

    return apply


_FUNCTIONS: dict[str, Callable[[complex], complex]] = {
    "neg": lambda value: -value, "%": lambda value: value / 100, "abs": lambda value: complex(abs(value)),
    "sqrt": lambda value: cmath.sqrt(value + 0j), "cbrt": lambda value: _float_power(value, complex(1 / 3)), "exp": cmath.exp,
    "ln": cmath.log, "log": cmath.log10,
    "sin": cmath.sin, "cos": cmath.cos, "tan": cmath.tan, "sec": lambda value: 1 / cmath.cos(value),
    "csc": lambda value: 1 / cmath.sin(value), "cot": lambda value: 1 / cmath.tan(value),
    "asin": cmath.asin, "acos": cmath.acos, "atan": cmath.atan,
    "sinh": cmath.sinh, "cosh": cmath.cosh, "tanh": cmath.tanh,
    "floor": _real_only(math.floor), "ceil": _real_only(math.ceil),
}  # fmt: skip


def _root_of_minus_one() -> int:
    return next(
        root for base in range(2, 50) if (root := pow(base, (PRIME - 1) // 4, PRIME)) * root % PRIME == PRIME - 1
    )


# Seeded, so that a verdict never changes between runs; four residues of 61 bits make a false match all but impossible.
_DICE = random.Random(20_240_601)
_ROOT_OF_MINUS_ONE = _root_of_minus_one()
_RESIDUES = [[_DICE.randrange(2, PRIME) for _ in range(_NAMES)] for _ in range(4)]
# Small, medium, large and negative values: negative ones tell √(x²) from x.
_REALS = [
    [_DICE.uniform(*bounds) for _ in range(_NAMES)]
    for bounds in [(0.2, 1.0)] * 4 + [(1.0, 4.0)] * 4 + [(4.0, 30.0)] * 2 + [(-4.0, -0.2)] * 4
]
