"""Compare what an answer says with what is right, whatever its structure."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import TypeIs

from .chains import labelled, settled, value_of
from .forms import has_decimals, rounds_to, terminates
from .intervals import interval_of
from .nodes import (
    DEGREES,
    Name,
    Node,
    Number,
    Operation,
    Phrase,
    Quantity,
    Relation,
    Sequence,
    Unparsable,
    depth_over,
    in_radians,
    names_of,
    operation,
    walk,
)
from .relations import answer_side, ends_of, is_equation, is_solved, renamed, same_relation
from .sampled import approximate
from .units import Unit, as_quantity, in_base_units, unit_of
from .values import Inexact, equal, exact
from .verdicts import Judgement, judged
from .words import UNIT_LETTERS, UNIT_WORDS

# Unordered answers are compared each with each, so their number is bounded.
MAX_UNORDERED = 24

# What stands for any whole number in x = π/4 + nπ.
_ANY_WHOLE = frozenset({"n", "k", "m"})
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
    key, answer = _plain(key), _plain(answer)
    settled_key = settled(key) if isinstance(key, Relation) else key
    said = settled(answer) if isinstance(answer, Relation) else answer
    if said is None:
        return judged("wrong", "contradicts")
    key = key if settled_key is None else settled_key
    answer = _named_like(key, said)
    if isinstance(key, Phrase) or isinstance(answer, Phrase):
        return _compare_phrases(key, answer)
    if isinstance(key, Relation) or isinstance(answer, Relation):
        return _compare_relations(key, answer)
    if isinstance(key, Sequence) or isinstance(answer, Sequence):
        return _compare_sequences(key, answer)
    return _compare_values(key, answer)


def same(a: Node, b: Node) -> bool:
    """Tell whether two things are worth the same, in any form; what cannot be compared is not."""
    try:
        return compare(a, b).verdict == "correct"
    except Unparsable:
        return False


def _plain(node: Node) -> Node:
    """Return the node with ± written out and with the braces around a single thing taken off."""
    if any(isinstance(inner, Operation) and inner.operator == "±" for inner in walk(node)):
        items = node.items if isinstance(node, Sequence) and node.opening in ("", "or", "{") else (node,)
        both = tuple(version for item in items for version in _both_signs(item))
        node = Sequence(items=both, opening="or", closing="or", depth=depth_over(*both))
    if isinstance(node, Sequence) and node.opening in ("{", "or") and len(node.items) == 1:
        return _plain(node.items[0])
    if isinstance(node, Sequence) and node.opening in ("(", "["):
        if (
            len(node.items) == 1
            and isinstance(inner := node.items[0], Sequence)
            and isinstance(inner.items[0], Sequence)
        ):
            node = inner
        return _all_numbers(node) or _matrix(node)
    if isinstance(node, Sequence) and node.opening == "{" and not node.items:
        return Phrase(words="no solution")
    return node


def _all_numbers(node: Sequence) -> Phrase | None:
    """Return (-∞, ∞) in words."""
    ends = (operation("neg", Name(name="∞")), Name(name="∞"))
    return Phrase(words="all real numbers") if node.items == ends else None


def _matrix(node: Sequence) -> Sequence:
    """Return rows of one length with square brackets throughout, and a single column as a plain list."""
    rows = [item for item in node.items if isinstance(item, Sequence) and item.opening in ("(", "[")]
    if len(rows) != len(node.items) or len({len(row.items) for row in rows}) != 1:
        return node
    if len(rows) > 1 and len(rows[0].items) == 1:
        return replace(node, items=tuple(row.items[0] for row in rows), opening="[", closing="]")
    square = tuple(replace(row, opening="[", closing="]") for row in rows)
    return replace(node, items=square, opening="[", closing="]")


def _both_signs(node: Node) -> tuple[Node, ...]:
    plus, minus = _with_sign(node, "+"), _with_sign(node, "-")
    return (node,) if plus == node else (plus, minus)


def _with_sign(node: Node, sign: str) -> Node:
    match node:
        case Operation(operator="±", operands=(left, right)):
            left, right = _with_sign(left, sign), _with_sign(right, sign)
            return operation("+", left, right if sign == "+" else operation("neg", right))
        case Operation(operands=operands):
            return replace(node, operands=tuple(_with_sign(operand, sign) for operand in operands))
        case Relation(sides=sides):
            return replace(node, sides=tuple(_with_sign(side, sign) for side in sides))
        case _:
            return node


def _named_like(key: Node, answer: Node) -> Node:
    """Return the answer with capitals read as the key's letters where that is the only difference."""
    wanted, used = names_of(key), names_of(answer)
    if used <= wanted:
        return answer
    if (
        (wanted | used) - (wanted & used) <= _ANY_WHOLE
        and len(used - wanted) == len(wanted - used) == 1
        and _has_pi(key)
    ):
        return renamed(answer, dict(zip(used - wanted, wanted - used, strict=True)))
    by_case = {name.casefold(): name for name in wanted}
    if len(by_case) < len(wanted) or len({name.casefold() for name in used}) < len(used):
        return answer
    return renamed(answer, {name: by_case.get(name.casefold(), name) for name in used})


