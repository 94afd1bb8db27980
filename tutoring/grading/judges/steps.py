"""Grades a working line by line: each line must follow from the one before, from the question to the answer."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from tutoring.grading.algebra.comparison import compare, is_number, is_same_value
from tutoring.grading.algebra.idle_operations import without_idle_operations
from tutoring.grading.algebra.nodes import Name, Node, Phrase, Relation, Sequence, Unparsable, names_of
from tutoring.grading.algebra.relations import is_equation, is_solved, substitute_values
from tutoring.grading.judges.amounts import judge_expression, judge_numeric
from tutoring.grading.keys import ExpressionKey, NumericKey, StepsKey
from tutoring.grading.parsing.interpretations import parse_key
from tutoring.grading.parsing.normalization import normalize_decimals, normalize_products
from tutoring.grading.parsing.parser import parse
from tutoring.grading.parsing.text_claims import claims_in, has_words, holds
from tutoring.grading.verdicts import Judgement, judged

# Far above any working that was written for the tests; bounds the comparisons.
MAX_LINES = 30
# Below MAX_LENGTH (400), which every line must pass anyway.
MAX_LINE = 300
# The answer alone shows no working; one step between is enough for sums of fractions. Chosen by hand.
STEPS_ASKED = 2
"""Expressions besides the question's that make a working, the answer included."""

type LineStatus = Literal["follows", "aside", "breaks", "unread"]
"""`aside` is a true side calculation, `breaks` does not follow; `unread` does not count."""

