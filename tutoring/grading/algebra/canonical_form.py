"""Canonical forms: ± as two values, rows as a matrix, capitals as the key's letters."""

from dataclasses import replace

from tutoring.grading.algebra.nodes import (
    Name,
    Node,
    Operation,
    Phrase,
    Relation,
    Sequence,
    depth_over,
    names_of,
    operation,
    walk,
)
from tutoring.grading.algebra.relations import rename_variables

# Letters for any whole number, as in x = π/4 + nπ; learners choose another one than the key.
_ANY_WHOLE = frozenset({"n", "k", "m"})


def to_canonical(node: Node) -> Node:
    """Return the node with ± expanded and the braces around a single item removed."""
    if any(isinstance(inner, Operation) and inner.operator == "±" for inner in walk(node)):
        items = node.items if isinstance(node, Sequence) and node.opening in ("", "or", "{") else (node,)
        both = tuple(version for item in items for version in _both_signs(item))
        node = Sequence(items=both, opening="or", closing="or", depth=depth_over(*both))
    if isinstance(node, Sequence) and node.opening in ("{", "or") and len(node.items) == 1:
        return to_canonical(node.items[0])
    if isinstance(node, Sequence) and node.opening in ("(", "["):
        rows = _rows_within(node)
        return _all_numbers(rows) or _matrix(rows)
    if isinstance(node, Sequence) and node.opening == "{" and not node.items:
        return Phrase(words="no solution")
    return node


def _rows_within(node: Sequence) -> Sequence:
    """Return the rows that stand in brackets of their own, as in ([1, 2], [3, 4]) in brackets; else the node."""
    match node.items:
        case [Sequence(items=[Sequence(), *_]) as inner]:
            return inner
        case _:
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


def match_letter_case(key: Node, answer: Node) -> Node:
    """Return the answer with capitals read as the key's letters, if that is the only difference."""
    wanted, used = names_of(key), names_of(answer)
    if used <= wanted:
        return answer
    if (
        (wanted | used) - (wanted & used) <= _ANY_WHOLE
        and len(used - wanted) == len(wanted - used) == 1
        and has_pi(key)
    ):
        return rename_variables(answer, dict(zip(used - wanted, wanted - used, strict=True)))
    by_case = {name.casefold(): name for name in wanted}
    if len(by_case) < len(wanted) or len({name.casefold() for name in used}) < len(used):
        return answer
    return rename_variables(answer, {name: by_case.get(name.casefold(), name) for name in used})


def has_pi(node: Node) -> bool:
    return any(isinstance(inner, Name) and inner.name == "π" for inner in walk(node))
