"""The safe expression language of course files: exact numbers, comparisons and a few functions.

Course authors write `lcm(b,d)` or `a < b and gcd(a,b) == 1`; a small Pratt parser reads it and nothing is ever
handed to Python's own evaluator. Length, depth and the size of every number are bounded.
"""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import assert_never

MAX_LENGTH = 400
MAX_DEPTH = 40
MAX_BITS = 512
MAX_EXPONENT = 64
MAX_CHOOSE = 200
FUNCTIONS = frozenset({"gcd", "lcm", "min", "max", "abs", "floor", "frac", "round", "choose"})


class ExpressionError(ValueError):
    """An expression that cannot be read or has no value; the text says why, in words for the course's author."""


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
    return _Evaluation(names=names, functions=functions or {}).value_of(_parse(expression))


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


def names_in(expression: str) -> frozenset[str]:
    """Return the names the expression needs. Raises ExpressionError if it cannot be read."""
    return frozenset(node.name for node in _walk(_parse(expression)) if isinstance(node, _Name))


def calls_in(expression: str) -> frozenset[str]:
    """Return the functions the expression calls. Raises ExpressionError if it cannot be read."""
    return frozenset(node.function for node in _walk(_parse(expression)) if isinstance(node, _Call))


def arguments_of(expression: str, function: str) -> tuple[str, ...] | None:
    """Return the argument texts when the whole expression is one call of `function`, else None."""
    matched = re.fullmatch(rf"\s*{function}\s*\((.*)\)\s*", expression[: MAX_LENGTH + 1], re.DOTALL)
    return split_arguments(matched.group(1)) if matched else None


def split_arguments(text: str) -> tuple[str, ...]:
    """Split at the commas that stand outside brackets and quotes."""
    parts, depth, quote, current = [], 0, "", ""
    for character in text:
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "," and depth == 0:
            parts.append(current.strip())
            current = ""
            continue
        else:
            depth += (character in "([") - (character in ")]")
        current += character
    return (*parts, current.strip())


@dataclass(frozen=True, slots=True)
class _Number:
    value: Fraction


@dataclass(frozen=True, slots=True)
class _Word:
    text: str


@dataclass(frozen=True, slots=True)
class _Name:
    name: str


@dataclass(frozen=True, slots=True)
class _Unary:
    operator: str
    operand: "_Node"


@dataclass(frozen=True, slots=True)
class _Binary:
    operator: str
    left: "_Node"
    right: "_Node"


