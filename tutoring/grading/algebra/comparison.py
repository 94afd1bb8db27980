"""Compares an answer with its key, whatever their structure."""

import re
from collections.abc import Iterator
from dataclasses import replace

from tutoring.grading.algebra.canonical_form import match_letter_case, to_canonical
from tutoring.grading.algebra.equality import Inexact, exact_value
from tutoring.grading.algebra.equality_chains import equation_value, labelled_side, settle_chain
from tutoring.grading.algebra.intervals import interval_of
from tutoring.grading.algebra.nodes import Name, Node, Operation, Phrase, Relation, Sequence, Unparsable, names_of
from tutoring.grading.algebra.relations import answer_side, first_and_last_side, is_equation, is_solved, same_relation
from tutoring.grading.algebra.value_comparison import compare_values
from tutoring.grading.verdicts import Judgement, judged

# Unordered answers are compared pairwise (24² comparisons); no exercise has as many values.
MAX_UNORDERED = 24

# Words for one meaning; other phrases must be equal. "none" alone answers for an empty set.
_ALL = frozenset(
    {"all real numbers", "all reals", "all numbers", "any real number", "any number", "every real number", "reals"}
)
_EMPTY = frozenset(
    {
        "no solution",
        "no solutions",
        "none",
        "no real solution",
        "no real solutions",
        "empty set",
        "dne",
        "does not exist",
        "no solution exists",
        "no solutions exist",
    }
)


def compare(key: Node, answer: Node) -> Judgement:
    """Return how an answer relates to the key: correct, equivalent_not_in_form, sign_error or wrong."""
    key, answer = to_canonical(key), to_canonical(answer)
    settled_key = settle_chain(key) if isinstance(key, Relation) else key
    said = settle_chain(answer) if isinstance(answer, Relation) else answer
    if said is None:
        return judged("wrong", "contradicts")
    key = key if settled_key is None else settled_key
    answer = match_letter_case(key, said)
    if isinstance(key, Phrase) or isinstance(answer, Phrase):
        return _compare_phrases(key, answer)
    if isinstance(key, Relation) or isinstance(answer, Relation):
        return _compare_relations(key, answer)
    if isinstance(key, Sequence) or isinstance(answer, Sequence):
        return _compare_sequences(key, answer)
    return compare_values(key, answer)


def is_same_value(a: Node, b: Node) -> bool:
    """Tell whether two things are equal in any form; what cannot be compared is not."""
    try:
        return compare(a, b).verdict == "correct"
    except Unparsable:
        return False


def _compare_phrases(key: Node, answer: Node) -> Judgement:
    said, right = _words_of(answer), _words_of(key)
    if said is None or right is None:
        if isinstance(answer, Phrase) and not isinstance(key, Phrase):
            raise Unparsable("words")
        return judged("wrong")
    same = said == right or any(said in alike and right in alike for alike in (_EMPTY, _ALL))
    return judged("correct" if same else "wrong")


def _words_of(node: Node) -> str | None:
    """Return the text of a phrase, or of a product of letters: "odd" is parsed as o·d·d."""
    match node:
        case Phrase(words=words):
            return re.sub(r"\b(?:there (?:is|are)|the|an?)\s+", "", words).casefold()
        case Name(name=name):
            return name.casefold()
        case Operation(operator="*", operands=operands) if all(isinstance(operand, Name) for operand in operands):
            return "".join(operand.name for operand in operands if isinstance(operand, Name)).casefold()
        case _:
            return None


def _compare_relations(key: Node, answer: Node) -> Judgement:
    if isinstance(key, Relation) and isinstance(answer, Relation):
        return _compare_two_relations(key, answer)
    if isinstance(key, Relation):
        if (interval := interval_of(key)) is not None:
            return compare(interval, answer)
        side = labelled_side(key) if is_equation(key) else None
        return compare(side, answer) if side is not None else judged("wrong")
    if isinstance(answer, Relation):
        if (interval := interval_of(answer)) is not None:
            return compare(key, interval)
        side = equation_value(answer) if is_equation(answer) else None
        if side is not None:
            return compare(key, side)
    return judged("wrong")


def _compare_two_relations(key: Relation, answer: Relation) -> Judgement:
    left, right = interval_of(key), interval_of(answer)
    if left is not None and right is not None and names_of(key) == names_of(answer):
        return compare(left, right)
    if is_equation(key) and is_equation(answer):
        key, answer = first_and_last_side(key), first_and_last_side(answer)
        if is_solved(key) and names_of(key) == names_of(answer):
            return _compare_solved(key, answer)
        if isinstance(key.sides[0], Operation) and (wanted := labelled_side(key)) is not None:
            said = labelled_side(answer)
            return compare(wanted, said) if said is not None else judged("wrong")
        if not names_of(key):
            return _worst([compare(key.sides[0], answer.sides[0]), compare(key.sides[-1], answer.sides[-1])])
    if same_relation(key, answer):
        return judged("correct")
    if is_equation(key) and is_equation(answer) and isinstance(key.sides[0], Name) and key.sides[0] == answer.sides[0]:
        judgement = compare(key.sides[1], answer.sides[1])
        return judgement if judgement.verdict != "correct" else judged("correct")
    return judged("wrong")


