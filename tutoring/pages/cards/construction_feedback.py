"""Feedback on a construction: what it shows, and what is not as it should be; never what it should be."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from tutoring.courses.exercises.construction_texts import (
    PART_NAMES,
    combination_text,
    mixed_number,
    pieces_text,
    signed_number,
)
from tutoring.grading import ConstructionKey, Unparsable, key_from_json
from tutoring.grading.boards import BuildBoard, CombineBoard, CutBoard, PlaceBoard, ShadeBoard, ShareBoard
from tutoring.grading.equation_boards import BalanceBoard, LineBoard, PointBoard
from tutoring.grading.judges.construction_answers import (
    parse_combination,
    parse_cuts,
    parse_pieces,
    parse_place,
    parse_shading,
    parse_shares,
)
from tutoring.grading.judges.constructions import UNEQUAL, first_unbalanced, longest_and_shortest
from tutoring.grading.judges.equation_answers import (
    Line,
    Point,
    equation_text,
    format_point,
    line_text,
    parse_balance,
    parse_line,
    parse_point,
)


def construction_look(key: Mapping[str, Any], answer: str, *, reason: str) -> str:
    """Return what a wrong construction shows; `reason` is the grader's. Empty if the board cannot show it."""
    asked = key_from_json(key)
    if not isinstance(asked, ConstructionKey):
        return ""
    try:
        return _look(asked, answer, reason=reason)
    except Unparsable:
        return ""


def _look(key: ConstructionKey, answer: str, *, reason: str) -> str:
    match key.board:
        case ShadeBoard() as board:
            return _of_shading(len(parse_shading(board, answer)), board.count)
        case CutBoard() as board:
            return _of_cuts(parse_cuts(board, answer), reason=reason)
        case PlaceBoard() as board:
            place = parse_place(board, answer)
            return _("Count the steps to your point: it is at %(place)s.") % {"place": signed_number(place)}
        case BuildBoard() as board:
            return _of_pieces(key, sum(parse_pieces(board, answer), Fraction(0)), reason=reason)
        case ShareBoard() as board:
            return _of_shares(board, parse_shares(board, answer), reason=reason)
        case CombineBoard() as board:
            return _of_combination(board, answer, reason=reason)
        case PointBoard() as board:
            return _of_point(parse_point(board, answer), reason=reason)
        case LineBoard() as board:
            return _of_line(parse_line(board, answer), reason=reason)
        case BalanceBoard() as board:
            return _of_balance(board, answer)


def _of_point(point: Point, *, reason: str) -> str:
    told = {"point": format_point(point), "x": point[0], "y": point[1]}
    if reason == "swapped":
        return _("Your point is %(point)s. The first number says how far across, and the second how far up.") % told
    if reason == "y":
        return _("Your point is %(point)s. Its x is right. Check how far up or down it must be.") % told
    if reason == "x":
        return _("Your point is %(point)s. Its y is right. Check how far left or right it must be.") % told
    return _("Your point is %(point)s: x is %(x)s and y is %(y)s. Check both numbers.") % told


def _of_line(line: Line, *, reason: str) -> str:
    told = {"line": line_text(line)}
    if reason == "vertical":
        return _("Your line goes straight up, so each of its points has the same x. Move one point to the side.")
    if reason == "intercept":
        return _("Your line is %(line)s. It is as steep as it should be. Check where it crosses the y axis.") % told
    if reason == "slope":
        return _("Your line is %(line)s. It crosses the y axis at the right place. Check how steep it is.") % told
    return _("Your line is %(line)s. Check where it crosses the y axis, and how steep it is.") % told


def _of_balance(board: BalanceBoard, answer: str) -> str:
    states = parse_balance(board, answer)
    index = first_unbalanced(board, states)
    if index is None:
        value = {"equation": board, "value": states[-1].value}
        return _("Put %(value)s in place of x in %(equation)s. Are the two sides equal?") % value
    before = equation_text(states[index - 1]) if index else str(board)
    told = {"before": before, "after": equation_text(states[index])}
    return _("You went from %(before)s to %(after)s. Did you do the same on both sides?") % told


def _of_shading(shaded: int, parts: int) -> str:
    return _("You have shaded %(shaded)d of %(parts)d parts.") % {"shaded": shaded, "parts": parts}


def _of_cuts(cuts: tuple[Fraction, ...], *, reason: str) -> str:
    parts: dict[str, object] = {"parts": len(cuts) + 1}
    if reason != UNEQUAL:
        return _("You have %(parts)d parts, but how many does the question ask for?") % parts
    longest, shortest = longest_and_shortest(cuts)
    told = _("You have %(parts)d parts. They are not the same size yet: part %(long)s is longer than part %(short)s.")
    return told % (parts | {"long": PART_NAMES[longest], "short": PART_NAMES[shortest]})


def _of_pieces(key: ConstructionKey, length: Fraction, *, reason: str) -> str:
    if reason == "other_pieces":
        return _("The sum is right, but you need to use these pieces: %(pieces)s.") % {
            "pieces": pieces_text(key.pieces)
        }
    if reason == "mixed":
        return _("The length is right, but the pieces are not all the same size.")
    return _("Your pieces reach %(length)s, but how far should they go?") % {"length": length}


def _of_shares(board: ShareBoard, shares: tuple[int, ...], *, reason: str) -> str:
    if reason == UNEQUAL:
        most, least = shares.index(max(shares)), shares.index(min(shares))
        names = {"most": board.letters[most], "least": board.letters[least]}
        return _("Person %(most)s gets more than person %(least)s.") % names
    left = mixed_number(Fraction(board.total - sum(shares), board.cut))
    return _("Everybody gets the same, but this much is left over: %(left)s. Share that too.") % {"left": left}


def _of_combination(board: CombineBoard, answer: str, *, reason: str) -> str:
    said = parse_combination(board, answer)
    if reason == "does_not_fit":
        bar = next(bar for bar in (board.first, board.second) if said.parts % bar.denominator)
        size = Fraction(1, said.parts)
        return _("You can’t make %(bar)s out of parts that are %(size)s each. Try a different number of parts.") % {
            "size": size, "bar": bar,
        }  # fmt: skip
    if reason == "renamed":
        return _("Look at both bars again: how many of the new parts are shaded in each?")
    told = combination_text(board, said)
    return _("Both bars now have parts of the same size. You have %(sum)s. Count the shaded parts again.") % {
        "sum": told
    }
