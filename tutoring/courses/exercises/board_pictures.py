"""Still pictures of boards: empty, or with what was constructed on them."""

from collections.abc import Sequence
from fractions import Fraction

from tutoring.courses.exercises.construction_texts import board_text, construction_text
from tutoring.courses.pictures import NumberLineMark, Picture, PictureBar
from tutoring.courses.pictures.equations import Scale, ScalePan
from tutoring.courses.pictures.plots import Plot, PlotAxis, PlotLine, PlotPoint
from tutoring.grading import Unparsable
from tutoring.grading.boards import (
    Board,
    BuildBoard,
    CombineBoard,
    CutBoard,
    PlaceBoard,
    PlaneBoard,
    ShadeBoard,
    ShareBoard,
)
from tutoring.grading.equation_boards import Axis, BalanceBoard, LineBoard, Pan, PointBoard
from tutoring.grading.judges.construction_answers import (
    parse_combination,
    parse_cuts,
    parse_pieces,
    parse_place,
    parse_shading,
    parse_shares,
    part_sizes,
)
from tutoring.grading.judges.equation_answers import Equation, Line, parse_balance, parse_line, parse_point

_SPACE = 0.25
"""Space between things and between rows, in things."""

type Square = tuple[tuple[float, float], ...]


def board_picture(board: Board, answer: str = "") -> Picture:
    """Return the picture of a board; empty if the board cannot show the answer."""
    try:
        return _picture(board, answer, alt=construction_text(board, answer)) if answer else empty_board(board)
    except Unparsable:
        return empty_board(board)


def empty_board(board: Board) -> Picture:
    """Return the board as it is before anything is done."""
    alt = board_text(board)
    match board:
        case ShadeBoard():
            return _shaded(board, board.shaded, alt=alt)
        case CutBoard():
            return Picture(kind=board.shape, alt=alt, parts=(1,))
        case PlaceBoard():
            return _line(board, (), alt=alt)
        case BuildBoard():
            return Picture(kind="bar", alt=alt, parts=(1,))
        case ShareBoard():
            return _things(board, [[board.cut] * board.things], dealt=False, alt=alt)
        case CombineBoard():
            bars = (_bar(board.first, board.first.denominator), _bar(board.second, board.second.denominator))
            return Picture(kind="compare", alt=alt, bars=bars)
        case PointBoard() | LineBoard():
            return _plane(board, (), (), alt=alt)
        case BalanceBoard():
            return _scale(_pan(board.left), _pan(board.right), alt=alt)


def _picture(board: Board, answer: str, *, alt: str) -> Picture:
    match board:
        case ShadeBoard():
            return _shaded(board, sorted(parse_shading(board, answer)), alt=alt)
        case CutBoard():
            return Picture(kind=board.shape, alt=alt, parts=tuple(map(float, part_sizes(parse_cuts(board, answer)))))
        case PlaceBoard():
            place = parse_place(board, answer)
            return _line(board, (NumberLineMark(at=float(place)),), alt=alt)
        case BuildBoard():
            return _built(board, parse_pieces(board, answer), alt=alt)
        case ShareBoard():
            rows = [_wholes(share, board.cut) for share in parse_shares(board, answer)]
            return _things(board, rows, dealt=True, alt=alt)
        case CombineBoard():
            return _combined(board, answer, alt=alt)
        case PointBoard():
            x, y = parse_point(board, answer)
            return _plane(board, (PlotPoint(x=float(x), y=float(y)),), (), alt=alt)
        case LineBoard():
            return _plane(board, (), (_segment(board, parse_line(board, answer)),), alt=alt)
        case BalanceBoard():
            return _weighed(board, parse_balance(board, answer)[-1], alt=alt)


def _plane(board: PlaneBoard, points: tuple[PlotPoint, ...], lines: tuple[PlotLine, ...], *, alt: str) -> Picture:
    plot = Plot(x=_axis(board.x, "x"), y=_axis(board.y, "y"), points=points, lines=lines)
    return Picture(kind="plot", alt=alt, plot=plot)


def _axis(axis: Axis, name: str) -> PlotAxis:
    return PlotAxis(start=float(axis.start), end=float(axis.end), step=float(axis.step), label=name)


