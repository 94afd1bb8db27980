"""Grades what was constructed on a board: shaded, cut, placed, built, shared or combined."""

from fractions import Fraction

from tutoring.grading.boards import Board, BuildBoard, CombineBoard, CutBoard, PlaceBoard, ShadeBoard, ShareBoard
from tutoring.grading.equation_boards import BalanceBoard, LineBoard, PointBoard
from tutoring.grading.judges.construction_answers import (
    Combination,
    parse_combination,
    parse_cuts,
    parse_pieces,
    parse_place,
    parse_shading,
    parse_shares,
    part_sizes,
)
from tutoring.grading.judges.equation_answers import Equation, Line, Point, parse_balance, parse_line, parse_point
from tutoring.grading.keys import ConstructionKey
from tutoring.grading.shown_values import Shown, pair_of
from tutoring.grading.verdicts import Judgement, judged

UNEQUAL = "unequal"
"""The reason for the right number of parts that are not equal, and for unequal shares."""
# A place with two decimals is up to 0.005 from 1/3, and 0.01 of a bar is about the width of a drawn cut. At twelve
# parts, the most there are, it is an eighth of a part: a part that looks unequal is more than that off.
CUT_TOLERANCE = Fraction(1, 100)
"""How far a cut may be from its fair place, as a share of the whole."""


def judge_construction(key: ConstructionKey, answer: str) -> Judgement:
    """Return the judgement of a construction; its `reason` says what is not as it should be.

    shade "too_little" or "too_much" · cut "count" or "unequal" · place "before" or "behind" · build "short", "long",
    "mixed" or "other_pieces" · share "unequal" or "left_over" · combine "does_not_fit", "renamed" or "result" ·
    point "swapped", "x", "y" or "both" · line "vertical", "slope", "intercept" or "both" · balance "unbalanced" or "value".
    """
    board = key.board
    if isinstance(board, PointBoard):
        return _judge_point(parse_point(board, answer), pair_of(key.value))
    if isinstance(board, LineBoard):
        return _judge_line(parse_line(board, answer), pair_of(key.value))
    value = Fraction(key.value)
    match board:
        case BalanceBoard():
            return _judge_balance(board, parse_balance(board, answer), value)
        case ShadeBoard():
            return _compared(shaded_share(board, parse_shading(board, answer)), value, "too_little", "too_much")
        case CutBoard():
            return _judge_cuts(parse_cuts(board, answer), value)
        case PlaceBoard():
            return _compared(parse_place(board, answer), value, "before", "behind")
        case BuildBoard():
            return _judge_pieces(key, parse_pieces(board, answer), value)
        case ShareBoard():
            return _judge_shares(board, parse_shares(board, answer), value)
        case CombineBoard():
            return _judge_combination(board, parse_combination(board, answer), value)


def _compared(said: Fraction, value: Fraction, less: str, more: str) -> Judgement:
    return judged("correct") if said == value else judged("wrong", less if said < value else more)


def _judge_cuts(cuts: tuple[Fraction, ...], value: Fraction) -> Judgement:
    if len(cuts) + 1 != value:
        return judged("wrong", "count")
    return judged("correct") if are_fair(cuts) else judged("wrong", UNEQUAL)


def _judge_pieces(key: ConstructionKey, pieces: tuple[Fraction, ...], value: Fraction) -> Judgement:
    judgement = _compared(sum(pieces, Fraction(0)), value, "short", "long")
    if judgement.is_correct and key.exact_pieces and len(set(pieces)) > 1:
        return judged("equivalent_not_in_form", "mixed")
    if judgement.is_correct and key.pieces and sorted(pieces) != sorted(map(Fraction, key.pieces)):
        return judged("equivalent_not_in_form", "other_pieces")
    return judgement


def _judge_shares(board: ShareBoard, shares: tuple[int, ...], value: Fraction) -> Judgement:
    if len(set(shares)) > 1:
        return judged("wrong", UNEQUAL)
    return judged("correct") if Fraction(shares[0], board.cut) == value else judged("wrong", "left_over")


def _judge_combination(board: CombineBoard, said: Combination, value: Fraction) -> Judgement:
    """Return the judgement; partly right if the number of parts fits and only the result is wrong."""
    first, second = board.first * said.parts, board.second * said.parts
    if first.denominator > 1 or second.denominator > 1:
        return judged("wrong", "does_not_fit")
    if said.first not in (None, first) or said.second not in (None, second):
        return judged("wrong", "renamed")
    return judged("correct") if Fraction(said.result, said.parts) == value else judged("partial", "result")


def _judge_point(said: Point, right: Point) -> Judgement:
    if said == right:
        return judged("correct")
    if said == right[::-1]:
        return judged("wrong", "swapped")
    return judged("wrong", "y" if said[0] == right[0] else "x" if said[1] == right[1] else "both")


def _judge_line(said: Line, right: tuple[Fraction, Fraction]) -> Judgement:
    if (said.slope, said.intercept) == right:
        return judged("correct")
    if said.slope is None:
        return judged("wrong", "vertical")
    return judged("wrong", "intercept" if said.slope == right[0] else "slope" if said.intercept == right[1] else "both")


def _judge_balance(board: BalanceBoard, states: tuple[Equation, ...], value: Fraction) -> Judgement:
    if states[-1].value == value:
        return judged("correct")
    return judged("wrong", "unbalanced" if first_unbalanced(board, states) is not None else "value")


def first_unbalanced(board: BalanceBoard, states: tuple[Equation, ...]) -> int | None:
    """Return the index of the first state whose sides are not equal; None if there is none before the last."""
    return next((index for index, state in enumerate(states[:-1]) if not state.holds_at(board.value)), None)


def shaded_share(board: ShadeBoard, shaded: frozenset[int]) -> Fraction:
    """Return the shaded part of the whole."""
    return Fraction(len(shaded), board.count)


def are_fair(cuts: tuple[Fraction, ...]) -> bool:
    """Tell whether every cut is near its fair place, so that all parts count as equal."""
    parts = len(cuts) + 1
    return all(abs(cut - Fraction(place, parts)) <= CUT_TOLERANCE for place, cut in enumerate(cuts, start=1))


def constructed_value(board: Board, answer: str) -> Shown | None:
    """Return what a construction shows; None for unequal parts or shares, and for a vertical line.

    Raises Unparsable if the board cannot show the answer.
    """
    match board:
        case ShadeBoard():
            return shaded_share(board, parse_shading(board, answer))
        case CutBoard():
            cuts = parse_cuts(board, answer)
            return Fraction(len(cuts) + 1) if are_fair(cuts) else None
        case PlaceBoard():
            return parse_place(board, answer)
        case BuildBoard():
            return sum(parse_pieces(board, answer), Fraction(0))
        case ShareBoard():
            shares = parse_shares(board, answer)
            return Fraction(shares[0], board.cut) if len(set(shares)) == 1 else None
        case CombineBoard():
            said = parse_combination(board, answer)
            return Fraction(said.result, said.parts)
        case PointBoard():
            return parse_point(board, answer)
        case LineBoard():
            line = parse_line(board, answer)
            return (line.slope, line.intercept) if line.slope is not None else None
        case BalanceBoard():
            return parse_balance(board, answer)[-1].value


def longest_and_shortest(cuts: tuple[Fraction, ...]) -> tuple[int, int]:
    """Return the indexes of the longest part and of the shortest."""
    sizes = part_sizes(cuts)
    return sizes.index(max(sizes)), sizes.index(min(sizes))
