"""Linear expressions as coefficients: 2x - 1 has 2 for x and -1 without a variable."""

from collections.abc import Mapping
from fractions import Fraction

from tutoring.grading.algebra.nodes import Name, Node, Number, Operation, Unparsable

type LinearForm = Mapping[str, Fraction]
"""Coefficients by variable; that of "" is the constant. Zeros are left out."""


def linear_form(node: Node) -> LinearForm:
    """Return the coefficients of an expression. Raises Unparsable "unexpected" if it is not linear."""
    match node:
        case Number(value=value):
            return _without_zeros({"": value})
        case Name(name=name):
            return {name: Fraction(1)}
        case Operation(operator="neg", operands=(inner,)):
            return scaled(linear_form(inner), Fraction(-1))
        case Operation(operator="+" | "mixed", operands=terms):
            total: LinearForm = {}
            for term in terms:
                total = added(total, linear_form(term))
            return total
        case Operation(operator="*", operands=factors):
            product: LinearForm = {"": Fraction(1)}
            for factor in factors:
                product = _product(product, linear_form(factor))
            return product
        case Operation(operator="/", operands=(top, bottom)):
            return scaled(linear_form(top), 1 / _number(linear_form(bottom)))
        case _:
            raise Unparsable("unexpected")


def added(one: LinearForm, other: LinearForm, *, times: Fraction = Fraction(1)) -> LinearForm:
    """Return one form plus the other, which counts so many times."""
    return _without_zeros(
        {name: one.get(name, Fraction(0)) + other.get(name, Fraction(0)) * times for name in (*one, *other)}
    )


def scaled(form: LinearForm, by: Fraction) -> LinearForm:
    return _without_zeros({name: value * by for name, value in form.items()})


def _product(one: LinearForm, other: LinearForm) -> LinearForm:
    if one.keys() <= {""}:
        return scaled(other, one.get("", Fraction(0)))
    return scaled(one, other.get("", Fraction(0))) if other.keys() <= {""} else _refused()


def _refused() -> LinearForm:
    raise Unparsable("unexpected")


def _number(form: LinearForm) -> Fraction:
    if form.keys() - {""}:
        raise Unparsable("unexpected")
    if not form:
        raise Unparsable("division_by_zero")
    return form[""]


def _without_zeros(form: Mapping[str, Fraction]) -> LinearForm:
    return {name: value for name, value in form.items() if value}
