"""Sample constructions: an answer that shows a given number on a board."""

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import count

from tutoring.grading.boards import (
    MAX_COMMON_PARTS,
    MAX_EQUAL_PARTS,
    Board,
    BuildBoard,
    CombineBoard,
    CutBoard,
    PlaceBoard,
    ShadeBoard,
    ShareBoard,
)
from tutoring.grading.equation_boards import MAX_WEIGHTS, BalanceBoard, LineBoard, PointBoard
from tutoring.grading.judges.arrangements import format_assignments
from tutoring.grading.judges.construction_answers import format_combination, format_numbers, format_shading
from tutoring.grading.judges.equation_answers import (
    Line,
    format_line,
    format_point,
    format_states,
    grid_points,
    solved,
)
from tutoring.grading.shown_values import Shown

# Pieces of 1/24 in a frame of four wholes are 96; the search by size stays below a millisecond.
_MAX_LENGTHS = 10_000


def construct(board: Board, value: Shown, *, one_size: bool = False) -> str | None:
    """Return the answer that shows the value on the board; None if the board cannot show it."""
    if isinstance(value, tuple):
        return _construct_on_plane(board, value)
    match board:
        case PointBoard() | LineBoard():
            return None
        case BalanceBoard():
            return _weighed(board, value)
        case ShadeBoard():
            shaded = value * board.count
            return format_shading(range(int(shaded))) if 0 < shaded <= board.count and _is_whole(shaded) else None
        case CutBoard():
            return _equal_cuts(value)
        case PlaceBoard():
            return str(value) if value in board.places() else None
        case BuildBoard():
            return _pieces(board, value, one_size=one_size)
        case ShareBoard():
            return _shares(board, value)
        case CombineBoard():
            return _combination(board, value)


def _construct_on_plane(board: Board, value: tuple[Fraction, Fraction]) -> str | None:
    match board:
        case PointBoard():
            return format_point(value) if value in grid_points(board) else None
        case LineBoard():
            return format_line(board, Line(slope=value[0], intercept=value[1]))
        case _:
            return None


def _weighed(board: BalanceBoard, value: Fraction) -> str | None:
    if not _is_whole(value) or not 0 <= value <= MAX_WEIGHTS:
        return None
    return format_states(solved(board)) if value == board.value else f"x = {value}"


def unequal_cuts(value: Fraction) -> str:
    """Return cuts into so many parts, of which the last is the longest."""
    parts = int(value)
    return format_numbers(Fraction(place, 2 * parts) for place in range(1, parts))


def unequal_shares(board: ShareBoard) -> str:
    """Return shares of which the first is the largest."""
    fair = board.total // board.people
    counts = [fair + 1, *[fair] * (board.people - 2), fair - 1] if fair else [1, *[0] * (board.people - 1)]
    return format_assignments(dict(zip(board.letters, map(str, counts), strict=False)))


def other_answers(board: Board) -> Iterator[tuple[Shown, str]]:
    """Yield values that the board can show, each with its answer."""
    for value in _values(board):
        if (answer := construct(board, value)) is not None:
            yield value, answer


def _values(board: Board) -> Iterator[Shown]:
    match board:
        case PointBoard():
            return iter(grid_points(board))
        case LineBoard():
            return ((Fraction(slope), intercept) for slope in range(-3, 4) for intercept in board.y.numbers())
        case BalanceBoard():
            return (Fraction(number) for number in range(MAX_WEIGHTS + 1))
        case ShadeBoard():
            return (Fraction(number, board.count) for number in range(1, board.count + 1))
        case CutBoard():
            return (Fraction(parts) for parts in range(2, MAX_EQUAL_PARTS + 1))
        case PlaceBoard():
            return iter(board.places())
        case BuildBoard():
            return (
                piece * number for piece in board.pieces for number in range(1, math.floor(board.length / piece) + 1)
            )
        case ShareBoard():
            return (Fraction(parts, board.cut) for parts in range(1, board.total // board.people + 1))
        case CombineBoard():
            common = math.lcm(board.first.denominator, board.second.denominator)
            return (Fraction(number, common) for number in range(2 * common + 1))


def _is_whole(number: Fraction) -> bool:
    return number.denominator == 1


def _equal_cuts(value: Fraction) -> str | None:
    if not _is_whole(value) or not 2 <= value <= MAX_EQUAL_PARTS:
        return None
    return format_numbers(place / value for place in map(Fraction, range(1, int(value))))


def _pieces(board: BuildBoard, value: Fraction, *, one_size: bool) -> str | None:
    if not 0 < value <= board.length:
        return None
    for piece in sorted(board.pieces, reverse=True):
        if _is_whole(value / piece):
            return format_numbers([piece] * int(value / piece))
    return None if one_size else _mixed_pieces(board, value)


def _mixed_pieces(board: BuildBoard, value: Fraction) -> str | None:
    """Return the fewest pieces of several sizes, by the lengths that one more piece reaches."""
    reached: dict[Fraction, tuple[Fraction, ...]] = {Fraction(0): ()}
    for _ in count():
        further = {
            length + piece: (*pieces, piece)
            for length, pieces in reached.items()
            for piece in sorted(board.pieces)
            if length + piece <= value and length + piece not in reached
        }
        if not further or len(reached) > _MAX_LENGTHS:
            return None
        reached |= further
        if value in reached:
            return format_numbers(sorted(reached[value], reverse=True))
    return None


def _shares(board: ShareBoard, value: Fraction) -> str | None:
    parts = value * board.cut
    if not _is_whole(parts) or not 0 < parts * board.people <= board.total:
        return None
    return format_assignments({letter: str(parts) for letter in board.letters})


def _combination(board: CombineBoard, value: Fraction) -> str | None:
    """Return the value in a number of parts that fits both bars, or else in its own."""
    if not 0 <= value <= 2:
        return None
    fits_both = math.lcm(board.first.denominator, board.second.denominator)
    parts = math.lcm(fits_both, value.denominator)
    if parts > MAX_COMMON_PARTS or value != board.value:
        parts = fits_both if _is_whole(value * fits_both) else value.denominator
    if parts > MAX_COMMON_PARTS:
        return None
    first, second = board.first * parts, board.second * parts
    if not (_is_whole(first) and _is_whole(second)):
        return f"{value * parts}/{parts}"
    return format_combination(board, parts=parts, first=first, second=second, result=value * parts)