def _has_pi(node: Node) -> bool:
    return any(isinstance(inner, Name) and inner.name == "π" for inner in walk(node))


def _compare_phrases(key: Node, answer: Node) -> Judgement:
    said, right = _words_of(answer), _words_of(key)
    if said is None or right is None:
        if isinstance(answer, Phrase) and not isinstance(key, Phrase):
            raise Unparsable("words")
        return judged("wrong")
    same = said == right or any(said in alike and right in alike for alike in (_EMPTY, _ALL))
    return judged("correct" if same else "wrong")


def _words_of(node: Node) -> str | None:
    """Return the letters of a phrase, or of a product of letters such as "odd" might be read as."""
    match node:
        case Phrase(words=words):
            return re.sub(r"\b(?:there (?:is|are)|the|an?)\s+", "", words).casefold()
        case Name(name=name):
            return name.casefold()
        case Operation(operator="*", operands=operands) if all(isinstance(operand, Name) for operand in operands):
            return "".join(operand.name for operand in operands if isinstance(operand, Name)).casefold()
        case _:
            return None


def _compare_values(key: Node, answer: Node) -> Judgement:
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
    if equal(key, answer):
        return unit
    if _is_percentage(key) and not _is_percentage(answer) and equal(key.operands[0], answer):
        return judged("correct")
    if _is_percentage(answer) and not _is_percentage(key) and equal(key, answer.operands[0]):
        return judged("equivalent_not_in_form", "unit")
    if _is_rounded(key, answer):
        return judged("equivalent_not_in_form", "rounded")
    if equal(key, operation("neg", answer)):
        return judged("sign_error")
    return judged("wrong")


def _is_percentage(node: Node) -> TypeIs[Operation]:
    return isinstance(node, Operation) and node.operator == "%"


def _compare_measures(key: Quantity, answer: Quantity, own: Unit, told: Unit) -> Judgement:
    """Judge a measure in units that are known: 2 m is 200 cm; 2 cm is neither."""
    if own == told:
        return _compare_values(key.value, answer.value)
    if own[0] == told[0] and equal(in_base_units(key, own), in_base_units(answer, told)):
        return judged("correct")
    same_number = _compare_values(key.value, answer.value).verdict == "correct"
    return judged("equivalent_not_in_form", "unit") if same_number else judged("wrong")


def _angle_like(other: Node, node: Node) -> Node:
    """Return degrees in radians where they are compared with a multiple of π."""
    is_angle = isinstance(node, Quantity) and node.unit in DEGREES
    return in_radians(node) if is_angle and not isinstance(other, Quantity) and _has_pi(other) else node


def _without_unit_letters(key: Node, answer: Node) -> Node:
    """Read "5 m" as five metres where the right answer has no variable."""
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
    """Tell whether the answer rounds an endless decimal well, or says a rounded key more exactly than asked."""
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


def _compare_relations(key: Node, answer: Node) -> Judgement:
    if isinstance(key, Relation) and isinstance(answer, Relation):
        return _compare_two_relations(key, answer)
    if isinstance(key, Relation):
        if (interval := interval_of(key)) is not None:
            return compare(interval, answer)
        side = labelled(key) if is_equation(key) else None
        return compare(side, answer) if side is not None else judged("wrong")
    if isinstance(answer, Relation):
        if (interval := interval_of(answer)) is not None:
            return compare(key, interval)
        side = value_of(answer) if is_equation(answer) else None
        if side is not None:
            return compare(key, side)
    return judged("wrong")


def _compare_two_relations(key: Relation, answer: Relation) -> Judgement:
    left, right = interval_of(key), interval_of(answer)
    if left is not None and right is not None and names_of(key) == names_of(answer):
        return compare(left, right)
    if is_equation(key) and is_equation(answer):
        key, answer = ends_of(key), ends_of(answer)
        if is_solved(key) and names_of(key) == names_of(answer):
            return _compare_solved(key, answer)
        if isinstance(key.sides[0], Operation) and (wanted := labelled(key)) is not None:
            said = labelled(answer)
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
    """Judge an answer to "solve for x": the equation itself, rearranged, is not yet an answer."""
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
    """Read "x = 2, y = -1" as the point (2, -1) where the key is one."""
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
    """Yield for each wanted thing the judgement of the said thing that matches it best, None where nothing does.

    Each said thing is used once. Raises Unparsable("too_long") for more than MAX_UNORDERED.
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
        exact(node)
    except Inexact:
        return False
    return True
