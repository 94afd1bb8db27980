"""Grades numbers and expressions."""

import re
from fractions import Fraction
from functools import partial

from tutoring.grading.algebra.canonical_form import to_canonical
from tutoring.grading.algebra.comparison import compare, is_number
from tutoring.grading.algebra.equality import Inexact, are_equal, exact_value
from tutoring.grading.algebra.nodes import (
    Name,
    Node,
    Number,
    Operation,
    Phrase,
    Quantity,
    Relation,
    Sequence,
    Unparsable,
    names_of,
    operation,
    walk,
)
from tutoring.grading.algebra.number_forms import has_form, is_expanded, is_factored, written_form
from tutoring.grading.algebra.relations import answer_side
from tutoring.grading.keys import ExpressionKey, NumericKey
from tutoring.grading.parsing.interpretations import best_reading, parse_key, without_blanks
from tutoring.grading.parsing.normalization import MAX_SEARCHED, normalize_products
from tutoring.grading.parsing.parser import parse
from tutoring.grading.verdicts import Judgement, judged


def judge_numeric(key: NumericKey, answer: str) -> Judgement:
    """Return the judgement of a number, possibly within a sentence that has no other number."""
    right = parse_key(key.value)
    if right is None or not is_number(right):
        return judge_expression(ExpressionKey(value=key.value, form=key.form), answer)
    return best_reading(answer, partial(_judge_number, key, right))


def _judge_number(key: NumericKey, right: Node, said: Node) -> Judgement:
    if isinstance(said, Phrase) or (names_of(said) and not _has_number(said)):
        raise Unparsable("words")
    said = _one_of(said)
    judgement = compare(right, said)
    value, said = exact_value(right), _number_of(said)
    if _is_left_to_do(judgement, right, said):
        return judged("equivalent_not_in_form", "unevaluated", score=0.0)
    if key.form == "decimal" and _is_near(key, value, said):
        judgement = judged("correct")
    elif judgement.verdict != "correct" or written_form(right) == "other":
        return judgement
    return judgement if has_form(said, key.form, value=value) else judged("equivalent_not_in_form", key.form)


def _is_left_to_do(judgement: Judgement, right: Node, said: Node) -> bool:
    """Tell whether an answer has the right value but is not worked out, such as the question itself: "1/4 + 4/9"."""
    return judgement.verdict == "correct" and written_form(said) == "other" != written_form(right)


def _one_of(said: Node) -> Node:
    """Return the one number of "3/4 or 6/8"; different numbers are a guess, and the learner is asked again."""
    if not isinstance(said, Sequence) or said.opening not in ("", "or"):
        return said
    first, *others = said.items
    if any(isinstance(item, Sequence | Phrase) for item in said.items) or not all(
        are_equal(first, other) for other in others
    ):
        raise Unparsable("several")
    return first


def _has_number(node: Node) -> bool:
    return any(not isinstance(inner, Name | Phrase) and not hasattr(inner, "operands") for inner in walk(node))


def _number_of(node: Node) -> Node:
    """Return the number in "x = 3/4", "{3/4}" or "3/4 m"."""
    match node:
        case Relation():
            return _number_of(answer_side(node))
        case Sequence(items=(only,)):
            return _number_of(only)
        case Quantity(value=value):
            return _number_of(value)
        case Operation(operator="*" | "/", operands=(value, *others)) if others and all(
            isinstance(o, Name) for o in others
        ):
            return _number_of(value)
        case _:
            return node


def _is_near(key: NumericKey, value: Fraction, said: Node) -> bool:
    try:
        distance = abs(exact_value(said) - value)
    except Inexact:
        return False
    if key.tolerance is not None:
        return distance <= Fraction(key.tolerance)
    return key.places is not None and distance <= Fraction(1, 2 * 10**key.places)


def judge_expression(key: ExpressionKey, answer: str) -> Judgement:
    """Return the judgement of an expression, equation, interval or list."""
    if key.form in ("any", "exact") and _same_text(key.value, answer):
        return judged("correct")
    right = parse_key(key.value)
    if right is None:
        return judged(
            "correct" if without_blanks(key.value).casefold() == without_blanks(answer).casefold() else "wrong"
        )
    answer = normalize_products(answer[:MAX_SEARCHED], key=key.value)
    judgement = best_reading(answer, partial(_judge_reading, key, right))
    if judgement.verdict == "wrong" and re.search(r"\d,\d{3}", key.value):
        other = parse(key.value, thousands=False)
        return best_reading(answer, partial(_judge_reading, key, other))
    return judgement


def _judge_reading(key: ExpressionKey, right: Node, said: Node) -> Judgement:
    judgement = compare(right, said)
    if judgement.verdict != "correct":
        return judgement
    if key.form == "factored" and not is_factored(said):
        return judged("equivalent_not_in_form", "factored")
    if key.form == "expanded" and not is_expanded(_side_of(said)):
        return judged("equivalent_not_in_form", "expanded")
    if key.form in ("simplified", "fraction", "decimal", "whole") and is_number(right):
        number = _number_of(said)
        if not has_form(number, key.form, value=exact_value(right)):
            return judged("equivalent_not_in_form", key.form)
    return judgement


def _same_text(a: str, b: str) -> bool:
    return without_blanks(a) == without_blanks(b) != ""


def _side_of(node: Node) -> Node:
    """Return the expression of "y = 2x + 1"; any other node unchanged."""
    return answer_side(node) if isinstance(node, Relation) else node


def is_gradable(key: ExpressionKey) -> bool:
    """Tell whether answers in other words than the key can be graded: it can be read, and its values calculated."""
    try:
        right = parse_key(key.value)
        return right is not None and _has_values(to_canonical(right))
    except (Unparsable, RecursionError, ArithmeticError, ValueError, Inexact):
        return False


def _has_values(node: Node) -> bool:
    """Tell whether a node can be compared with another one. Raises Unparsable if a value cannot be calculated."""
    match node:
        case Phrase():
            return True
        case Sequence(items=inner) | Relation(sides=inner):
            return all(map(_has_values, inner))
        case _ if any(isinstance(inner, Sequence) and not inner.items for inner in walk(node)):
            return False
    # Equal nodes are not calculated.
    are_equal(node, operation("+", node, Number(value=Fraction(0))))
    return True
