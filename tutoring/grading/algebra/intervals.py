"""Inequalities in one variable as intervals."""

from tutoring.grading.algebra.nodes import Name, Node, Relation, Sequence, depth_over, names_of, operation
from tutoring.grading.algebra.sampled_value import approximate

FLIPPED = {"<": ">", ">": "<", "≤": "≥", "≥": "≤", "=": "=", "≠": "≠"}
_INFINITY = Name(name="∞")


def interval_of(node: Node) -> Sequence | None:
    """Return the interval of an inequality in one variable, or the two intervals of x ≠ 1; else None."""
    if not isinstance(node, Relation):
        return None
    if node.signs == ("≠",):
        return _all_but(node)
    if not set(node.signs) <= set("<≤>≥"):
        return None
    sides, signs = node.sides, node.signs
    if signs[0] in ">≥":
        sides, signs = sides[::-1], tuple(FLIPPED[sign] for sign in reversed(signs))
    if not set(signs) <= set("<≤"):
        return None
    match sides:
        case (Name(), top) if not names_of(top):
            return _interval(_least(), top, "(", ")" if signs[0] == "<" else "]")
        case (bottom, Name()) if not names_of(bottom):
            return _interval(bottom, _INFINITY, "(" if signs[0] == "<" else "[", ")")
        case (bottom, Name(), top) if not names_of(bottom) and not names_of(top):
            return _interval(bottom, top, "(" if signs[0] == "<" else "[", ")" if signs[1] == "<" else "]")
        case _:
            return None


def _all_but(node: Relation) -> Sequence | None:
    first, last = node.sides
    point = last if isinstance(first, Name) else first
    if not (isinstance(first, Name) or isinstance(last, Name)) or names_of(point):
        return None
    sides = (_interval(_least(), point, "(", ")"), _interval(point, _INFINITY, "(", ")"))
    return Sequence(items=sides, opening="or", closing="or", depth=depth_over(*sides))


def _least() -> Node:
    return operation("neg", _INFINITY)


def _interval(bottom: Node, top: Node, opening: str, closing: str) -> Sequence:
    return Sequence(items=(bottom, top), opening=opening, closing=closing, depth=depth_over(bottom, top))


def combine_inequalities(one: Node, other: Node, *, joined_by_and: bool) -> Relation | None:
    """Return x > 1 and x ≤ 4 as 1 < x ≤ 4; joined by a comma only if they overlap."""
    bounds = [_bound(node) for node in (one, other)]
    lower = next((bound for bound in bounds if bound is not None and bound[1] in "<≤"), None)
    upper = next((bound for bound in bounds if bound is not None and bound[1] in ">≥"), None)
    if lower is None or upper is None or lower[0] != upper[0]:
        return None
    bottom, top = approximate(lower[2], {}), approximate(upper[2], {})
    if bottom is None or top is None or not (bottom.real < top.real or (joined_by_and and bottom.real != top.real)):
        return None
    sides = (lower[2], lower[0], upper[2])
    return Relation(sides=sides, signs=(lower[1], FLIPPED[upper[1]]), depth=depth_over(*sides))


def _bound(node: Node) -> tuple[Name, str, Node] | None:
    """Return the name, sign and bound of an inequality, seen from the bound: x ≥ 1 is 1 ≤ x."""
    if not isinstance(node, Relation) or len(node.sides) != 2 or node.signs[0] not in "<≤>≥":
        return None
    match node.sides:
        case (Name() as name, value) if not names_of(value):
            return name, FLIPPED[node.signs[0]], value
        case (value, Name() as name) if not names_of(value):
            return name, node.signs[0], value
        case _:
            return None
