"""Equivalence of equations: rearranged, scaled, or multiplied through by a denominator."""

from itertools import product

from tutoring.grading.algebra.exact_value import Inexact, exact_value
from tutoring.grading.algebra.nodes import Node, Operation, names_of, walk
from tutoring.grading.algebra.sampled_value import PRIME, approximate, residue, sample_points, sample_residues

# All combinations of powers are tried: 5³ = 125. School equations have one or two denominators.
_MOST_DENOMINATORS = 3
_POWERS = (0, 1, -1, 2, -2)


def is_multiple(a: Node, b: Node, *, of_sign: int) -> bool:
    """Tell whether a is b times a nonzero constant; with `of_sign` 1 or -1 the constant must have that sign."""
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


def is_multiplied_through(a: Node, b: Node) -> bool:
    """Tell whether a is b times a constant, multiplied or divided by some denominators of both."""
    names = sorted(names_of(a) | names_of(b))
    below = list(dict.fromkeys(bottom for node in (a, b) for bottom in _denominators(node)))[:_MOST_DENOMINATORS]
    if not below:
        return False
    try:
        rows = [
            (residue(a, at), residue(b, at), [residue(bottom, at) for bottom in below])
            for at in sample_residues([*names, "π", "e"])
        ]
    except (Inexact, ZeroDivisionError):
        return False
    if any(not value for top, bottom, factors in rows for value in (top, bottom, *factors)):
        return False
    return any(_is_constant_ratio(rows, powers) for powers in product(_POWERS, repeat=len(below)))


def _is_constant_ratio(rows: list[tuple[int, int, list[int]]], powers: tuple[int, ...]) -> bool:
    ratios = set()
    for top, bottom, factors in rows:
        ratio = top * pow(bottom, -1, PRIME) % PRIME
        for factor, power in zip(factors, powers, strict=True):
            ratio = ratio * pow(factor, power, PRIME) % PRIME
        ratios.add(ratio)
    return len(ratios) == 1


def _denominators(node: Node) -> list[Node]:
    """Return the factors with variables that a node divides by."""
    found: list[Node] = []
    for inner in walk(node):
        match inner:
            case Operation(operator="/", operands=(_, bottom)):
                found += _factors(bottom)
            case Operation(operator="^", operands=(base, exponent)) if _is_negative(exponent):
                found += _factors(base)
    return [factor for factor in found if names_of(factor)]


def _factors(node: Node) -> list[Node]:
    match node:
        case Operation(operator="*", operands=factors):
            return [inner for factor in factors for inner in _factors(factor)]
        case Operation(operator="^", operands=(base, _)):
            return _factors(base)
        case Operation(operator="neg", operands=(inner,)):
            return _factors(inner)
        case _:
            return [node]


def _is_negative(exponent: Node) -> bool:
    try:
        return exact_value(exponent) < 0
    except Inexact:
        return False


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
    # 1e-9 as in equality.py: below it a value is cancellation noise, and a ratio to it means nothing.
    if len(ratios) < 3:
        return exactly and of_sign == 0
    if not exactly and any(abs(ratio - ratios[0]) > 1e-9 * abs(ratios[0]) for ratio in ratios):
        return False
    return abs(ratios[0]) > 1e-9 and (of_sign == 0 or ratios[0].real * of_sign > 0)
