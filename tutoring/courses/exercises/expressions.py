"""The safe expression language of course files: exact numbers, comparisons and a few functions.

Course authors write `lcm(b,d)` or `a < b and gcd(a,b) == 1`; a small Pratt parser reads it and nothing is ever
handed to Python's own evaluator. Length, depth and the size of every number are bounded.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import assert_never

from tutoring.courses.exercises.expression_syntax import (
    MAX_BITS,
    BinaryOperation,
    Comparison,
    Exact,
    ExpressionError,
    FunctionCall,
    NameReference,
    Node,
    NumberLiteral,
    UnaryOperation,
    WordLiteral,
    arguments_of,
    bounded,
    calls_in,
    names_in,
    parse,
    split_arguments,
)

__all__ = [
    "FUNCTIONS",
    "MAX_BITS",
    "Exact",
    "ExpressionError",
    "Function",
    "SurfaceFraction",
    "Value",
    "arguments_of",
    "calls_in",
    "evaluate",
    "names_in",
    "split_arguments",
    "text_of",
    "to_condition",
    "to_number",
]  # fmt: skip

# As in the grader (exact_value.MAX_EXPONENT); choose(200, 100) still fits MAX_BITS.
MAX_EXPONENT = 64
MAX_CHOOSE = 200
FUNCTIONS = frozenset({"gcd", "lcm", "min", "max", "abs", "floor", "frac", "round", "choose"})


@dataclass(frozen=True, slots=True, kw_only=True)
class SurfaceFraction:
    """A fraction as written: 4/8 stays 4/8. In calculations it counts by its value."""

    numerator: int
    denominator: int

    @property
    def value(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)


type Value = Exact | bool | SurfaceFraction | str
type Function = Callable[[], bool]
type _Names = Mapping[str, Value]
type _Functions = Mapping[str, Function]
type _Calculation = Callable[[_Names, _Functions], Value]

_NO_FUNCTIONS: _Functions = {}


def evaluate(expression: str, names: Mapping[str, Value], *, functions: Mapping[str, Function] | None = None) -> Value:
    """Return the expression's value with `names` filled in.

    `functions` adds named conditions without arguments, such as `distinct_malrules`.
    Raises ExpressionError, and nothing else, whatever the text.
    """
    return _compiled(expression)(names, functions or _NO_FUNCTIONS)


def to_number(value: Value) -> Exact:
    """Return the value as an exact number. Raises ExpressionError for words and conditions."""
    match value:
        case bool() | str():
            raise ExpressionError(f"expected a number, found {text_of(value)}")
        case SurfaceFraction():
            return value.value
        case _:
            return value


def to_condition(value: Value) -> bool:
    """Return the value as a condition. Raises ExpressionError for numbers and words."""
    if isinstance(value, bool):
        return value
    raise ExpressionError(f"expected a condition, found {text_of(value)}")


def text_of(value: Value) -> str:
    """Return the value as a learner reads it: 3, 3/4, or 4/8 for an unreduced surface form."""
    match value:
        case bool():
            return "true" if value else "false"
        case SurfaceFraction():
            return f"{value.numerator}/{value.denominator}"
        case _:
            return str(value)


@lru_cache(maxsize=4096)
def _compiled(expression: str) -> _Calculation:
    """Return the compiled expression. Cached: a course evaluates the same few texts many thousand times."""
    return _calculation(parse(expression))


def _calculation(node: Node) -> _Calculation:
    match node:
        case NumberLiteral(value):
            return _constant(value.numerator if value.denominator == 1 else value)
        case WordLiteral(text):
            return _constant(text)
        case NameReference(name):
            return _named(name)
        case UnaryOperation(sign, operand):
            return _signed(sign, _calculation(operand))
        case BinaryOperation("and" | "or" as word, left, right):
            return _joined(word, _calculation(left), _calculation(right))
        case BinaryOperation(sign, left, right):
            return _binary(_OPERATIONS[sign], _calculation(left), _calculation(right))
        case Comparison(operands, signs):
            return _comparison(signs, [_calculation(operand) for operand in operands])
        case FunctionCall(function, arguments):
            return _call(function, [_calculation(argument) for argument in arguments])
    assert_never(node)


def _constant(value: Value) -> _Calculation:
    return lambda names, functions: value


def _named(name: str) -> _Calculation:
    def named(names: _Names, functions: _Functions) -> Value:
        if name not in names:
            raise ExpressionError(f"unknown name {name!r}")
        return names[name]

    return named


def _signed(sign: str, operand: _Calculation) -> _Calculation:
    match sign:
        case "not":
            return lambda names, functions: not to_condition(operand(names, functions))
        case "-":
            return lambda names, functions: -to_number(operand(names, functions))
        case _:
            return lambda names, functions: to_number(operand(names, functions))


def _joined(word: str, left: _Calculation, right: _Calculation) -> _Calculation:
    if word == "and":
        return lambda names, functions: to_condition(left(names, functions)) and to_condition(right(names, functions))
    return lambda names, functions: to_condition(left(names, functions)) or to_condition(right(names, functions))


def _binary(calculate: Callable[[Exact, Exact], Exact], left: _Calculation, right: _Calculation) -> _Calculation:
    return lambda names, functions: bounded(
        calculate(to_number(left(names, functions)), to_number(right(names, functions)))
    )


def _comparison(signs: Sequence[str], operands: Sequence[_Calculation]) -> _Calculation:
    tests = [_COMPARED[sign] for sign in signs]

    def compared(names: _Names, functions: _Functions) -> bool:
        values = [operand(names, functions) for operand in operands]
        return all(test(left, right) for test, left, right in zip(tests, values, values[1:], strict=False))

    return compared


def _call(function: str, arguments: Sequence[_Calculation]) -> _Calculation:
    if function == "choose" and len(arguments) == 3:
        condition, chosen, other = arguments
        return lambda names, functions: (chosen if to_condition(condition(names, functions)) else other)(
            names, functions
        )

    def called(names: _Names, functions: _Functions) -> Value:
        if function in functions and not arguments:
            return functions[function]()
        return _applied(function, [to_number(argument(names, functions)) for argument in arguments])

    return called


def _quotient(left: Exact, right: Exact) -> Exact:
    quotient = Fraction(left, _divisor(right))
    return quotient.numerator if quotient.denominator == 1 else quotient


def _remainder(left: Exact, right: Exact) -> Exact:
    return left % _divisor(right)


def _divisor(value: Exact) -> Exact:
    if value == 0:
        raise ExpressionError("division by zero")
    return value


def _power(base: Exact, exponent: Exact) -> Exact:
    if exponent.denominator != 1 or not -MAX_EXPONENT <= exponent <= MAX_EXPONENT:
        raise ExpressionError(f"an exponent must be a whole number up to {MAX_EXPONENT}")
    if base == 0 and exponent < 0:
        raise ExpressionError("division by zero")
    return Fraction(Fraction(base) ** int(exponent))


_OPERATIONS: Mapping[str, Callable[[Exact, Exact], Exact]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": _quotient,
    "%": _remainder,
    "^": _power,
}


def _same(left: Value, right: Value) -> bool:
    if isinstance(left, (str, bool)) or isinstance(right, (str, bool)):
        return left == right
    return to_number(left) == to_number(right)


_COMPARED: Mapping[str, Callable[[Value, Value], bool]] = {
    "==": _same,
    "!=": lambda left, right: not _same(left, right),
    "<": lambda left, right: to_number(left) < to_number(right),
    "<=": lambda left, right: to_number(left) <= to_number(right),
    ">": lambda left, right: to_number(left) > to_number(right),
    ">=": lambda left, right: to_number(left) >= to_number(right),
}


def _applied(function: str, arguments: Sequence[Exact]) -> Value:
    match function, arguments:
        case "gcd", [_, *_]:
            return math.gcd(*map(_whole, arguments))
        case "lcm", [_, *_]:
            return bounded(math.lcm(*map(_whole, arguments)))
        case "min", [_, *_]:
            return min(arguments)
        case "max", [_, *_]:
            return max(arguments)
        case "abs", [value]:
            return max(value, -value)
        case "floor", [value]:
            return math.floor(value)
        case "round", [value]:
            return _rounded(value, places=0)
        case "round", [value, places]:
            return _rounded(value, places=places)
        case "frac", [top, bottom]:
            return SurfaceFraction(numerator=_whole(top), denominator=_whole(_divisor(bottom)))
        case "choose", [total, taken]:
            return _combinations(_whole(total), _whole(taken))
    raise ExpressionError(f"there is no function {function!r} with {len(arguments)} arguments")


def _whole(value: Exact) -> int:
    if value.denominator != 1:
        raise ExpressionError(f"expected a whole number, found {value}")
    return value.numerator


def _rounded(value: Exact, *, places: Exact) -> Exact:
    """Round half away from zero, as schools do; Python's own rounding goes to even."""
    if places.denominator != 1 or not 0 <= places <= 20:
        raise ExpressionError("round takes 0 to 20 places")
    scale = 10**places.numerator
    size = Fraction(math.floor(abs(value) * scale + Fraction(1, 2)), scale)
    return size if value >= 0 else -size


def _combinations(total: int, taken: int) -> Exact:
    if not 0 <= taken <= total <= MAX_CHOOSE:
        raise ExpressionError(f"choose(n, k) needs 0 <= k <= n <= {MAX_CHOOSE}")
    return bounded(math.comb(total, taken))