def _compare_solved(key: Relation, answer: Relation) -> Judgement:
    """Grade an answer to "solve for x": the equation itself, rearranged, is not yet an answer."""
    if is_solved(answer):
        return compare(answer_side(key), answer_side(answer))
    return judged("equivalent_not_in_form", "unsolved") if same_relation(key, answer) else judged("wrong")


def _compare_sequences(key: Node, answer: Node) -> Judgement:
    key, answer = _as_tuple(answer, key), _as_tuple(key, answer)
    if not isinstance(key, Sequence) or not isinstance(answer, Sequence):
        return judged("wrong")
    if key.opening in ("(", "[") or answer.opening in ("(", "["):
        return _compare_ordered(key, answer, bracketed=True)
    if _is_unordered(key) or _is_unordered(answer):
        return _compare_unordered(key, answer)
    return _compare_ordered(key, answer, bracketed=False)


def _as_tuple(key: Node, answer: Node) -> Node:
    """Return "x = 2, y = -1" as the point (2, -1) if the key is a point."""
    if not isinstance(key, Sequence) or not isinstance(answer, Sequence) or key.opening != "(" or answer.opening == "(":
        return answer
    return _point(answer)


def _point(answer: Sequence) -> Sequence:
    values: dict[str, Node] = {}
    for item in answer.items:
        if isinstance(item, Relation) and is_equation(item) and isinstance(item.sides[0], Name):
            values[item.sides[0].name] = item.sides[-1]
    if len(values) != len(answer.items):
        return answer
    return replace(answer, items=tuple(values[name] for name in sorted(values)), opening="(", closing=")")


def _is_unordered(node: Sequence) -> bool:
    return node.opening in ("or", "{") or any(isinstance(item, Sequence | Relation) for item in node.items)


def _compare_ordered(key: Sequence, answer: Sequence, *, bracketed: bool) -> Judgement:
    if len(key.items) != len(answer.items):
        return judged("wrong")
    judgement = _worst([compare(*pair) for pair in zip(key.items, answer.items, strict=True)])
    if not bracketed or (key.opening, key.closing) == (answer.opening, answer.closing):
        return judgement
    forgotten = answer.opening == "" and key.opening == "(" and key.closing == ")"
    if judgement.verdict == "correct" and forgotten:
        return judged("equivalent_not_in_form", "brackets")
    return judged("wrong", "brackets" if judgement.verdict == "correct" else "")


def _compare_unordered(key: Sequence, answer: Sequence) -> Judgement:
    wanted, said = tuple(dict.fromkeys(key.items)), tuple(dict.fromkeys(answer.items))
    if len(wanted) != len(said):
        return judged("wrong")
    judgements = [judgement for judgement in best_matches(wanted, said) if judgement is not None]
    return _worst(judgements) if len(judgements) == len(wanted) else judged("wrong")


def best_matches(wanted: tuple[Node, ...], said: tuple[Node, ...]) -> Iterator[Judgement | None]:
    """Yield for each wanted item the judgement of the given item that matches it best, None if none does.

    Each given item is used once. Raises Unparsable("too_long") for more than MAX_UNORDERED.
    """
    if max(len(wanted), len(said)) > MAX_UNORDERED:
        raise Unparsable("too_long")
    left = list(said)
    for thing in wanted:
        place, judgement = _best_match(thing, left)
        if judgement is not None:
            left.pop(place)
        yield judgement


def _best_match(thing: Node, said: list[Node]) -> tuple[int, Judgement | None]:
    place, best = 0, None
    for index, other in enumerate(said):
        judgement = compare(thing, other)
        if judgement.verdict == "correct":
            return index, judgement
        if judgement.verdict == "equivalent_not_in_form" and best is None:
            place, best = index, judgement
    return place, best


def _worst(judgements: list[Judgement]) -> Judgement:
    order = ("wrong", "sign_error", "equivalent_not_in_form", "correct")
    return min(judgements, key=lambda judgement: order.index(judgement.verdict), default=judged("correct"))


def is_number(node: Node) -> bool:
    """Tell whether a node has a rational value."""
    try:
        exact_value(node)
    except Inexact:
        return False
    return True
