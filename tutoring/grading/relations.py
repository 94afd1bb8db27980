"""Equations and inequalities: flipped, scaled, and as intervals."""

from collections.abc import Mapping

from .exactly import Inexact
from .nodes import Name, Node, Operation, Relation, Sequence, depth_over, names_of, operation
from .sampled import PRIME, approximate, residue, sample_points, sample_residues

_FLIPPED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤", "=": "=", "≠": "≠"}
_INFINITY = Name(name="∞")


def difference(left: Node, right: Node) -> Node:
    """Return left - right."""
    return operation("+", left, operation("neg", right))


def ends_of(relation: Relation) -> Relation:
    """Return an equation chain as its first and last side: z = 1 + 1 = 2 says z = 2."""
    if len(relation.sides) == 2 or set(relation.signs) != {"="}:
        return relation
    sides = (relation.sides[0], relation.sides[-1])
    return Relation(sides=sides, signs=("=",), depth=relation.depth)


def is_equation(node: Node) -> bool:
    return isinstance(node, Relation) and set(node.signs) == {"="}


def answer_side(equation: Relation) -> Node:
    """Return the side that is the answer: the last one, or the first where the last is just a name."""
    first, last = equation.sides[0], equation.sides[-1]
    return first if isinstance(last, Name) and not isinstance(first, Name) else last


def is_solved(node: Relation) -> bool:
    """Tell whether one side is a variable alone and the other has none."""
    first, last = node.sides[0], node.sides[-1]
    return any(isinstance(name, Name) and not names_of(value) for name, value in ((first, last), (last, first)))


def interval_of(node: Node) -> Sequence | None:
    """Return the interval that an inequality in one variable alone describes, such as -2 ≤ x < 7 or x > 3."""
    if not isinstance(node, Relation) or not set(node.signs) <= set("<≤>≥"):
        return None
    sides, signs = node.sides, node.signs
    if signs[0] in ">≥":
        sides, signs = sides[::-1], tuple(_FLIPPED[sign] for sign in reversed(signs))
    if not set(signs) <= set("<≤"):
        return None
    match sides:
        case (Name(), top) if not names_of(top):
            return _interval(operation("neg", _INFINITY), top, "(", ")" if signs[0] == "<" else "]")
        case (bottom, Name()) if not names_of(bottom):
            return _interval(bottom, _INFINITY, "(" if signs[0] == "<" else "[", ")")
        case (bottom, Name(), top) if not names_of(bottom) and not names_of(top):
            return _interval(bottom, top, "(" if signs[0] == "<" else "[", ")" if signs[1] == "<" else "]")
        case _:
            return None


def _interval(bottom: Node, top: Node, opening: str, closing: str) -> Sequence:
    return Sequence(items=(bottom, top), opening=opening, closing=closing, depth=depth_over(bottom, top))


def same_relation(a: Relation, b: Relation) -> bool:
    """Tell whether two relations of two sides say the same: flipped, rearranged or scaled."""
    a, b = ends_of(a), ends_of(b)
    if len(a.signs) != len(b.signs):
        return False
    if len(a.signs) > 1:
        return _same_chain(a, b) or _same_chain(a, _flipped(b))
    left, right = difference(*a.sides), difference(*b.sides)
    if a.signs[0] in "=≠":
        return a.signs == b.signs and is_multiple(left, right, of_sign=0)
    if (a.signs[0] in "≤≥") != (b.signs[0] in "≤≥"):
        return False
    same_way = (a.signs[0] in "<≤") == (b.signs[0] in "<≤")
    return is_multiple(left, right, of_sign=1 if same_way else -1)


def _flipped(relation: Relation) -> Relation:
    signs = tuple(_FLIPPED[sign] for sign in reversed(relation.signs))
    return Relation(sides=relation.sides[::-1], signs=signs, depth=relation.depth)


def _same_chain(a: Relation, b: Relation) -> bool:
    pairs = zip(zip(a.sides, a.sides[1:], strict=False), zip(b.sides, b.sides[1:], strict=False), strict=True)
    return a.signs == b.signs and all(is_multiple(difference(*x), difference(*y), of_sign=1) for x, y in pairs)


def is_multiple(a: Node, b: Node, *, of_sign: int) -> bool:
    """Tell whether a is b times a constant that is not zero; `of_sign` 1 or -1 asks for the constant's sign as well."""
    names = sorted(names_of(a) | names_of(b))
    if not names:
        return False
    try:
        if not _residues_are_proportional(a, b, names):
            return False
        exactly = True
    except Inexact:
        exactly = False
    return _floats_are_proportional(a, b, names, of_sign=of_sign, exactly=exactly)


def _residues_are_proportional(a: Node, b: Node, names: list[str]) -> bool:
    pairs = []
    for at in sample_residues([*names, "π", "e"]):
        try:
            pairs.append((residue(a, at), residue(b, at)))
        except ZeroDivisionError:
            continue
    (top, bottom), *others = pairs or [(0, 0)]
    return bool(others) and top != 0 and bottom != 0 and all(_cross(top, y) == _cross(x, bottom) for x, y in others)


def _cross(a: int, b: int) -> int:
    return a * b % PRIME


def _floats_are_proportional(a: Node, b: Node, names: list[str], *, of_sign: int, exactly: bool) -> bool:
    ratios = []
    for at in sample_points(names):
        top, bottom = approximate(a, at), approximate(b, at)
        if top is not None and bottom is not None and abs(bottom) > 1e-9:
            ratios.append(top / bottom)
    if len(ratios) < 3:
        return exactly and of_sign == 0
    if not exactly and any(abs(ratio - ratios[0]) > 1e-9 * abs(ratios[0]) for ratio in ratios):
        return False
    return abs(ratios[0]) > 1e-9 and (of_sign == 0 or ratios[0].real * of_sign > 0)


def renamed(node: Node, names: Mapping[str, str]) -> Node:
    """Return the node with variables renamed."""
    match node:
        case Name(name=name):
            return Name(name=names.get(name, name))
        case Operation(operator=operator, operands=operands):
            inner = tuple(renamed(operand, names) for operand in operands)
            return Operation(operator=operator, operands=inner, depth=node.depth)
        case Relation(sides=sides, signs=signs):
            return Relation(sides=tuple(renamed(side, names) for side in sides), signs=signs, depth=node.depth)
        case Sequence(items=items):
            inner = tuple(renamed(item, names) for item in items)
            return Sequence(items=inner, opening=node.opening, closing=node.closing, depth=node.depth)
        case _:
            return node
