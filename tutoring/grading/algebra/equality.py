"""Equality of expressions."""

from tutoring.grading.algebra.exact_value import Inexact, exact_value
from tutoring.grading.algebra.nodes import Name, Node, Unparsable, names_of, walk
from tutoring.grading.algebra.sampled_value import approximate, is_real, residue, sample_points, sample_residues

# Relative. With variables cancellation costs digits; without, 6.283185307 must not pass for 2π. Floats carry 15 digits.
_TOLERANCE = 1e-9
_CONSTANT_TOLERANCE = 1e-12

__all__ = ["Inexact", "are_equal", "exact_value"]


def are_equal(a: Node, b: Node) -> bool:
    """Tell whether two expressions are equal wherever both are defined. Symmetric.

    Raises Unparsable("division_by_zero") if one is defined nowhere, and ("too_big") for powers beyond the bounds.

    Rational values are compared exactly; rational expressions with variables by their values at random points of a finite
    field (exact but for a chance below 1e-17, as in Schwartz and Zippel); all else by floats at seeded random points.
    """
    if a == b:
        return True
    try:
        return _identical(a, b) if _has_names(a, b) else exact_value(a) == exact_value(b)
    except Inexact:
        return _agree(a, b)


def _has_names(a: Node, b: Node) -> bool:
    return any(isinstance(inner, Name) for node in (a, b) for inner in walk(node))


def _identical(a: Node, b: Node) -> bool:
    tested = 0
    for at in sample_residues([*sorted(names_of(a) | names_of(b)), "π", "e"]):
        try:
            if residue(a, at) != residue(b, at):
                return False
            tested += 1
        except ZeroDivisionError:
            continue
    if not tested:
        raise Unparsable("division_by_zero")
    return True


def _agree(a: Node, b: Node) -> bool:
    """Compare by floats: wherever both are real they must agree; where neither is, their complex values must."""
    names = sorted(names_of(a) | names_of(b))
    tolerance = _TOLERANCE if names else _CONSTANT_TOLERANCE
    real, complex_pairs = 0, []
    for at in sample_points(names):
        left, right = approximate(a, at), approximate(b, at)
        if left is None or right is None:
            continue
        if is_real(left) and is_real(right):
            if not _close(left, right, tolerance):
                return False
            real += 1
        else:
            complex_pairs.append((left, right))
    # Three of fourteen points: expressions such as √(x-4) are real at few of them, one or two may agree by chance.
    return real >= (3 if names else 1) or (
        bool(complex_pairs) and all(_close(*pair, tolerance) for pair in complex_pairs)
    )


def _close(left: complex, right: complex, tolerance: float) -> bool:
    # The absolute term lets two zeros agree that cancellation has left as 1e-14.
    return abs(left - right) <= tolerance * max(abs(left), abs(right)) + 1e-13
