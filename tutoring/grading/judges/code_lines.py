"""Grades lines of a program that were put in order and indented."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.judges.programs import PARTLY_FROM, judge_cases, program_in
from tutoring.grading.programs.keys import INDENT, LinesKey
from tutoring.grading.programs.outcomes import Outcomes, programs_of
from tutoring.grading.verdicts import Judgement, Verdict

type Placed = tuple[tuple[str, int], ...]
"""The lines of a program: text without indentation, and its level from 0."""

INDENT_ONLY = 0.5
"""Score for the right lines in the right order, wrongly indented."""
MAX_PLACED = 24
_LETTERS = re.compile(r"\s*(?:[,;]|->|→|\bthen\b|\s)\s*")
_LEVELLED = re.compile(r"(>*)\(?([A-Za-z])\)?")


def levels_of(lines: Iterable[str]) -> Placed:
    """Return the lines of a program with their levels of indentation, whatever the width of a level."""
    placed: list[tuple[str, int]] = []
    widths: list[int] = []
    for line in lines:
        text = line.strip()
        if not text:
            continue
        width = len(line) - len(line.lstrip())
        while widths and widths[-1] > width:
            widths.pop()
        if not widths or widths[-1] < width:
            widths.append(width)
        placed.append((_squeezed(text), len(widths) - 1))
    return tuple(placed)


def program_of(placed: Placed) -> str:
    """Return the text of a program, four spaces for each level."""
    return "\n".join(f"{' ' * INDENT * level}{text}" for text, level in placed)


def arranged_program(key: LinesKey, answer: str) -> str:
    """Return the program that an answer puts together, whether of lines or of letters; the answer if it is none."""
    try:
        return program_of(_placed(key, answer))
    except Unparsable:
        return answer


def arrangement_programs(key: LinesKey, answer: str) -> tuple[str, ...]:
    """Return the programs to run for an answer; none if it is known to be right, or nothing of a kind can be known."""
    try:
        placed = _placed(key, answer)
    except Unparsable:
        return ()
    return programs_of(program_of(placed), key.cases) if key.cases and placed not in _right(key) else ()


def arranged_letters(key: LinesKey, answer: str) -> tuple[tuple[str, int], ...]:
    """Return the letters of an answer with their levels; none of one that cannot be read."""
    try:
        placed = _placed(key, answer)
        letters = _letters_of(key, [text for text, _ in placed])
    except Unparsable:
        return ()
    return tuple((letter, level) for letter, (_, level) in zip(letters, placed, strict=True))


def is_arranged_as(key: LinesKey, answer: str, lines: Sequence[str]) -> bool:
    """Tell whether an answer has just these lines."""
    try:
        return _placed(key, answer) == levels_of(lines)
    except Unparsable:
        return False


def judge_lines(key: LinesKey, answer: str, outcomes: Outcomes) -> Judgement:
    """Return the judgement of lines, given as the lines themselves or by letters: "B, >A" puts A one level deeper.

    `chosen` are the letters in the given order, with their levels. `reason` tells what is wrong first: "indent 2" (the second line),
    "spare" (a line that does not belong), "missing", or "order 2". Raises Unparsable "empty", "no_such_line",
    "twice", or "incomplete" if lines are left out though all are needed.
    """
    placed = _placed(key, answer)
    letters = tuple(f"{'>' * level}{letter}" for letter, level in arranged_letters(key, answer))
    right = _right(key)
    if placed in right:
        return Judgement(verdict="correct", score=1.0, chosen=letters)
    failure = None
    if key.cases:
        ran = judge_cases(program_of(placed), key.cases, outcomes)
        if ran.is_correct:
            return Judgement(verdict="correct", score=1.0, chosen=letters)
        if ran.reason == "not_run":
            return ran
        failure = ran.failure
    nearest = max(right, key=lambda each: _common(placed, each))
    reason, score = _mistake(placed, nearest, offered=len(key.options))
    verdict: Verdict = "partial" if score >= PARTLY_FROM else "wrong"
    return Judgement(verdict=verdict, score=score, chosen=letters, reason=reason, failure=failure)


def _right(key: LinesKey) -> tuple[Placed, ...]:
    return tuple(levels_of(lines) for lines in (key.lines, *key.also))


def _mistake(placed: Placed, right: Placed, *, offered: int) -> tuple[str, float]:
    ours, theirs = [text for text, _ in placed], [text for text, _ in right]
    first = next(
        (at for at, pair in enumerate(zip(placed, right, strict=False)) if pair[0] != pair[1]),
        min(len(placed), len(right)),
    )
    if ours == theirs:
        return f"indent {first + 1}", INDENT_ONLY
    score = min(0.75, _common(placed, right) / max(len(placed), len(right)))
    if Counter(ours) - Counter(theirs):
        return "spare", score
    if len(ours) < len(theirs):
        if offered == len(theirs):
            raise Unparsable("incomplete")
        return "missing", score
    return f"order {first + 1}", score


def _common(first: Placed, second: Placed) -> int:
    """Return the length of the longest common subsequence of the lines' texts."""
    ours, theirs = [text for text, _ in first], [text for text, _ in second]
    row = [0] * (len(theirs) + 1)
    for mine in ours:
        above = row[:]
        for at, other in enumerate(theirs, start=1):
            row[at] = above[at - 1] + 1 if mine == other else max(above[at], row[at - 1])
    return row[-1]


def _placed(key: LinesKey, answer: str) -> Placed:
    """Return the lines of an answer. Raises Unparsable."""
    lines = [line for line in program_in(answer).split("\n") if line.strip()]
    texts = dict(key.options)
    if len(lines) == 1 and _squeezed(lines[0]) not in map(_squeezed, texts.values()):
        return _by_letters(lines[0], texts)
    if len(lines) > MAX_PLACED:
        raise Unparsable("too_long")
    named = [_line_named(line, texts) for line in lines]
    placed = levels_of(named)
    _letters_of(key, [text for text, _ in placed])
    return placed


def _line_named(line: str, texts: dict[str, str]) -> str:
    """Return a line of the program for one that has only its letter."""
    name = line.strip().strip("().").upper()
    if name in texts and line.strip() not in texts.values():
        return line[: len(line) - len(line.lstrip())] + texts[name]
    return line


def _by_letters(line: str, texts: dict[str, str]) -> Placed:
    pieces = [piece for piece in _LETTERS.split(line.strip()) if piece]
    if len(pieces) == 1 and set(pieces[0].upper()) <= set(texts):
        pieces = list(pieces[0])
    found = [_LEVELLED.fullmatch(piece) for piece in pieces[: MAX_PLACED + 1]]
    if not all(match and match[2].upper() in texts for match in found):
        raise Unparsable("no_such_line")
    letters = [match[2].upper() for match in found if match]
    if len(set(letters)) < len(letters):
        raise Unparsable("twice")
    return tuple(
        (_squeezed(texts[letter]), len(match[1])) for letter, match in zip(letters, found, strict=True) if match
    )


def _letters_of(key: LinesKey, texts: Sequence[str]) -> list[str]:
    """Return the letter of each line. Raises Unparsable for a line that is not offered, or not so often."""
    left = [(letter, _squeezed(text)) for letter, text in key.options]
    known = {text for _, text in left}
    letters = []
    for text in texts:
        found = next((pair for pair in left if pair[1] == text), None)
        if found is None:
            raise Unparsable("twice" if text in known else "no_such_line")
        left.remove(found)
        letters.append(found[0])
    return letters


def _squeezed(text: str) -> str:
    """Return a line of code with single spaces, and none at its ends: people type them differently."""
    return " ".join(text.split())