# "Step 1:", "2)", "• ", "=>" at the start of a line.
_NUMBERING = re.compile(
    r"\s*(?:step\s*\d{1,2}\s*[:.)]|\d{1,2}\s*[.)]\s+|[•*]\s+)?\s*(?:[=⇒→≡∴]|->|=>)?\s*", re.IGNORECASE
)
# "so the answer …": the number of such a line must be right.
_ANNOUNCES = re.compile(
    r"\W*(?:so\W+|therefore\W+)?(?:(?:the|my|final)\s+)*(?:a|ans|answer|result|solution)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkingLine:
    """A line of a working as typed, and its relation to the one before.

    `says` are its parsed sides; `told` is the calculation within a line with words: "12 + 6 = 18".
    """

    text: str
    standing: LineStatus
    says: tuple[Node, ...] = ()
    told: str = ""


def judge_steps(key: StepsKey, answer: str) -> Judgement:
    """Return the judgement of a working: right, or partly right if lines before the first wrong one make progress.

    Raises Unparsable: "one_step" for less than two steps ("bare_result" if the last is the right result), "idle_step"
    if a line would make two that only adds 0 or multiplies by 1, "too_long", "words" if no line can be read.
    """
    lines = judged_lines(key, answer)
    start = _read(key.start or key.value)
    told = key.start and key.shows_start
    steps = _steps(lines, start) if told else {side for line in lines for side in line.says}
    if not steps:
        raise Unparsable("words" if any(line.standing == "unread" for line in lines) else "empty")
    ending = _judge_ending(key, lines)
    if len(steps) < STEPS_ASKED:
        idle = len({side for line in lines for side in line.says} - {start}) >= STEPS_ASKED
        alone = "bare_result" if ending.verdict == "correct" else "one_step"
        raise Unparsable("idle_step" if key.start and idle else alone)
    broken = next((number for number, line in enumerate(lines) if line.standing == "breaks"), None)
    if broken is None:
        return ending
    led_on = sum(line.standing == "follows" and line.says[-1] != start for line in lines[:broken])
    if ending.verdict == "correct":
        return judged("partial", "breaks")
    # Less than half: a wrong ending never earns as much as a right one with a wrong line. Chosen by hand.
    return judged("partial", "breaks", score=0.5 * led_on / len(lines)) if led_on else judged("wrong", "breaks")


def _steps(lines: tuple[WorkingLine, ...], start: Node) -> set[object]:
    """Return the distinct values, or equations, of a working besides the question's; adding 0 makes no other one."""
    said: set[object] = set()
    for line in lines:
        says = tuple(map(without_idle_operations, line.says))
        said |= {says} if isinstance(start, Relation) and says else set(says)
    asked = without_idle_operations(start)
    return said - {asked, asked.sides if isinstance(asked, Relation) else asked}


def judged_lines(key: StepsKey, answer: str) -> tuple[WorkingLine, ...]:
    """Return every line with its status. A line is compared with the one before, also after a wrong one."""
    texts = [text.strip() for text in answer.splitlines() if text.strip()]
    if len(texts) > MAX_LINES or any(len(text) > MAX_LINE for text in texts):
        raise Unparsable("too_long")
    return tuple(_judged_lines(key, texts))


def first_wrong_line(key: StepsKey, answer: str) -> WorkingLine | None:
    """Return the first line that does not follow; None if all do or nothing can be read."""
    try:
        lines = judged_lines(key, answer)
    except Unparsable:
        return None
    return next((line for line in lines if line.standing == "breaks"), None)


def line_says(line: WorkingLine, wrong: str) -> bool:
    """Tell whether a line, or one of its sides, equals the wrong result of a known mistake."""
    said = parse_key(wrong)
    if said is None:
        return False
    if isinstance(said, Relation) and len(line.says) == 2:
        whole = Relation(sides=line.says, signs=("=",), depth=said.depth)
        return is_same_value(said, whole) or is_same_value(whole, said)
    return any(is_same_value(said, side) for side in line.says)


def _read(text: str) -> Node:
    node = parse_key(normalize_products(normalize_decimals(text), key=text))
    if node is None:
        raise Unparsable("unexpected")
    return node


def _told(key: StepsKey, text: str) -> str:
    return normalize_products(normalize_decimals(_NUMBERING.sub("", text, count=1)), key=key.start + key.value)


def _judged_lines(key: StepsKey, texts: list[str]) -> Iterator[WorkingLine]:
    current, value = _read(key.start or key.value), _read(key.value)
    asked = _letters_asked(texts[-1], value) if texts and is_number(value) else frozenset()
    for number, text in enumerate(texts):
        node, line = _judged(key, text, current, value, asked, ends=number == len(texts) - 1)
        yield line
        if node is not None and line.standing in ("follows", "breaks"):
            current = _going_on(line, node, current)


def _letters_asked(text: str, value: Node) -> frozenset[str]:
    """Return the variables that the last line of a working sets to the answer's value: n of "so n = 7"."""
    told = [claim.node for claim in claims_in(text)]
    solved = [node for node in told if isinstance(node, Relation) and is_equation(node) and is_solved(node)]
    return frozenset(
        name for node in solved if is_same_value(node, value) or is_same_value(value, node) for name in names_of(node)
    )


def _judged(
    key: StepsKey, text: str, current: Node, value: Node, asked: frozenset[str], *, ends: bool
) -> tuple[Node | None, WorkingLine]:
    """Return the parsed line (None if it cannot be read), and its status against the current value."""
    told = _told(key, text)
    if has_words(told):
        return _in_words(text, told, current, value, asked, ends=ends)
    try:
        node = parse(told)
    except Unparsable:
        return _in_words(text, told, current, value, asked, ends=ends)
    return node, _related(text, node, current, value, asked)


def _standing(text: str, node: Node, current: Node, value: Node) -> WorkingLine:
    if isinstance(current, Relation):
        return _as_equation(text, node, current, value)
    return _as_value(text, node, current)


def _in_words(
    text: str, told: str, current: Node, value: Node, asked: frozenset[str], *, ends: bool
) -> tuple[Node | None, WorkingLine]:
    """Grade the calculations and equations in a line with words: the first that is false, or the last that follows.

    A number by itself counts if it equals the line before; as the answer, in the last line, it must.
    """
    claims = claims_in(told)
    related = [claim for claim in claims if isinstance(claim.node, Relation)]
    single = [claim for claim in claims if not isinstance(claim.node, Relation | Phrase)]
    best: tuple[Node | None, WorkingLine] = (None, WorkingLine(text=text, standing="unread"))
    for claim in related:
        line = replace(_related(text, claim.node, current, value, asked), told=claim.text)
        if line.standing == "breaks":
            return claim.node, line
        if line.standing == "follows" or best[1].standing == "unread":
            best = (claim.node, line)
    if best[1].standing == "follows" or (related and not ends) or not single:
        return best
    right = [claim for claim in single if _standing(text, claim.node, current, value).standing == "follows"]
    if right:
        return right[-1].node, WorkingLine(text=text, standing="follows", says=(right[-1].node,), told=right[-1].text)
    if (ends and not related) or _ANNOUNCES.match(told):
        return single[-1].node, WorkingLine(text=text, standing="breaks", says=(single[-1].node,), told=single[-1].text)
    return best


def _related(text: str, node: Node, current: Node, value: Node, asked: frozenset[str]) -> WorkingLine:
    """Grade one claim of a line. An equation in a letter of the learner's own is checked with the answer for it."""
    letters = names_of(node) - names_of(current)
    if not isinstance(node, Relation) or isinstance(current, Relation) or not letters:
        return _standing(text, node, current, value)
    if isinstance(node.sides[0], Name) or not is_number(value):
        return _standing(text, node, current, value)
    if len(letters) == 1 and holds(substitute_values(node, dict.fromkeys(letters, value))):
        return WorkingLine(text=text, standing="aside", says=node.sides)
    return WorkingLine(text=text, standing="breaks" if letters <= asked else "unread", says=node.sides)


def _going_on(line: WorkingLine, node: Node, current: Node) -> Node:
    """Return what the next line is compared with; a wrong side calculation does not change it."""
    if isinstance(current, Relation):
        return node if isinstance(node, Relation) and names_of(node) else current
    led_there = (
        line.standing == "follows" or not isinstance(node, Relation | Sequence) or is_same_value(current, line.says[0])
    )
    return line.says[-1] if led_there else current


def _as_value(text: str, node: Node, current: Node) -> WorkingLine:
    """Grade a line of a calculation: a value, or a chain of equal ones."""
    if isinstance(node, Phrase):
        return WorkingLine(text=text, standing="unread")
    if isinstance(node, Sequence) and all(isinstance(item, Relation) for item in node.items):
        return _beside(text, node)
    if not isinstance(node, Relation):
        return _checked(text, (node,), follows=is_same_value(current, node))
    if not is_equation(node):
        return WorkingLine(text=text, standing="unread")
    sides = node.sides
    if isinstance(sides[0], Name) and not names_of(current) and len(sides) > 1:
        sides = sides[1:]  # "x = 5/6" of a calculation that has no x
    if not all(is_same_value(sides[0], side) for side in sides[1:]):
        return WorkingLine(text=text, standing="breaks", says=sides)
    return WorkingLine(text=text, standing="follows" if is_same_value(current, sides[-1]) else "aside", says=sides)


def _beside(text: str, node: Sequence) -> WorkingLine:
    """Grade side calculations, such as 1/2 = 3/6, 1/3 = 2/6."""
    relations = [item for item in node.items if isinstance(item, Relation)]
    true = all(
        is_equation(each) and all(is_same_value(each.sides[0], side) for side in each.sides[1:]) for each in relations
    )
    says = tuple(side for each in relations for side in each.sides)
    return WorkingLine(text=text, standing="aside" if true else "breaks", says=says)


def _as_equation(text: str, node: Node, current: Relation, value: Node) -> WorkingLine:
    """Grade a line of solving an equation: an equivalent equation, or the number that solves it."""
    if isinstance(node, Sequence) and all(isinstance(item, Relation) for item in node.items):
        follows = any(is_same_value(each, node) for each in (current, value))
        return _checked(text, (node,), follows=follows)
    if isinstance(node, Relation):
        if not names_of(node):
            return WorkingLine(text=text, standing="aside" if holds(node) else "breaks", says=node.sides)
        follows = is_same_value(value, node) or is_same_value(current, node) or is_same_value(node, current)
        return _checked(text, node.sides, follows=follows)
    if is_number(node):
        return _checked(text, (node,), follows=compare(value, node).verdict == "correct")
    return WorkingLine(text=text, standing="unread")


def _checked(text: str, says: tuple[Node, ...], *, follows: bool) -> WorkingLine:
    return WorkingLine(text=text, standing="follows" if follows else "breaks", says=says)


def _judge_ending(key: StepsKey, lines: tuple[WorkingLine, ...]) -> Judgement:
    """Grade the last readable line as the answer."""
    last = next((line for line in reversed(lines) if line.standing in ("follows", "breaks")), None)
    if last is None:
        return judged("partial", "unfinished")
    value, told = _read(key.value), last.told or _told(key, last.text)
    is_one_value = (
        is_equation(value) and is_solved(value) if isinstance(value, Relation) else not isinstance(value, Sequence)
    )
    if is_one_value:
        right, told = _side_told(normalize_decimals(key.value)), _side_told(told)
        return judge_numeric(NumericKey(value=right, form=key.form), told)
    return judge_expression(ExpressionKey(value=key.value, form=key.form), told)


def _side_told(text: str) -> str:
    """Return the side of an equation with the value: the last one, or the first of "4 = x"."""
    sides = text.split("=")
    return sides[0] if len(sides) == 2 and not re.search(r"\d", sides[1]) else sides[-1]
