"""Boards and constructions in words: what a board shows, and what was done to it. Never whether that is right."""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tutoring.courses.exercises.exercise import Exercise, picture_text
from tutoring.grading import Unparsable
from tutoring.grading.boards import Board, BuildBoard, CombineBoard, CutBoard, PlaceBoard, ShadeBoard, ShareBoard
from tutoring.grading.equation_boards import Axis, BalanceBoard, LineBoard, Pan, PointBoard
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
from tutoring.grading.judges.constructions import are_fair
from tutoring.grading.judges.equation_answers import (
    equation_text,
    format_point,
    line_text,
    parse_balance,
    parse_line,
    parse_point,
)

PART_NAMES = "ABCDEFGHIJKL"
"""Parts of a cut bar are named by letter."""


def seen_text(instance: Exercise) -> str:
    """Return the picture of an exercise and its board in words; empty without either."""
    board = board_text(instance.board) if instance.board is not None else ""
    return " ".join(filter(None, (picture_text(instance.picture), board)))


def board_text(board: Board) -> str:
    """Return what the board shows before anything is done."""
    match board:
        case ShadeBoard(shape="grid"):
            words = _("A grid of %(rows)d by %(columns)d equal squares, ready to shade.")
            return words % {"rows": board.rows, "columns": board.columns}
        case ShadeBoard(shape="circle"):
            return _("A circle cut into %(parts)d equal parts, ready to shade.") % {"parts": board.count}
        case ShadeBoard():
            return _("A bar cut into %(parts)d equal parts, ready to shade.") % {"parts": board.count}
        case CutBoard(shape="circle"):
            return _("A circle to cut outward from the middle. It already has one cut, from the middle to the top.")
        case CutBoard():
            return _("A bar to cut into parts.")
        case PlaceBoard():
            words = _("A number line from %(start)s to %(end)s in %(steps)d equal steps.")
            return words % {"start": signed_number(board.start), "end": signed_number(board.end), "steps": board.ticks}
        case BuildBoard():
            words = _("A frame of length %(length)s, with pieces of these lengths to put in it: %(pieces)s.")
            return words % {"length": board.length, "pieces": _listed(map(str, board.pieces))}
        case ShareBoard():
            return _share_text(board)
        case CombineBoard():
            return _combine_text(board)
        case PointBoard():
            return _("%(plane)s Put a point on it.") % {"plane": _plane_text(board.x, board.y)}
        case LineBoard():
            return _("%(plane)s Two points that you can move make a line.") % {"plane": _plane_text(board.x, board.y)}
        case BalanceBoard():
            words = _("A scale in balance. On the left: %(left)s. On the right: %(right)s.")
            return words % {"left": pan_text(board.left), "right": pan_text(board.right)}


def _plane_text(x: Axis, y: Axis) -> str:
    words = _("A grid with an x axis from %(left)s to %(right)s and a y axis from %(low)s to %(high)s.")
    return words % {"left": x.start, "right": x.end, "low": y.start, "high": y.end}


def pan_text(pan: Pan) -> str:
    """Return what lies on a side of a scale."""
    boxes = ngettext("%(count)d box of weight x", "%(count)d boxes of weight x", pan.x) % {"count": pan.x}
    weights = ngettext("%(count)d weight of 1", "%(count)d weights of 1", pan.ones) % {"count": pan.ones}
    if pan.x and pan.ones:
        return _("%(boxes)s and %(weights)s") % {"boxes": boxes, "weights": weights}
    return boxes if pan.x else weights if pan.ones else _("nothing")


def _share_text(board: ShareBoard) -> str:
    shown = {"things": board.things, "people": board.people, "cut": board.cut}
    if board.cut == 1:
        return _("%(things)d things to share among %(people)d people.") % shown
    return _("%(things)d things, each cut into %(cut)d equal parts, to share among %(people)d people.") % shown


def _combine_text(board: CombineBoard) -> str:
    shown = {"first": board.first, "second": board.second}
    if board.sign == "+":
        words = _("Two bars of the same size, one showing %(first)s and the other %(second)s. Add the two amounts.")
        return words % shown
    words = _(
        "Two bars of the same size, one showing %(first)s and the other %(second)s. Take %(second)s away from %(first)s."
    )
    return words % shown


def construction_text(board: Board, answer: str) -> str:
    """Return what was constructed; an answer that the board cannot show as it was typed."""
    try:
        return _construction_text(board, answer)
    except Unparsable:
        return answer


def _construction_text(board: Board, answer: str) -> str:
    match board:
        case ShadeBoard():
            shaded = len(parse_shading(board, answer))
            return _("%(count)d of %(parts)d parts shaded") % {"count": shaded, "parts": board.count}
        case CutBoard():
            return _cuts_text(parse_cuts(board, answer))
        case PlaceBoard():
            return _("the point at %(place)s") % {"place": signed_number(parse_place(board, answer))}
        case BuildBoard():
            pieces = parse_pieces(board, answer)
            return f"{' + '.join(map(str, pieces))} = {sum(pieces, Fraction(0))}"
        case ShareBoard():
            return _shares_text(board, parse_shares(board, answer))
        case CombineBoard():
            return combination_text(board, parse_combination(board, answer))
        case PointBoard():
            return _("the point %(point)s") % {"point": format_point(parse_point(board, answer))}
        case LineBoard():
            return _("the line %(line)s") % {"line": line_text(parse_line(board, answer))}
        case BalanceBoard():
            return _(", then ").join(map(equation_text, parse_balance(board, answer)))


def _cuts_text(cuts: tuple[Fraction, ...]) -> str:
    parts = len(part_sizes(cuts))
    return (_("%(parts)d equal parts") if are_fair(cuts) else _("%(parts)d unequal parts")) % {"parts": parts}


def _shares_text(board: ShareBoard, shares: tuple[int, ...]) -> str:
    each = [
        _("%(person)s: %(amount)s") % {"person": letter, "amount": mixed_number(Fraction(share, board.cut))}
        for letter, share in zip(board.letters, shares, strict=True)
    ]
    left = board.total - sum(shares)
    if not left:
        return ", ".join(each)
    told = ngettext("%(parts)d part left over", "%(parts)d parts left over", left) % {"parts": left}
    return ", ".join((*each, told))


def combination_text(board: CombineBoard, said: Combination) -> str:
    """Return a combination as a sum, or only its result."""
    result = f"{said.result}/{said.parts}"
    if said.first is None or said.second is None:
        return result
    return f"{said.first}/{said.parts} {'+' if board.sign == '+' else '−'} {said.second}/{said.parts} = {result}"


def signed_number(number: Fraction) -> str:
    """Return a number with a minus sign if it is negative."""
    return str(number).replace("-", "−")


def mixed_number(number: Fraction) -> str:
    """Return a number as it is spoken of: 3 1/2 rather than 7/2."""
    whole, rest = divmod(number, 1)
    return f"{whole} {rest}" if whole and rest else str(number)


def piece_counts(pieces: Iterable[Fraction]) -> dict[Fraction, int]:
    """Return how many pieces there are of each size."""
    return dict(Counter(pieces))


def pieces_text(pieces: Iterable[str]) -> str:
    """Return pieces in a sentence: "1/2, 1/3 and 1/6", or "7 pieces of 1/9"."""
    counts = piece_counts(map(Fraction, pieces))
    told = [
        str(size) if count == 1 else _("%(count)d pieces of %(size)s") % {"count": count, "size": size}
        for size, count in counts.items()
    ]
    first, last = told[:-1], told[-1]
    return _("%(first)s and %(last)s") % {"first": _listed(first), "last": last} if first else last


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
