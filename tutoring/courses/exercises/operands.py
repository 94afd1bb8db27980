"""The numbers that a question works with, to tell whether two questions ask for the same sum."""

import re
from collections.abc import Iterator

from tutoring.courses.exercises.exercise import Exercise
from tutoring.grading.boards import Board, CombineBoard

type Operands = frozenset[tuple[str, ...]]
"""Groups of numbers that are worked with together, each sorted: `("1/2", "1/6")`."""

_FRACTION = r"(?:\d+ )?\d+/\d+"
_NUMBER = re.compile(rf"{_FRACTION}|\d+(?:\.\d+)?")
_PAIR = re.compile(rf"({_FRACTION})\s*[-+−–×*·÷:]\s*({_FRACTION})")


def operands_of(exercise: Exercise) -> Operands:
    """Return the groups of numbers of an exercise: whatever stands between them, and in whatever order."""
    return text_operands(exercise.stem) | board_operands(exercise.board)


def text_operands(text: str) -> Operands:
    """Return the groups of numbers of a question: its fractions, each sum in it, or all its numbers if it has one fraction."""
    return frozenset(_groups(text))


def board_operands(board: Board | None) -> Operands:
    """Return the two numbers of bars to combine; empty for any other board."""
    if not isinstance(board, CombineBoard):
        return frozenset()
    return frozenset({_group(str(board.first), str(board.second))})


def sums_in(text: str) -> Operands:
    """Return just the sums and differences of fractions that a text writes down."""
    return frozenset(_group(*found.groups()) for found in _PAIR.finditer(text))


def _groups(text: str) -> Iterator[tuple[str, ...]]:
    yield from sums_in(text)
    numbers = _NUMBER.findall(text)
    fractions = [each for each in numbers if "/" in each]
    if len(fractions) > 1:
        yield _group(*fractions)
    elif numbers:
        yield _group(*numbers)


def _group(*numbers: str) -> tuple[str, ...]:
    return tuple(sorted(numbers))