def _segment(board: LineBoard, line: Line) -> PlotLine:
    """Return the line from one edge of the plane to the other; what is outside is not drawn."""
    if line.slope is None:
        at = float(line.intercept)
        return PlotLine(x1=at, y1=float(board.y.start), x2=at, y2=float(board.y.end))
    start, end = (float(line.slope * x + line.intercept) for x in (board.x.start, board.x.end))
    return PlotLine(x1=float(board.x.start), y1=start, x2=float(board.x.end), y2=end)


def _pan(pan: Pan) -> ScalePan:
    return ScalePan(x=pan.x, ones=pan.ones)


def _scale(left: ScalePan, right: ScalePan, *, alt: str) -> Picture:
    return Picture(kind="balance", alt=alt, balance=Scale(left=left, right=right))


def _weighed(board: BalanceBoard, last: Equation, *, alt: str) -> Picture:
    """Return the scale as it was left; the board as it was if that cannot be drawn."""
    pans = []
    for side in (last.left, last.right):
        counts = [side.get(name, Fraction(0)) for name in ("x", "")]
        if not all(each.denominator == 1 and 0 <= each <= most for each, most in zip(counts, (6, 30), strict=True)):
            return _scale(_pan(board.left), _pan(board.right), alt=alt)
        pans.append(ScalePan(x=int(counts[0]), ones=int(counts[1])))
    return _scale(pans[0], pans[1], alt=alt)


def _shaded(board: ShadeBoard, shaded: Sequence[int], *, alt: str) -> Picture:
    if board.shape == "grid":
        return Picture(kind="grid", alt=alt, rows=board.rows, columns=board.columns, shaded=tuple(shaded))
    return Picture(kind=board.shape, alt=alt, parts=(1,) * board.count, shaded=tuple(shaded))


def _line(board: PlaceBoard, marks: tuple[NumberLineMark, ...], *, alt: str) -> Picture:
    start, end = float(board.start), float(board.end)
    return Picture(kind="number_line", alt=alt, start=start, end=end, ticks=board.ticks, marks=marks)


def _built(board: BuildBoard, pieces: tuple[Fraction, ...], *, alt: str) -> Picture:
    rest = board.length - sum(pieces)
    parts = (*pieces, rest) if rest else pieces
    return Picture(kind="bar", alt=alt, parts=tuple(map(float, parts)), shaded=tuple(range(len(pieces))))


def _wholes(share: int, cut: int) -> list[int]:
    """Return a share as whole things, each in its parts, and the parts of one more."""
    return [cut] * (share // cut) + ([share % cut] if share % cut else [])


def _things(board: ShareBoard, rows: Sequence[Sequence[int]], *, dealt: bool, alt: str) -> Picture:
    """Return things in rows, each a square with so many of its parts."""
    squares = [
        _part(column * (1 + _SPACE) + part / board.cut, row * (1 + _SPACE), width=1 / board.cut)
        for row, things in enumerate(rows)
        for column, parts in enumerate(things)
        for part in range(parts)
    ]
    width = max(3, max(map(len, rows))) * (1 + _SPACE)
    height = len(rows) * (1 + _SPACE)
    shaded = tuple(range(len(squares))) if dealt else ()
    return Picture(
        kind="shape", alt=alt, width=max(width, height / 2), height=height, polygons=tuple(squares), shaded=shaded
    )


def _part(left: float, top: float, *, width: float) -> Square:
    return ((left, top), (left + width, top), (left + width, top + 1), (left, top + 1))


def _combined(board: CombineBoard, answer: str, *, alt: str) -> Picture:
    """Return both bars in the common number of parts, and the result below, one bar for each whole."""
    said = parse_combination(board, answer)
    wholes = [min(said.parts, said.result), *([said.result - said.parts] if said.result > said.parts else [])]
    results = (_bar(Fraction(whole, said.parts), said.parts) for whole in wholes)
    return Picture(
        kind="compare", alt=alt, bars=(_bar(board.first, said.parts), _bar(board.second, said.parts), *results)
    )


def _bar(shown: Fraction, parts: int) -> PictureBar:
    """Return a bar in so many parts. If they do not fit what it shows, the part at its edge is cut once more."""
    sizes: list[float] = []
    shaded = []
    for index in range(parts):
        covered = min(max(shown * parts - index, Fraction(0)), Fraction(1))
        if covered:
            shaded.append(len(sizes))
        sizes += [float(covered), float(1 - covered)] if 0 < covered < 1 else [1.0]
    return PictureBar(parts=tuple(sizes), shaded=tuple(shaded))