@dataclass(frozen=True, slots=True)
class _Comparison:
    operands: tuple["_Node", ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Call:
    function: str
    arguments: tuple["_Node", ...]


type _Node = _Number | _Word | _Name | _Unary | _Binary | _Comparison | _Call

_TOKEN = re.compile(
    r"""\s*(?:(?P<number>[0-9]+(?:\.[0-9]+)?)
          |(?P<name>[A-Za-z_][A-Za-z0-9_]*)
          |(?P<word>'[^'\n]{0,60}'|"[^"\n]{0,60}")
          |(?P<operator>==|!=|<=|>=|[-+*/^%<>(),]))""",
    re.VERBOSE,
)
_TYPED = str.maketrans({"−": "-", "×": "*", "÷": "/"})
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_BINDING = {"or": 1, "and": 2} | dict.fromkeys(_COMPARISONS, 4) | {"+": 5, "-": 5, "*": 6, "/": 6, "%": 6, "^": 8}
_NOT, _SIGN = 3, 7
_END = ("end", "the end")


@lru_cache(maxsize=4096)
def _parse(expression: str) -> _Node:
    if len(expression) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters")
    return _Parser(_tokens(expression.translate(_TYPED))).whole()


def _tokens(expression: str) -> list[tuple[str, str]]:
    tokens, position = [], 0
    text = expression.rstrip()
    while position < len(text):
        matched = _TOKEN.match(text, position)
        if matched is None or matched.lastgroup is None:
            raise ExpressionError(f"cannot read {text[position:].strip()[:20]!r}")
        kind, token = matched.lastgroup, matched.group(matched.lastgroup)
        tokens.append(("operator" if token in ("and", "or", "not") else kind, token))
        position = matched.end()
    return tokens


class _Parser:
    """Pratt parser: each operator binds with the strength in `_BINDING`."""

    def __init__(self, tokens: Sequence[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.position = 0
        self.depth = 0

    def whole(self) -> _Node:
        node = self.expression(0)
        if self.peek() != _END:
            raise ExpressionError(f"unexpected {self.peek()[1]!r}")
        return node

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.position] if self.position < len(self.tokens) else _END

    def take(self) -> tuple[str, str]:
        token = self.peek()
        self.position += 1
        return token

    def expect(self, operator: str) -> None:
        token = self.take()
        if token != ("operator", operator):
            raise ExpressionError(f"expected {operator!r}, found {token[1]!r}")

    def expression(self, binding: int) -> _Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"nested deeper than {MAX_DEPTH}")
        node = self.start()
        while self.peek()[0] == "operator" and _BINDING.get(self.peek()[1], 0) > binding:
            node = self.join(node)
        self.depth -= 1
        return node

    def start(self) -> _Node:
        kind, token = self.take()
        match kind, token:
            case "number", _:
                return _Number(_bounded(Fraction(token)))
            case "word", _:
                return _Word(token[1:-1])
            case "name", ("true" | "false"):
                return _Comparison((_Number(Fraction(0)), _Number(Fraction(0))), ("==" if token == "true" else "!=",))
            case "name", _:
                return self.call(token) if self.peek() == ("operator", "(") else _Name(token)
            case "operator", "(":
                node = self.expression(0)
                self.expect(")")
                return node
            case "operator", ("-" | "+"):
                return _Unary(token, self.expression(_SIGN))
            case "operator", "not":
                return _Unary(token, self.expression(_NOT))
        raise ExpressionError(f"unexpected {token!r}")

    def call(self, function: str) -> _Node:
        self.expect("(")
        arguments: list[_Node] = []
        while self.peek() != ("operator", ")"):
            if arguments:
                self.expect(",")
            arguments.append(self.expression(0))
        self.expect(")")
        return _Call(function, tuple(arguments))

    def join(self, left: _Node) -> _Node:
        operator = self.take()[1]
        if operator in _COMPARISONS:
            return self.comparison(left, operator)
        # A power binds to its right: 2^3^2 is 2^9, and 2^-1 may carry its sign.
        return _Binary(operator, left, self.expression(_SIGN - 1 if operator == "^" else _BINDING[operator]))

    def comparison(self, left: _Node, operator: str) -> _Node:
        operands, operators = [left, self.expression(_BINDING[operator])], [operator]
        while self.peek()[0] == "operator" and self.peek()[1] in _COMPARISONS:
            operators.append(self.take()[1])
            operands.append(self.expression(_BINDING[operator]))
        return _Comparison(tuple(operands), tuple(operators))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Evaluation:
    names: Mapping[str, Value]
    functions: Mapping[str, Function]

    def value_of(self, node: _Node) -> Value:
        match node:
            case _Number(value):
                return value
            case _Word(text):
                return text
            case _Name(name):
                return self.named(name)
            case _Unary("not", operand):
                return not truth(self.value_of(operand))
            case _Unary(operator, operand):
                value = number(self.value_of(operand))
                return -value if operator == "-" else value
            case _Binary("and", left, right):
                return truth(self.value_of(left)) and truth(self.value_of(right))
            case _Binary("or", left, right):
                return truth(self.value_of(left)) or truth(self.value_of(right))
            case _Binary(operator, left, right):
                return _calculated(operator, number(self.value_of(left)), number(self.value_of(right)))
            case _Comparison(operands, operators):
                values = [self.value_of(operand) for operand in operands]
                return all(map(_compared, operators, values, values[1:]))
            case _Call(function, arguments):
                return self.called(function, arguments)
        assert_never(node)

    def named(self, name: str) -> Value:
        if name not in self.names:
            raise ExpressionError(f"unknown name {name!r}")
        return self.names[name]

    def called(self, function: str, arguments: Sequence[_Node]) -> Value:
        if function == "choose" and len(arguments) == 3:
            chosen = arguments[1] if truth(self.value_of(arguments[0])) else arguments[2]
            return self.value_of(chosen)
        if function in self.functions and not arguments:
            return self.functions[function]()
        return _applied(function, [number(self.value_of(argument)) for argument in arguments])


def _bounded(value: Fraction) -> Fraction:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise ExpressionError("a number is too large")
    return value


def _calculated(operator: str, left: Fraction, right: Fraction) -> Fraction:
    if operator in ("/", "%") and right == 0:
        raise ExpressionError("division by zero")
    match operator:
        case "+":
            return _bounded(left + right)
        case "-":
            return _bounded(left - right)
        case "*":
            return _bounded(left * right)
        case "/":
            return _bounded(left / right)
        case "%":
            return _bounded(left % right)
        case "^":
            return _power(left, right)
    raise ExpressionError(f"unknown operator {operator!r}")


def _power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT:
        raise ExpressionError(f"an exponent must be a whole number up to {MAX_EXPONENT}")
    if base == 0 and exponent < 0:
        raise ExpressionError("division by zero")
    return _bounded(Fraction(base ** int(exponent)))


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
            return _bounded(Fraction(math.lcm(*map(_whole, arguments))))
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
    return _bounded(Fraction(math.comb(total, taken)))


def _walk(node: _Node) -> Iterator[_Node]:
    yield node
    match node:
        case _Unary(_, operand):
            yield from _walk(operand)
        case _Binary(_, left, right):
            yield from _walk(left)
            yield from _walk(right)
        case _Comparison(operands, _) | _Call(_, operands):
            for operand in operands:
                yield from _walk(operand)
