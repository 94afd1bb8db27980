"""Equivalence of equations and inequalities: flipped, rearranged and scaled."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from tutoring.grading.algebra.equality import are_equal
from tutoring.grading.algebra.intervals import FLIPPED
from tutoring.grading.algebra.nodes import Name, Node, Number, Operation, Relation, Sequence, names_of, operation
from tutoring.grading.algebra.proportionality import is_multiple, is_multiplied_through

_ZERO = Number(value=Fraction(0))


def difference(left: Node, right: Node) -> Node:
    """Return left - right."""
    return operation("+", left, operation("neg", right))


def first_and_last_side(relation: Relation) -> Relation:
    """Return an equation chain as its first and last side: z = 1 + 1 = 2 means z = 2."""
    if len(relation.sides) == 2 or set(relation.signs) != {"="}:
        return relation
    sides = (relation.sides[0], relation.sides[-1])
    return Relation(sides=sides, signs=("=",), depth=relation.depth)


def is_equation(node: Node) -> bool:
    return isinstance(node, Relation) and set(node.signs) == {"="}


def answer_side(equation: Relation) -> Node:
    """Return the side that is the answer: the last one, or the first if the last is just a name."""
    first, last = equation.sides[0], equation.sides[-1]
    return first if isinstance(last, Name) and not isinstance(first, Name) else last


def is_solved(node: Relation) -> bool:
    """Tell whether one side is a variable alone and the other has none."""
    first, last = node.sides[0], node.sides[-1]
    return any(isinstance(name, Name) and not names_of(value) for name, value in ((first, last), (last, first)))


def same_relation(a: Relation, b: Relation) -> bool:
    """Tell whether two relations are equivalent: flipped, rearranged or scaled."""
    a, b = first_and_last_side(a), first_and_last_side(b)
    if len(a.signs) != len(b.signs):
        return False
    if len(a.signs) > 1:
        return _same_chain(a, b) or _same_chain(a, _flipped(b))
    left, right = difference(*a.sides), difference(*b.sides)
    if a.signs[0] in "=≠":
        return a.signs == b.signs and _same_equation(a, b, left, right)
    if (a.signs[0] in "≤≥") != (b.signs[0] in "≤≥"):
        return False
    same_way = (a.signs[0] in "<≤") == (b.signs[0] in "<≤")
    return is_multiple(left, right, of_sign=1 if same_way else -1)


def _same_equation(a: Relation, b: Relation, left: Node, right: Node) -> bool:
    """Tell whether two equations are equivalent, given each one's difference of sides."""
    if _is_free_of_names(left) or _is_free_of_names(right):
        return _same_contradiction(a, b)
    return is_multiple(left, right, of_sign=0) or is_multiplied_through(left, right)


def _same_contradiction(a: Relation, b: Relation) -> bool:
    """Tell whether two equations whose variables cancel, such as x = x + 2 and 0 = 2, are rearrangements."""
    for one, other in ((a.sides, b.sides), (a.sides, b.sides[::-1])):
        if are_equal(difference(*one), difference(*other)):
            kept = [_without_names(side) for side in one]
            if names_of(a) and names_of(b):
                return _is_free_of_names(difference(one[0], other[0]))
            return bool(
                all(are_equal(*pair) for pair in zip(kept, map(_without_names, other), strict=True))
                or any(are_equal(side, _ZERO) for side in (*a.sides, *b.sides) if not names_of(side))
            )
    return False


def _is_free_of_names(difference: Node) -> bool:
    """Tell whether a difference does not depend on its variables."""
    shifted = rename_variables(difference, {name: f"{name}'" for name in names_of(difference)})
    return not names_of(difference) or are_equal(difference, shifted)


def _without_names(node: Node) -> Node:
    return substitute_values(node, dict.fromkeys(names_of(node), _ZERO))


def substitute_values(node: Node, values: Mapping[str, Node]) -> Node:
    """Return an expression or a relation with values for some of its variables."""
    match node:
        case Name(name=name):
            return values.get(name, node)
        case Operation(operands=operands):
            return replace(node, operands=tuple(substitute_values(operand, values) for operand in operands))
        case Relation(sides=sides):
            return replace(node, sides=tuple(substitute_values(side, values) for side in sides))
        case _:
            return node


def _flipped(relation: Relation) -> Relation:
    signs = tuple(FLIPPED[sign] for sign in reversed(relation.signs))
    return Relation(sides=relation.sides[::-1], signs=signs, depth=relation.depth)


def _same_chain(a: Relation, b: Relation) -> bool:
    pairs = zip(zip(a.sides, a.sides[1:], strict=False), zip(b.sides, b.sides[1:], strict=False), strict=True)
    return a.signs == b.signs and all(is_multiple(difference(*x), difference(*y), of_sign=1) for x, y in pairs)


def rename_variables(node: Node, names: Mapping[str, str]) -> Node:
    """Return the node with variables renamed."""
    match node:
        case Name(name=name):
            return Name(name=names.get(name, name))
        case Operation(operator=operator, operands=operands):
            inner = tuple(rename_variables(operand, names) for operand in operands)
            return Operation(operator=operator, operands=inner, depth=node.depth)
        case Relation(sides=sides, signs=signs):
            return Relation(sides=tuple(rename_variables(side, names) for side in sides), signs=signs, depth=node.depth)
        case Sequence(items=items):
            inner = tuple(rename_variables(item, names) for item in items)
            return Sequence(items=inner, opening=node.opening, closing=node.closing, depth=node.depth)
        case _:
            return node
