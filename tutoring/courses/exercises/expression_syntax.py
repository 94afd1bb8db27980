"""Syntax of course expressions: tokens, tree, and the names a tree needs. Evaluation is in expressions.py."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

# Bounds against runaway expressions in course files; real ones have under 100 characters and a few levels.
MAX_LENGTH = 400
MAX_DEPTH = 40
MAX_BITS = 512

type Exact = int | Fraction
"""An exact number; whole ones are mostly int, which is much faster. Equal numbers are equal in either type."""


class ExpressionError(ValueError):
    """An expression that cannot be parsed or has no value; the message is for the course's author."""


@dataclass(frozen=True, slots=True)
class NumberLiteral:
    value: Exact


@dataclass(frozen=True, slots=True)
class WordLiteral:
    text: str


@dataclass(frozen=True, slots=True)
class NameReference:
    name: str


@dataclass(frozen=True, slots=True)
class UnaryOperation:
    operator: str
    operand: "Node"


@dataclass(frozen=True, slots=True)
class BinaryOperation:
    operator: str
    left: "Node"
    right: "Node"


@dataclass(frozen=True, slots=True)
class Comparison:
    operands: tuple["Node", ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FunctionCall:
    function: str
    arguments: tuple["Node", ...]


type Node = NumberLiteral | WordLiteral | NameReference | UnaryOperation | BinaryOperation | Comparison | FunctionCall

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
def parse(expression: str) -> Node:
    """Return the expression's tree. Raises ExpressionError if it cannot be read."""
    if len(expression) > MAX_LENGTH:
        raise ExpressionError(f"longer than {MAX_LENGTH} characters")
    return _ExpressionParser(_tokens(expression.translate(_TYPED))).whole()


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


class _ExpressionParser:
    """A Pratt parser with the binding powers in `_BINDING`."""

    def __init__(self, tokens: Sequence[tuple[str, str]]) -> None:
        self.tokens = tokens
        self.position = 0
        self.depth = 0

    def whole(self) -> Node:
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

    def expression(self, binding: int) -> Node:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ExpressionError(f"nested more than {MAX_DEPTH} levels deep")
        node = self.start()
        while self.peek()[0] == "operator" and _BINDING.get(self.peek()[1], 0) > binding:
            node = self.join(node)
        self.depth -= 1
        return node

    def start(self) -> Node:
        kind, token = self.take()
        match kind, token:
            case "number", _:
                return NumberLiteral(bounded(Fraction(token)))
            case "word", _:
                return WordLiteral(token[1:-1])
            case "name", ("true" | "false"):
                return Comparison(
                    (NumberLiteral(Fraction(0)), NumberLiteral(Fraction(0))), ("==" if token == "true" else "!=",)
                )
            case "name", _:
                return self.call(token) if self.peek() == ("operator", "(") else NameReference(token)
            case "operator", "(":
                node = self.expression(0)
                self.expect(")")
                return node
            case "operator", ("-" | "+"):
                return UnaryOperation(token, self.expression(_SIGN))
            case "operator", "not":
                return UnaryOperation(token, self.expression(_NOT))
        raise ExpressionError(f"unexpected {token!r}")

    def call(self, function: str) -> Node:
        self.expect("(")
        arguments: list[Node] = []
        while self.peek() != ("operator", ")"):
            if arguments:
                self.expect(",")
            arguments.append(self.expression(0))
        self.expect(")")
        return FunctionCall(function, tuple(arguments))

    def join(self, left: Node) -> Node:
        operator = self.take()[1]
        if operator in _COMPARISONS:
            return self.comparison(left, operator)
        # A power binds to its right: 2^3^2 is 2^9, and 2^-1 may carry its sign.
        return BinaryOperation(operator, left, self.expression(_SIGN - 1 if operator == "^" else _BINDING[operator]))

    def comparison(self, left: Node, operator: str) -> Node:
        operands, operators = [left, self.expression(_BINDING[operator])], [operator]
        while self.peek()[0] == "operator" and self.peek()[1] in _COMPARISONS:
            operators.append(self.take()[1])
            operands.append(self.expression(_BINDING[operator]))
        return Comparison(tuple(operands), tuple(operators))


def bounded(value: Exact) -> Exact:
    """Return the value. Raises ExpressionError if numerator or denominator needs more than MAX_BITS."""
    if value.numerator.bit_length() > MAX_BITS or value.denominator.bit_length() > MAX_BITS:
        raise ExpressionError("a number is too large")
    return value


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and all nodes below it."""
    yield node
    match node:
        case UnaryOperation(_, operand):
            yield from walk(operand)
        case BinaryOperation(_, left, right):
            yield from walk(left)
            yield from walk(right)
        case Comparison(operands, _) | FunctionCall(_, operands):
            for operand in operands:
                yield from walk(operand)


def names_in(expression: str) -> frozenset[str]:
    """Return the names the expression needs. Raises ExpressionError if it cannot be read."""
    return frozenset(node.name for node in walk(parse(expression)) if isinstance(node, NameReference))


def calls_in(expression: str) -> frozenset[str]:
    """Return the functions the expression calls. Raises ExpressionError if it cannot be read."""
    return frozenset(node.function for node in walk(parse(expression)) if isinstance(node, FunctionCall))


def arguments_of(expression: str, function: str) -> tuple[str, ...] | None:
    """Return the argument texts when the whole expression is one call of `function`, else None."""
    matched = re.fullmatch(rf"\s*{function}\s*\((.*)\)\s*", expression[: MAX_LENGTH + 1], re.DOTALL)
    return split_arguments(matched.group(1)) if matched else None


def split_arguments(text: str) -> tuple[str, ...]:
    """Split at commas outside brackets and quotes."""
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
