"""The safe expression language of course files: exact numbers, comparisons and a few functions.

Course authors write `lcm(b,d)` or `a < b and gcd(a,b) == 1`; a small Pratt parser reads it and nothing is ever
handed to Python's own evaluator. Length, depth and the size of every number are bounded.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import assert_never

from tutoring.courses.expression_syntax import (
    MAX_BITS,
    Binary,
    Call,
    Comparison,
    ExpressionError,
    Name,
    Node,
    Number,
    Unary,
    Word,
    arguments_of,
    bounded,
    calls_in,
    names_in,
    parse,
    split_arguments,
)

__all__ = [
    "FUNCTIONS", "MAX_BITS", "ExpressionError", "Function", "Surface", "Value",
    "arguments_of", "calls_in", "evaluate", "names_in", "number", "split_arguments", "text_of", "truth",
]  # fmt: skip

MAX_EXPONENT = 64
MAX_CHOOSE = 200
FUNCTIONS = frozenset({"gcd", "lcm", "min", "max", "abs", "floor", "frac", "round", "choose"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """A fraction as it is written: 4/8 stays 4/8. It counts as its value in every calculation."""

    numerator: int
    denominator: int

    @property
    def value(self) -> Fraction:
        return Fraction(self.numerator, self.denominator)


type Value = Fraction | bool | Surface | str
type Function = Callable[[], bool]


def evaluate(expression: str, names: Mapping[str, Value], *, functions: Mapping[str, Function] | None = None) -> Value:
    """Return the expression's value with `names` filled in.

    `functions` adds named conditions without arguments, such as `distinct_malrules`.
    Raises ExpressionError, and nothing else, whatever the text.
    """
    return _Evaluation(names=names, functions=functions or {}).value_of(parse(expression))


def number(value: Value) -> Fraction:
    """Return the value as an exact number. Raises ExpressionError for words and conditions."""
    match value:
        case bool() | str():
            raise ExpressionError(f"expected a number, found {text_of(value)}")
        case Surface():
            return value.value
        case Fraction():
            return value


def truth(value: Value) -> bool:
    """Return the value as a condition. Raises ExpressionError for numbers and words."""
    if isinstance(value, bool):
        return value
    raise ExpressionError(f"expected a condition, found {text_of(value)}")


def text_of(value: Value) -> str:
    """Return the value as a learner reads it: 3, 3/4, or 4/8 for an unreduced surface form."""
    match value:
        case bool():
            return "true" if value else "false"
        case Surface():
            return f"{value.numerator}/{value.denominator}"
        case _:
            return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evaluation:
    names: Mapping[str, Value]
    functions: Mapping[str, Function]

    def value_of(self, node: Node) -> Value:
        match node:
            case Number(value):
                return value
            case Word(text):
                return text
            case Name(name):
                return self.named(name)
            case Unary("not", operand):
                return not truth(self.value_of(operand))
            case Unary(operator, operand):
                value = number(self.value_of(operand))
                return -value if operator == "-" else value
            case Binary("and", left, right):
                return truth(self.value_of(left)) and truth(self.value_of(right))
            case Binary("or", left, right):
                return truth(self.value_of(left)) or truth(self.value_of(right))
            case Binary(operator, left, right):
                return _calculated(operator, number(self.value_of(left)), number(self.value_of(right)))
            case Comparison(operands, operators):
                values = [self.value_of(operand) for operand in operands]
                return all(map(_compared, operators, values, values[1:]))
            case Call(function, arguments):
                return self.called(function, arguments)
        assert_never(node)

    def named(self, name: str) -> Value:
        if name not in self.names:
            raise ExpressionError(f"unknown name {name!r}")
        return self.names[name]

    def called(self, function: str, arguments: Sequence[Node]) -> Value:
        if function == "choose" and len(arguments) == 3:
            chosen = arguments[1] if truth(self.value_of(arguments[0])) else arguments[2]
            return self.value_of(chosen)
        if function in self.functions and not arguments:
            return self.functions[function]()
        return _applied(function, [number(self.value_of(argument)) for argument in arguments])


def _calculated(operator: str, left: Fraction, right: Fraction) -> Fraction:
    if operator in ("/", "%") and right == 0:
        raise ExpressionError("division by zero")
    match operator:
        case "+":
            return bounded(left + right)
        case "-":
            return bounded(left - right)
        case "*":
            return bounded(left * right)
        case "/":
            return bounded(left / right)
        case "%":
            return bounded(left % right)
        case "^":
            return _power(left, right)
    raise ExpressionError(f"unknown operator {operator!r}")


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        raise ExpressionError(f"an exponent must be a whole number up to {MAX_EXPONENT}")
    if base == 0 and exponent < 0:
        raise ExpressionError("division by zero")
    return bounded(Fraction(base ** int(exponent)))


def _compared(operator: str, left: Value, right: Value) -> bool:
    if operator in ("==", "!="):
        same = left == right if isinstance(left, (str, bool)) or isinstance(right, (str, bool)) else None
        same = number(left) == number(right) if same is None else same
        return same if operator == "==" else not same
    first, second = number(left), number(right)
    match operator:
        case "<":
            return first < second
        case "<=":
            return first <= second
        case ">":
            return first > second
        case _:
            return first >= second


def _applied(function: str, arguments: Sequence[Fraction]) -> Value:
    match function, arguments:
        case "gcd", [_, *_]:
            return Fraction(math.gcd(*map(_whole, arguments)))
        case "lcm", [_, *_]:
            return bounded(Fraction(math.lcm(*map(_whole, arguments))))
        case "min", [_, *_]:
            return min(arguments)
        case "max", [_, *_]:
            return max(arguments)
        case "abs", [value]:
            return abs(value)
        case "floor", [value]:
            return Fraction(math.floor(value))
        case "round", [value]:
            return _rounded(value, places=Fraction(0))
        case "round", [value, places]:
            return _rounded(value, places=places)
        case "frac", [top, bottom]:
            return _surface(_whole(top), _whole(bottom))
        case "choose", [total, taken]:
            return _combinations(_whole(total), _whole(taken))
    raise ExpressionError(f"no function {function!r} with {len(arguments)} arguments")


def _whole(value: Fraction) -> int:
    if value.denominator != 1:
        raise ExpressionError(f"expected a whole number, found {value}")
    return int(value)


def _surface(top: int, bottom: int) -> Surface:
    if bottom == 0:
        raise ExpressionError("division by zero")
    return Surface(numerator=top, denominator=bottom)


def _rounded(value: Fraction, *, places: Fraction) -> Fraction:
    """Round half away from zero, as schools do; Python's own rounding goes to even."""
    if places.denominator != 1 or not 0 <= places <= 20:
        raise ExpressionError("round takes 0 to 20 places")
    scale = 10 ** int(places)
    size = Fraction(math.floor(abs(value) * scale + Fraction(1, 2)), scale)
    return size if value >= 0 else -size


def _combinations(total: int, taken: int) -> Fraction:
    if not 0 <= taken <= total <= MAX_CHOOSE:
        raise ExpressionError(f"choose(n, k) needs 0 <= k <= n <= {MAX_CHOOSE}")
    return bounded(Fraction(math.comb(total, taken)))
