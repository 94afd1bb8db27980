"""Whether an expression is the one that a question asks to be worked out, however it is written."""

from collections.abc import Iterator
from fractions import Fraction

from tutoring.grading import NumericKey, StepsKey, grade
from tutoring.grading.keys import AnswerKey
from tutoring.grading.nodes import Node, Number, Operation
from tutoring.grading.readings import key_node
from tutoring.rules.giving_away import expressions_in

type Form = tuple[object, ...]


def is_own_sum(expression: str, *, stem: str, key: AnswerKey) -> bool:
    """Tell whether an expression has the operands and operations of one that stands in the stem and comes to the answer.

    Order, brackets and what changes nothing do not count: 4/9 + 1/4 and sqrt((1/4 + 4/9)^2) are 1/4 + 4/9. Another sum is
    another one though it has the same value.
    """
    if not isinstance(key, NumericKey | StepsKey) or not stands_in(expression, stem):
        return False
    return grade(NumericKey(value=key.value), _typed(expression)).verdict in ("correct", "equivalent_not_in_form")


def stands_in(expression: str, text: str) -> bool:
    """Tell whether an expression, however it is written, is one that stands in a text; a lone number never is."""
    asked = [node for shown in expressions_in(text) if (node := key_node(shown)) is not None]
    typed = key_node(_typed(expression))
    return typed is not None and any(form_of(typed) == form_of(node) for node in asked if not isinstance(node, Number))


def _typed(expression: str) -> str:
    return expression.strip().rstrip("=? ")


def form_of(node: Node) -> Form:
    """Return an expression as values that are equal for the same operands and operations."""
    node = _without_identities(node)
    match node:
        case Operation(operator="/", operands=(Number(value=top), Number(value=bottom))):
            return ("fraction", top, bottom)
        case Operation(operator="+" | "neg" | "mixed"):
            return ("sum", *sorted(map(repr, _terms(node, 1))))
    return _form_of_term(node)


def _form_of_term(node: Node) -> Form:
    match node:
        case Number(value=value):
            return ("number", value)
        case Operation(operator="*", operands=operands):
            return ("product", *sorted(repr(form_of(each)) for each in operands))
        case Operation(operator=operator, operands=operands):
            return (operator, *map(form_of, operands))
    return (repr(node),)


def _terms(node: Node, sign: int) -> Iterator[tuple[object, ...]]:
    node = _without_identities(node)
    match node:
        case Operation(operator="+", operands=operands):
            for each in operands:
                yield from _terms(each, sign)
        case Operation(operator="neg", operands=(inner,)):
            yield from _terms(inner, -sign)
        case Operation(operator="mixed", operands=(whole, top, bottom)):
            yield from _terms(whole, sign)
            yield from _terms(Operation(operator="/", operands=(top, bottom)), sign)
        case Number(value=value):
            yield from [("number", sign * value)] if value else []
        case Operation(operator="/", operands=(Number(value=top), Number(value=bottom))) if bottom:
            yield ("number", sign * Fraction(top, bottom))
        case _:
            yield (sign, _form_of_term(node))


def _without_identities(node: Node) -> Node:
    """Return an expression without a factor or divisor of one, a power of one, and a root of a square around it."""
    match node:
        case Operation(operator="*", operands=operands):
            left = [each for each in operands if not _is(each, 1)]
            return _without_identities(left[0]) if len(left) == 1 else node
        case Operation(operator="/" | "^", operands=(inner, other)) if _is(other, 1):
            return _without_identities(inner)
        case Operation(operator="sqrt", operands=(Operation(operator="^", operands=(inner, power)),)) if _is(power, 2):
            return _without_identities(inner)
        case Operation(operator="+", operands=operands):
            left = [each for each in operands if not _is(each, 0)]
            return _without_identities(left[0]) if len(left) == 1 else node
        case Operation(operator="neg", operands=(Operation(operator="neg", operands=(inner,)),)):
            return _without_identities(inner)
    return node


def _is(node: Node, value: int) -> bool:
    return isinstance(node, Number) and node.value == value
