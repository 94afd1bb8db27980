"""Compares two values with their units, percentages, angles and roundings."""

import re
from typing import TypeIs

from tutoring.grading.algebra.canonical_form import has_pi
from tutoring.grading.algebra.equality import are_equal
from tutoring.grading.algebra.nodes import (
    DEGREES,
    Name,
    Node,
    Number,
    Operation,
    Quantity,
    in_radians,
    names_of,
    operation,
    walk,
)
from tutoring.grading.algebra.number_forms import has_decimals, rounds_to, terminates
from tutoring.grading.algebra.sampled_value import approximate
from tutoring.grading.algebra.units import Unit, as_quantity, in_base_units, unit_of
from tutoring.grading.language.vocabulary import UNIT_LETTERS, UNIT_WORDS
from tutoring.grading.verdicts import Judgement, judged


def compare_values(key: Node, answer: Node) -> Judgement:
    """Return how a value relates to the right one: correct, equivalent_not_in_form, sign_error or wrong."""
    answer = _without_unit_letters(key, answer)
    if isinstance(answer, Quantity) and not isinstance(key, Quantity):
        key = as_quantity(key)
    if isinstance(key, Quantity):
        answer = as_quantity(answer)
    if isinstance(key, Quantity) and isinstance(answer, Quantity):
        own, told = unit_of(key.unit), unit_of(answer.unit)
        if own is not None and told is not None:
            return _compare_measures(key, answer, own, told)
    key, answer = _angle_like(answer, key), _angle_like(key, answer)
    unit = _unit_judgement(key, answer)
    if are_equal(key, answer):
        return unit
    if _is_percentage(key) and not _is_percentage(answer) and are_equal(key.operands[0], answer):
        return judged("correct")
    if _is_percentage(answer) and not _is_percentage(key) and are_equal(key, answer.operands[0]):
        return judged("equivalent_not_in_form", "unit")
    if _is_rounded(key, answer):
        return judged("equivalent_not_in_form", "rounded")
    if are_equal(key, operation("neg", answer)):
        return judged("sign_error")
    return judged("wrong")


def _is_percentage(node: Node) -> TypeIs[Operation]:
    return isinstance(node, Operation) and node.operator == "%"


def _compare_measures(key: Quantity, answer: Quantity, own: Unit, told: Unit) -> Judgement:
    """Grade a measure in known units: 2 m equals 200 cm, but not 2 cm."""
    if own == told:
        return compare_values(key.value, answer.value)
    if own[0] == told[0] and are_equal(in_base_units(key, own), in_base_units(answer, told)):
        return judged("correct")
    same_number = compare_values(key.value, answer.value).verdict == "correct"
    return judged("equivalent_not_in_form", "unit") if same_number else judged("wrong")


def _angle_like(other: Node, node: Node) -> Node:
    """Return degrees in radians if they are compared with a multiple of π."""
    is_angle = isinstance(node, Quantity) and node.unit in DEGREES
    return in_radians(node) if is_angle and not isinstance(other, Quantity) and has_pi(other) else node


def _without_unit_letters(key: Node, answer: Node) -> Node:
    """Return 5·m as five meters if the right answer has no variable."""
    names = names_of(answer)
    if names_of(key) or not names or not names <= UNIT_LETTERS:
        return answer
    match answer:
        case Operation(operator="*", operands=(value, *units)) if all(isinstance(unit, Name) for unit in units):
            return Quantity(value=value, unit=" ".join(sorted(names)), depth=answer.depth)
        case Operation(operator="/", operands=(Operation(operator="*", operands=(value, Name())), Name())):
            return Quantity(value=value, unit="/".join(sorted(names)), depth=answer.depth)
        case _:
            return answer


def _unit_judgement(key: Node, answer: Node) -> Judgement:
    if isinstance(key, Quantity) and isinstance(answer, Quantity):
        wanted, used = _singular(key.unit), _singular(answer.unit)
        if wanted != used and not (used and wanted.startswith(used)) and not (wanted and used.startswith(wanted)):
            # "2 real solutions" for "2 complex solutions" is no other unit.
            told = [unit.casefold().split() for unit in (key.unit, answer.unit)]
            same_thing = set(told[0]) & set(told[1]) - UNIT_WORDS
            return judged("wrong") if same_thing else judged("equivalent_not_in_form", "unit")
    return judged("correct")


def _singular(unit: str) -> str:
    return re.sub(r"[^a-z0-9/^]", "", re.sub(r"(?<=[a-z]{2})e?s\b", "", unit.casefold()))


def _is_rounded(key: Node, answer: Node) -> bool:
    """Tell whether the answer rounds a non-terminating value well, or is more exact than a rounded key."""
    if names_of(key) or names_of(answer):
        return False
    right, said = approximate(key, {}), approximate(answer, {})
    if right is None or said is None or right.imag or said.imag:
        return False
    if not terminates(key):
        return rounds_to(answer, right.real)
    return has_decimals(key) and _places(answer) > _places(key) and rounds_to(key, said.real)


def _places(node: Node) -> int:
    return max((inner.places for inner in walk(node) if isinstance(inner, Number)), default=0)
