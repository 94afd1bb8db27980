"""Detects the calculation that a question asks for, however it is written."""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction

from agents.tools.arithmetic import CannotCalculate
from agents.tools.calculator import calculate
from tutoring.grading import ConstructionKey, NumericKey, StepsKey, grade
from tutoring.grading.algebra.comparison import is_number
from tutoring.grading.algebra.exact_value import exact_value
from tutoring.grading.algebra.nodes import Node, Number, Operation, children
from tutoring.grading.keys import AnswerKey
from tutoring.grading.parsing.interpretations import parse_key
from tutoring.output_checks.answer_disclosure import ROUNDED_BY
from tutoring.output_checks.stated_calculations import calculations_in

type Form = object
"""Equal for what is written with the same operands and operations."""
type Parts = Counter[tuple[object, ...]]
"""The terms of a sum, or the factors of a product."""

# round(…), abs(…), sqrt(…): a wrapper does not make it another calculation.
_CALL = re.compile(r"[a-z]+\s*\(", re.IGNORECASE)
_DOUBLED = re.compile(r"\((\([^()]*\))\)")
# "1/2 + 1/3 = 4/6" asks for the value of 1/2 + 1/3, too: a false one is refuted by working it out.
_SIDES = re.compile(r"[=<>≤≥≠?]+")
# "3/5 of 30", "3 x 4".
_TIMES = re.compile(r"\bof\b|(?<=[\d)\s])x(?=[\d(\s])", re.IGNORECASE)


def is_own_calculation(expression: str, *, stem: str, key: AnswerKey) -> bool:
    """Tell whether an expression is, or contains, the stem's calculation of the answer, and has the same value.

    Order, brackets and neutral operations are ignored: 4/9 + 1/4, round(1/4 + 4/9, 9) and sqrt((1/4 + 4/9)^2) are
    1/4 + 4/9. Another calculation with the same value is not.
    """
    if not isinstance(key, NumericKey | StepsKey | ConstructionKey):
        return False
    if isinstance(key, ConstructionKey) and key.board.kind in ("point", "line"):
        return False
    answer = NumericKey(value=key.value)
    own = (
        each for each in calculations_in(stem) if grade(answer, each).verdict in ("correct", "equivalent_not_in_form")
    )
    return any(_holds(expression, each) for each in own)


def appears_in(expression: str, text: str) -> bool:
    """Tell whether an expression, however it is written, occurs in a text; a lone number never does."""
    return any(_holds(expression, each) for each in calculations_in(text))


def _holds(expression: str, own: str) -> bool:
    """Tell whether a side of an expression is `own`, or contains it and has the same value, rounded or not."""
    return any(_side_holds(each, own) for each in _SIDES.split(expression) if each.strip())


def _side_holds(expression: str, own: str) -> bool:
    asked, typed = parse_key(own), _TIMES.sub("*", _without_calls(expression.strip()))
    if not isinstance(asked, Operation) or not is_number(asked):
        return False
    node, parts = parse_key(typed), parts_of(asked)
    if node is not None and parts_of(node) == parts:
        return True
    if node is None or not _is_near(_value(expression), exact_value(asked)):
        return False
    # A fraction may be an operand of any other sum, so it is only searched for where nothing is added to it.
    is_lone = _literal(asked) is not None
    inside = (parts_of(each) for each in _within(node, is_lone=is_lone))
    return any(each == parts if is_lone else parts <= each for each in inside)


def _value(expression: str) -> Fraction | None:
    try:
        found = calculate(expression)
    except CannotCalculate:
        return None
    return Fraction(found.exact or found.decimal)


def _is_near(value: Fraction | None, other: Fraction) -> bool:
    return value is not None and abs(value - other) <= abs(other) * ROUNDED_BY


def _without_calls(text: str) -> str:
    """Return an expression without calls that return an argument (rounded or not), and without double brackets."""
    for call in reversed(list(_CALL.finditer(text))):
        depth, end = 1, call.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        value = _value(text[call.start() : end])
        numbers = [
            (each, number) for each in text[call.end() : end - 1].split(",") if (number := _value(each)) is not None
        ]
        if value is not None and numbers:
            nearest, number = min(numbers, key=lambda each: abs(each[1] - value))
            text = f"{text[: call.start()]}({nearest}){text[end:]}" if _is_near(value, number) else text
    while (single := _DOUBLED.sub(r"\1", text)) != text:
        text = single
    return text


def _within(node: Node, *, is_lone: bool) -> Iterator[Node]:
    yield node
    if not is_lone or parts_of(node).total() < 2:
        for each in children(node):
            yield from _within(each, is_lone=is_lone)


def parts_of(node: Node) -> Parts:
    """Return the terms of a sum but for zeros, or else its factors but for ones, a divisor as a factor to the power -1."""
    terms = list(_terms(node, 1))
    if [sign for sign, _each in terms] == [1]:
        return Counter(("factor", power, _form(each)) for power, each in _factors(terms[0][1], 1))
    return Counter(
        ("term", sign * value) if (value := _literal(each)) is not None else ("term", sign, _form(each))
        for sign, each in terms
    )


def _form(node: Node) -> Form:
    match node:
        case Number(value=value):
            return value
        case Operation(operator="+" | "neg" | "mixed" | "*" | "/"):
            return frozenset(parts_of(node).items())
        case Operation(operator=operator, operands=operands):
            return (operator, *map(_form, operands))
    return repr(node)


def _terms(node: Node, sign: int) -> Iterator[tuple[int, Node]]:
    match node:
        case Operation(operator="+", operands=operands):
            for each in operands:
                yield from _terms(each, sign)
        case Operation(operator="neg", operands=(inner,)):
            yield from _terms(inner, -sign)
        case Operation(operator="mixed", operands=(whole, top, bottom)):
            yield from _terms(whole, sign)
            yield sign, Operation(operator="/", operands=(top, bottom))
        case _ if (1, Number(value=Fraction(0))) not in _factors(node, 1):
            yield sign, node


def _factors(node: Node, power: int) -> Iterator[tuple[int, Node]]:
    match node:
        case _ if is_number(node) and exact_value(node) == 1:
            return
        case Operation(operator="*", operands=operands):
            for each in operands:
                yield from _factors(each, power)
        case Operation(operator="/", operands=(top, bottom)):
            yield from _factors(top, power)
            yield from _factors(bottom, -power)
        case Operation(operator="^", operands=(inner, Number(value=1))):
            yield from _factors(inner, power)
        case Operation(operator="+") if len(terms := list(_terms(node, 1))) == 1 and terms[0][0] == 1:
            yield from _factors(terms[0][1], power)
        case _:
            yield power, node


def _literal(node: Node) -> Fraction | None:
    """Return the value of a number or of a fraction of two; None for anything else."""
    factors = list(_factors(node, 1))
    if len({power for power, _each in factors}) < len(factors) or not all(
        isinstance(each, Number) for _power, each in factors
    ):
        return None
    return exact_value(node) if is_number(node) else None
