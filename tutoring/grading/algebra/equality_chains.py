"""Chains of equal sides: x = 10/6 = 5/3 ≈ 1.67 means x = 5/3, if all of it is true."""

from tutoring.grading.algebra.equality import are_equal
from tutoring.grading.algebra.nodes import Name, Node, Number, Operation, Quantity, Relation, depth_over, names_of, walk
from tutoring.grading.algebra.number_forms import has_decimals
from tutoring.grading.algebra.sampled_value import approximate

# f(x) parses as f·x; with these letters it names a function, "a(x + 1)" is a product.
_FUNCTION_NAMES = frozenset("fghpqFGH")


def settle_chain(relation: Relation) -> Node | None:
    """Return a chain of = and ≈ as a value or an equation of two sides; None if it contradicts itself.

    Other relations are returned unchanged. What follows ≈ must be a rounding of what precedes it.
    """
    if not set(relation.signs) <= {"=", "≈"}:
        return relation if "≈" not in relation.signs else None
    place = relation.signs.index("≈") if "≈" in relation.signs else len(relation.signs)
    sides = relation.sides[: place + 1]
    if place < len(relation.signs):
        before, rounded = sides[-1], relation.sides[place + 1 :]
        if isinstance(before, Name) or names_of(before):
            sides = (*sides, *rounded)
        elif not all(is_rounding(each, before) for each in rounded):
            return None
    if len(sides) == 1:
        return sides[0]
    return _two_sides(Relation(sides=sides, signs=("=",) * (len(sides) - 1), depth=relation.depth))


def _two_sides(chain: Relation) -> Relation | None:
    first, *others = chain.sides
    if len(others) > 1 and not all(_comes_to(others[0], other) for other in others[1:]):
        return None
    return Relation(sides=(first, others[-1]), signs=("=",), depth=chain.depth)


def _comes_to(value: Node, said: Node) -> bool:
    """Tell whether one side of a chain equals another, or is a rounding of it to three digits or more."""
    return are_equal(value, said) or (has_decimals(said) and is_rounding(said, value))


def is_rounding(written: Node, value: Node) -> bool:
    """Tell whether a number as written is a value rounded to as many places, or within half a percent of it."""
    right, said = approximate(value, {}), approximate(written, {})
    if right is None or said is None:
        return False
    # Half a unit in the last place, plus float noise; .5 % where the number of places is unknown ("10/3 ≈ 3 1/3").
    places = _places(written)
    near = 0.5000001 * 10.0**-places if places is not None else 0.005 * abs(right)
    return abs(right - said) <= near


def _places(node: Node) -> int | None:
    match node:
        case Number(places=places):
            return places
        case Quantity(value=value) | Operation(operator="neg", operands=(value,)):
            return _places(value)
        case _:
            return None


def labelled_side(equation: Relation) -> Node | None:
    """Return the side that an equation names: 2x + 1 of y = 2x + 1 or f(x) = 2x + 1, 5 of |AB| = 5; else None."""
    first, last = equation.sides[0], equation.sides[-1]
    if is_label(first, of=last):
        return last
    return first if is_label(last, of=first) else None


def is_label(node: Node, *, of: Node) -> bool:
    match node:
        case Name(name=name):
            return name not in names_of(of)
        case Operation(operator="*", operands=(Name(name=function), _)) if function in _FUNCTION_NAMES:
            return function not in names_of(of)
        case Operation(operator="*" | "/" | "abs"):
            return not names_of(of) and all(_is_part_of_label(inner) for inner in walk(node))
        case _:
            return False


def _is_part_of_label(node: Node) -> bool:
    """Tell whether a node may stand in the name of a length or a ratio, such as |AB| and V_1 : V_2."""
    if isinstance(node, Name):
        return node.name[0].isupper() or "_" in node.name
    return isinstance(node, Operation) and node.operator in ("*", "/", "abs")


def equation_value(equation: Relation) -> Node | None:
    """Return the value of an answer given as an equation: the named side, or either side of a true calculation."""
    if (side := labelled_side(equation)) is not None:
        return side
    first, last = equation.sides[0], equation.sides[-1]
    return last if not names_of(equation) and _comes_to(first, last) else None


def make_relation(sign: str, *sides: Node) -> Relation:
    """Build a relation with one sign throughout."""
    return Relation(sides=sides, signs=(sign,) * (len(sides) - 1), depth=depth_over(*sides))
