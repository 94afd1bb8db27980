"""Judge a working line by line: each line follows from the one before it, from the question to the answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from .amounts import judge_expression, judge_numeric
from .comparing import compare, is_number, same
from .keys import ExpressionKey, NumericKey, StepsKey
from .nodes import Name, Node, Phrase, Relation, Sequence, Unparsable, names_of
from .parsing import parse
from .readings import key_node
from .relations import is_equation, is_solved
from .spelling import with_products
from .verdicts import Judgement, judged

MAX_LINES = 30
MAX_LINE = 300
STEPS_ASKED = 2
"""Expressions beyond the question's own that make a working, the answer among them."""

type Standing = Literal["follows", "aside", "breaks", "unread"]
"""`aside` is a true calculation beside the main one, `breaks` does not follow; "unread" is not held against anyone."""

_NUMBERING = re.compile(
    r"\s*(?:step\s*\d{1,2}\s*[:.)]|\d{1,2}\s*[.)]\s+|[•*]\s+)?\s*(?:[=⇒→≡∴]|->|=>)?\s*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a working as it was typed, and how it stands to the one before; `says` are its sides, as read."""

    text: str
    standing: Standing
    says: tuple[Node, ...] = ()


def judge_steps(key: StepsKey, answer: str) -> Judgement:
    """Return the judgement of a working: right, or partly where lines before the first wrong one lead on.

    Raises Unparsable: "one_step" for less than two steps, right or not, "too_long", "words" where no line can be read.
    """
    lines = judged_lines(key, answer)
    start = _read(key.start or key.value)
    steps = _steps(lines, start) if key.start else {side for line in lines for side in line.says}
    if not steps:
        raise Unparsable("words" if any(line.standing == "unread" for line in lines) else "empty")
    if len(steps) < STEPS_ASKED:
        raise Unparsable("one_step")
    ending = _judge_ending(key, lines)
    broken = next((number for number, line in enumerate(lines) if line.standing == "breaks"), None)
    if broken is None:
        return ending
    led_on = sum(line.standing == "follows" and line.says[-1] != start for line in lines[:broken])
    if ending.verdict == "correct":
        return judged("partial", "breaks")
    return judged("partial", "breaks", score=0.5 * led_on / len(lines)) if led_on else judged("wrong", "breaks")


def _steps(lines: tuple[Line, ...], start: Node) -> set[object]:
    """Return what a working says beyond the question: different values, or different equations."""
    said: set[object] = set()
    for line in lines:
        said |= {line.says} if isinstance(start, Relation) and line.says else set(line.says)
    return said - {start, start.sides if isinstance(start, Relation) else start}


def judged_lines(key: StepsKey, answer: str) -> tuple[Line, ...]:
    """Return every line with how it stands. A line is held against the one before, also after a wrong one."""
    texts = [text.strip() for text in answer.splitlines() if text.strip()]
    if len(texts) > MAX_LINES or any(len(text) > MAX_LINE for text in texts):
        raise Unparsable("too_long")
    return tuple(_judged_lines(key, texts))


def first_broken(key: StepsKey, answer: str) -> Line | None:
    """Return the first line that does not follow; None where all do or nothing can be read."""
    try:
        lines = judged_lines(key, answer)
    except Unparsable:
        return None
    return next((line for line in lines if line.standing == "breaks"), None)


def line_says(line: Line, wrong: str) -> bool:
    """Tell whether a line says what a mistake is known to say: the whole line or one of its sides."""
    said = key_node(wrong)
    if said is None:
        return False
    if isinstance(said, Relation) and len(line.says) == 2:
        whole = Relation(sides=line.says, signs=("=",), depth=said.depth)
        return same(said, whole) or same(whole, said)
    return any(same(said, side) for side in line.says)


def _read(text: str) -> Node:
    node = key_node(text)
    if node is None:
        raise Unparsable("unexpected")
    return node


def _told(key: StepsKey, text: str) -> str:
    return with_products(_NUMBERING.sub("", text, count=1), key=key.start + key.value)


def _judged_lines(key: StepsKey, texts: list[str]) -> Iterator[Line]:
    current, value = _read(key.start or key.value), _read(key.value)
    for text in texts:
        try:
            node = parse(_told(key, text))
        except Unparsable:
            yield Line(text=text, standing="unread")
            continue
        line = (
            _as_equation(text, node, current, value)
            if isinstance(current, Relation)
            else _as_value(text, node, current)
        )
        yield line
        if line.standing in ("follows", "breaks"):
            current = _going_on(line, node, current)


def _going_on(line: Line, node: Node, current: Node) -> Node:
    """Return what the next line is held against: a wrong calculation beside the main one leads nowhere."""
    if isinstance(current, Relation):
        return node if isinstance(node, Relation) and names_of(node) else current
    led_there = line.standing == "follows" or not isinstance(node, Relation | Sequence) or same(current, line.says[0])
    return line.says[-1] if led_there else current


def _as_value(text: str, node: Node, current: Node) -> Line:
    """Judge a line of a calculation: a value, or a chain of equal ones."""
    if isinstance(node, Phrase):
        return Line(text=text, standing="unread")
    if isinstance(node, Sequence) and all(isinstance(item, Relation) for item in node.items):
        return _beside(text, node)
    if not isinstance(node, Relation):
        return Line(text=text, standing="follows" if same(current, node) else "breaks", says=(node,))
    if not is_equation(node):
        return Line(text=text, standing="unread")
    sides = node.sides
    if isinstance(sides[0], Name) and not names_of(current) and len(sides) > 1:
        sides = sides[1:]  # "x = 5/6" of a calculation that has no x
    if not all(same(sides[0], side) for side in sides[1:]):
        return Line(text=text, standing="breaks", says=sides)
    return Line(text=text, standing="follows" if same(current, sides[-1]) else "aside", says=sides)


def _beside(text: str, node: Sequence) -> Line:
    """Judge calculations beside the main one, such as 1/2 = 3/6, 1/3 = 2/6."""
    relations = [item for item in node.items if isinstance(item, Relation)]
    true = all(is_equation(each) and all(same(each.sides[0], side) for side in each.sides[1:]) for each in relations)
    says = tuple(side for each in relations for side in each.sides)
    return Line(text=text, standing="aside" if true else "breaks", says=says)


def _as_equation(text: str, node: Node, current: Relation, value: Node) -> Line:
    """Judge a line of solving an equation: an equation that says the same, or the number that solves it."""
    if isinstance(node, Relation) and is_equation(node):
        if not names_of(node):
            true = all(same(node.sides[0], side) for side in node.sides[1:])
            return Line(text=text, standing="aside" if true else "breaks", says=node.sides)
        follows = same(current, node) or same(node, current)
        return Line(text=text, standing="follows" if follows else "breaks", says=node.sides)
    if is_number(node):
        return Line(
            text=text, standing="follows" if compare(value, node).verdict == "correct" else "breaks", says=(node,)
        )
    return Line(text=text, standing="unread")


def _judge_ending(key: StepsKey, lines: tuple[Line, ...]) -> Judgement:
    """Judge the last line that could be read as the answer."""
    last = next(line for line in reversed(lines) if line.standing != "unread")
    if last.standing == "aside":
        return judged("partial", "unfinished")
    value, told = _read(key.value), _told(key, last.text)
    if not isinstance(value, Relation) or is_solved(value):
        right, told = _side_told(key.value), _side_told(told)
        return judge_numeric(NumericKey(value=right, form=key.form), told)
    return judge_expression(ExpressionKey(value=key.value, form=key.form), told)


def _side_told(text: str) -> str:
    """Return the side of an equation that says the most: the last one, or the first of "4 = x"."""
    sides = text.split("=")
    return sides[0] if len(sides) == 2 and not re.search(r"\d", sides[1]) else sides[-1]
