"""The syntax tree of an answer: numbers, names, operations, relations, sequences, words."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

# Recursion over a tree stays far below Python's limit; no answer of 400 characters that means anything is as deep.
MAX_DEPTH = 60

type Node = Number | Name | Operation | Relation | Sequence | Quantity | Phrase


class Unparsable(ValueError):
    """An answer that cannot be read; `reason` is a stable code, worded for the learner by the page.

    Codes: empty, too_long, too_deep, too_big, division_by_zero, two_numbers, several, words, unexpected, unfinished,
    brackets; of choices no_such_choice, incomplete, twice; of workings one_step, bare_result, idle_step; of constructions also no_such_part,
    no_such_piece, outside, between_marks, too_many, two_sizes, other_sign.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A literal; `places` counts the decimals written, so that 0.50 and 0.5 can be told apart."""

    value: Fraction
    spelling: Literal["whole", "decimal"] = "whole"
    places: int = 0
    depth: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Name:
    """A variable or a constant (π, e, i, ∞)."""

    name: str
    depth: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """`operator` is + neg * / ^ % ! ± mixed, or a function's name; + and * take any number of operands."""

    operator: str
    operands: tuple["Node", ...]
    depth: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A chain such as -2 ≤ x < 7: one sign fewer than sides; signs are = ≈ ≠ < ≤ > ≥."""

    sides: tuple["Node", ...]
    signs: tuple[str, ...]
    depth: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sequence:
    """Several items; brackets are ( [ { as typed, empty for a bare list, "or" for a list joined by words or ∪."""

    items: tuple["Node", ...]
    opening: str = ""
    closing: str = ""
    depth: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A value and the unit written after it, as normalised words."""

    value: "Node"
    unit: str
    depth: int = field(default=1, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Phrase:
    """Words only, such as "no solution"; normalised to lower case with single spaces."""

    words: str
    depth: int = field(default=1, compare=False)


def depth_over(*nodes: Node) -> int:
    """Return the depth of a parent of these nodes. Raises Unparsable beyond MAX_DEPTH, so later recursion is safe."""
    depth = 1 + max((node.depth for node in nodes), default=0)
    if depth > MAX_DEPTH:
        raise Unparsable("too_deep")
    return depth


def operation(operator: str, *operands: Node) -> Operation:
    """Build an operation; sums and products inside a sum or product are laid flat."""
    if operator in ("+", "*") and isinstance(first := operands[0], Operation) and first.operator == operator:
        operands = (*first.operands, *operands[1:])
    return Operation(operator=operator, operands=operands, depth=depth_over(*operands))


def children(node: Node) -> tuple[Node, ...]:
    """Return the nodes directly inside a node."""
    match node:
        case Operation(operands=inner) | Relation(sides=inner) | Sequence(items=inner):
            return inner
        case Quantity(value=value):
            return (value,)
        case _:
            return ()


def walk(node: Node) -> Iterator[Node]:
    """Yield a node and everything inside it."""
    waiting = [node]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(reversed(children(node)))


def names_of(node: Node) -> frozenset[str]:
    """Return the variables of a node; the constants π, e, i and ∞ do not count."""
    return frozenset(inner.name for inner in walk(node) if isinstance(inner, Name)) - CONSTANTS


CONSTANTS = frozenset({"π", "e", "i", "∞"})

DEGREES = frozenset({"degrees", "degree", "deg"})


def in_radians(degrees: Node) -> Node:
    """Return an angle in degrees as radians."""
    value = degrees.value if isinstance(degrees, Quantity) else degrees
    return operation("/", operation("*", value, Name(name="π")), Number(value=Fraction(180)))
