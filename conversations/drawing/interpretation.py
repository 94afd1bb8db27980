"""Interprets a drawing: a description, numbers and a confidence, from the strokes' geometry alone, without a model."""

from collections.abc import Sequence
from statistics import median
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext

from conversations.drawing import sentences
from conversations.drawing.results import DrawingReading, SeenShape
from conversations.drawing.schema import Board, FractionBar, NumberLine

if TYPE_CHECKING:
    from conversations.drawing.regions import Doubt, FoundShapes, Shape

EQUAL: Final = 0.85
"""Minimum similarity of sizes that count as equal (within 15 %)."""
UNDECIDED: Final = (0.8, 0.9)
"""In this range, the sizes may or may not be meant as equal, so the learner is asked."""
CLEAR_CONFIDENCE: Final = 0.7
"""Minimum confidence (0–1) at which the tutor may mention what was seen; below it, the tutor asks."""
READ_CHARACTERS: Final = 80
MOST_PARTS: Final = 40


def read_board(board: Board, *, ocr_text: str = "") -> DrawingReading:
    """Return what a board shows. Pure; takes at most 50 ms for any board.

    `ocr_text` is text read from a picture of the board; typed text is read from the board itself.
    """
    text = " · ".join((*board.texts, *filter(None, [" ".join(ocr_text.split())])))
    bars = [item for item in board.items if isinstance(item, FractionBar)]
    number_lines = [sentences.number_line(item) for item in board.items if isinstance(item, NumberLine)]
    found = _found(board)
    if found is None:
        return _overfull(text)
    shapes = (*map(_seen_shape, found.shapes), *map(_bar, bars))
    drawn, set_down = [shape.area for shape in found.shapes], [bar.w * bar.h for bar in bars]
    # Small hand-drawn shapes are measured larger than they are.
    sizes = () if drawn and set_down else (*drawn, *set_down)
    shares, count, equal = _compared(shapes, sizes)
    nothing = not (shapes or number_lines or text or board.is_empty)
    doubt = _doubt(found, shares) or ("nothing" if nothing else None)
    return DrawingReading(
        description=sentences.description(shapes, equal=equal, sizes=sizes, others=number_lines, text=bool(text)),
        shapes=shapes,
        shares=shares,
        count=count,
        equal=equal,
        question=sentences.question(doubt) or _about_text(ocr_text),
        text=text,
        confidence=_confidence(found, shapes, doubt=doubt),
    )


def _overfull(text: str) -> DrawingReading:
    return DrawingReading(
        description=gettext("There is too much on the board for me to tell things apart."),
        question=gettext("There is a lot on the board. Which part should I look at? Tell me in words."),
        text=text,
        confidence=0.2,
    )


def _found(board: Board) -> "FoundShapes | None":
    # Imported with the first drawing, because nothing else needs it.
    from conversations.drawing.paths import TooBusy, simplify_board
    from conversations.drawing.regions import find_shapes

    try:
        return find_shapes(simplify_board(board))
    except TooBusy:
        return None


def _bar(item: FractionBar) -> SeenShape:
    whole = item.parts == 1
    shares = (1 / item.parts,) * item.parts
    return SeenShape(kind="fraction_bar", shares=shares, shaded=len(item.shaded), equal=None if whole else True)


def _seen_shape(shape: "Shape") -> SeenShape:
    equal = None if len(shape.shares) == 1 else is_equal(shape.shares)
    return SeenShape(kind=shape.kind, shares=shape.shares, shaded=shape.shaded, equal=equal)


def is_equal(sizes: Sequence[float]) -> bool:
    return size_similarity(sizes) >= EQUAL


def size_similarity(sizes: Sequence[float]) -> float:
    """Return how similar sizes are, 1 if equal: the smaller of two over the larger; of more, each over the median."""
    usual = median(sizes)
    return min(sizes) / max(sizes) if len(sizes) == 2 else min(min(sizes) / usual, usual / max(sizes))


def _compared(shapes: Sequence[SeenShape], sizes: Sequence[float]) -> tuple[tuple[float, ...], int, bool | None]:
    """Return what to compare (parts of one shape, or sizes of whole ones), how many, and whether they are equal."""
    if len(shapes) == 1:
        shares = shapes[0].shares
        return (shares if len(shares) > 1 else ()), len(shares), shapes[0].equal
    if len(sizes) == len(shapes) > 1 and all(len(shape.shares) == 1 for shape in shapes):
        return tuple(size / sum(sizes) for size in sizes), len(sizes), is_equal(sizes)
    told = {shape.equal for shape in shapes if shape.equal is not None}
    return (), len(shapes), told.pop() if len(told) == 1 else None


def _doubt(found: "FoundShapes", shares: Sequence[float]) -> "Doubt | sentences.OwnDoubt | None":
    """Return the doubt that is most worth asking about."""
    doubts = {*found.doubts, *(doubt for shape in found.shapes for doubt in shape.doubts)}
    for doubt in ("reach", "hatching", "closed", "beyond", "one_or_two", "inside"):
        if doubt in doubts:
            return doubt
    undecided = any(
        UNDECIDED[0] <= size_similarity(sizes) < UNDECIDED[1]
        for sizes in (shares, *(shape.shares for shape in found.shapes))
        if len(sizes) > 1
    )
    if undecided:
        return "equal"
    return "many" if any(len(shape.shares) > MOST_PARTS for shape in found.shapes) else None


def _confidence(found: "FoundShapes", shapes: Sequence[SeenShape], *, doubt: object) -> float:
    if doubt:
        return 0.55
    sure = 0.95 if found.gap < 0.05 else 0.85 if found.gap < 0.12 else 0.75
    return min(sure, 0.8) if any(shape.kind == "shape" for shape in shapes) else sure


def _about_text(ocr_text: str) -> str:
    read = " ".join(ocr_text.split())
    if not read:
        return ""
    if len(read) > READ_CHARACTERS:
        read = f"{read[:READ_CHARACTERS].rstrip()}…"
    return gettext("I read “%(text)s”. Is that right?") % {"text": read}
