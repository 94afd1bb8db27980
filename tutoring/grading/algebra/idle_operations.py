"""Operations that change nothing: + 0, * 1, / 1, and two minus signs."""

from dataclasses import replace

from tutoring.grading.algebra.nodes import Node, Number, Operation, Relation


def without_idle_operations(node: Node) -> Node:
    """Return the node without operations that leave its numbers as they are; 3/3 as a factor stays."""
    match node:
        case Operation(operator=operator, operands=operands):
            inner = tuple(map(without_idle_operations, operands))
            return _shortened(replace(node, operands=inner), operator, inner)
        case Relation(sides=sides):
            return replace(node, sides=tuple(map(without_idle_operations, sides)))
        case _:
            return node


def _shortened(node: Operation, operator: str, operands: tuple[Node, ...]) -> Node:
    match operator, operands:
        case "+" | "*", _:
            neutral = 0 if operator == "+" else 1
            kept = tuple(each for each in operands if not _is(each, neutral))
            if len(kept) < 2:
                return kept[0] if kept else operands[0]
            return replace(node, operands=kept)
        case "/", (above, below) if _is(below, 1):
            return above
        case "neg", (Operation(operator="neg", operands=(inner,)),):
            return inner
        case "neg", (inner,) if _is(inner, 0):
            return inner
        case _:
            return node


def _is(node: Node, value: int) -> bool:
    return isinstance(node, Number) and node.value == value
