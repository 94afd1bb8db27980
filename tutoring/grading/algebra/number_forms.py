"""Written forms of numbers, and whether they are the form that the question requires."""

import math
from fractions import Fraction
from typing import Literal

from tutoring.grading.algebra.equality import Inexact, exact_value
from tutoring.grading.algebra.nodes import Name, Node, Number, Operation, Quantity, walk
from tutoring.grading.keys import Form

type Surface = Literal["whole", "decimal", "fraction", "mixed", "percent", "other"]


def written_form(node: Node) -> Surface:
    """Return how a number is written; a sum, product or power that is not worked out is "other"."""
    match node:
        case Quantity(value=value):
            return written_form(value)
        case Number(spelling=spelling):
            return spelling
        case Operation(operator="neg", operands=(Operation(operator="neg"),)):
            return "other"
        case Operation(operator="neg", operands=(value,)):
            return written_form(value)
        case Operation(operator="mixed"):
            return "mixed"
        case Operation(operator="%", operands=(value,)):
            return "percent" if written_form(value) in ("whole", "decimal", "fraction", "mixed") else "other"
        case Operation(operator="/", operands=(top, bottom)):
            return "fraction" if written_form(top) == written_form(bottom) == "whole" else "other"
        case _:
            return "other"


def is_in_lowest_terms(node: Node) -> bool:
    """Tell whether a whole number, fraction or mixed number can be reduced no further."""
    match node:
        case Quantity(value=value) | Operation(operator="neg", operands=(value,)):
            return is_in_lowest_terms(value)
        case Number(spelling=spelling):
            return spelling == "whole"
        case Operation(operator="/", operands=(top, bottom)):
            return _is_reduced(top, bottom)
        case Operation(operator="mixed", operands=(_, top, bottom)):
            return _is_reduced(top, bottom) and abs(exact_value(top)) < abs(exact_value(bottom))
        case _:
            return False


def _is_reduced(top: Node, bottom: Node) -> bool:
    above, below = exact_value(top), exact_value(bottom)
    whole = above.denominator == below.denominator == 1
    return whole and abs(below) != 1 and math.gcd(int(above), int(below)) == 1


def has_form(node: Node, form: Form, *, value: Fraction) -> bool:
    """Tell whether a number with the right `value` is written in the required form."""
    surface = written_form(node)
    match form:
        case "any" | "exact":
            return surface != "other"
        case "simplified":
            return is_in_lowest_terms(node) or (value.denominator == 1 and surface in ("whole", "decimal"))
        case "fraction":
            return surface in ("fraction", "mixed") or (value.denominator == 1 and surface == "whole")
        case "decimal":
            return surface in ("decimal", "whole")
        case "whole":
            return surface == "whole"
        case _:
            return True


def is_factored(node: Node) -> bool:
    """Tell whether an expression is a product or power that contains a sum, or is a name or number."""
    match node:
        case Operation(operator="neg", operands=(value,)):
            return is_factored(value)
        case Operation(operator="*" | "^" | "/"):
            return any(isinstance(inner, Operation) and inner.operator == "+" for inner in walk(node))
        case _:
            return isinstance(node, Name | Number)


def is_expanded(node: Node) -> bool:
    """Tell whether an expression is multiplied out and has its like terms together."""
    terms = node.operands if isinstance(node, Operation) and node.operator == "+" else (node,)
    powers = [_powers_of(term) for term in terms]
    return None not in powers and len(set(powers)) == len(powers)


def _powers_of(term: Node) -> tuple[tuple[str, int], ...] | None:
    """Return the variables of a term with their powers, sorted; None for what can be worked out further."""
    match term:
        case Number():
            return ()
        case Name(name=name):
            return ((name, 1),)
        case Operation(operator="neg", operands=(inner,)):
            return _powers_of(inner)
        case Operation(operator="^", operands=(Name(name=name), Number(value=power))) if power.denominator == 1:
            return ((name, int(power)),)
        case Operation(operator="/", operands=(top, Number())):
            return _powers_of(top)
        case Operation(operator="*", operands=factors):
            return _powers_of_product(factors)
        case _:
            return None


def _powers_of_product(factors: tuple[Node, ...]) -> tuple[tuple[str, int], ...] | None:
    powers = [_powers_of(factor) for factor in factors]
    if None in powers or powers.count(()) > 1:
        return None
    names = sorted(power for each in powers if each for power in each)
    return tuple(names) if len(dict(names)) == len(names) else None


def rounds_to(answer: Node, value: float) -> bool:
    """Tell whether a decimal with three significant digits or more is the right rounding of a value."""
    match answer:
        case Quantity(value=inner):
            return rounds_to(inner, value)
        case Operation(operator="neg", operands=(inner,)):
            return rounds_to(inner, -value)
        case Operation(operator="%", operands=(inner,)):
            return rounds_to(inner, 100 * value)
        case Number(spelling="decimal", value=written, places=places):
            # Three significant digits: 0.33 for 1/3 is too coarse to show that it was computed.
            digits = len(str(abs(written.numerator * 10**places // written.denominator)))
            return digits >= 3 and abs(float(written) - value) <= 0.5000001 * 10.0**-places
        case _:
            return False


def has_decimals(node: Node) -> bool:
    """Tell whether a number is a decimal with three significant digits or more."""
    match node:
        case Number(spelling="decimal", value=value, places=places):
            return len(str(abs(value.numerator * 10**places // value.denominator))) >= 3
        case Quantity(value=inner) | Operation(operator="neg", operands=(inner,)):
            return has_decimals(inner)
        case _:
            return False


def terminates(node: Node) -> bool:
    """Tell whether a value is rational with a finite decimal expansion."""
    try:
        denominator = exact_value(node).denominator
    except Inexact:
        return False
    for prime in (2, 5):
        while denominator % prime == 0:
            denominator //= prime
    return denominator == 1
