"""Reading order of the lines on a page: column by column if it has columns."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import median
from typing import Protocol

MOST_COLUMNS = 4
FEWEST_LINES = 3
"""Minimum number of lines in a column; two short lines beside two others are more likely a table."""
FEWEST_LETTERS = 10
"""Minimum number of letters in a column's median line; table cells are shorter."""
FULL = 0.6
"""Minimum share of a column's width that its median line fills; running text does, names and figures do not."""
REACH = 0.02
"""Share of the page width by which a line may extend into the gap between columns, because boxes are not exact."""

type Box = tuple[float, float, float, float]


class PlacedLine(Protocol):
    """A line of text with its left, top, right and bottom."""

    @property
    def text(self) -> str: ...
    @property
    def box(self) -> Box: ...


def blocks[L: PlacedLine](lines: Sequence[L]) -> list[list[L]]:
    """Return the lines in reading order, split where a column starts; a page without columns is one block.

    A line across all columns, such as a heading, comes before the columns below it.
    """
    return list(_blocks(lines, MOST_COLUMNS))


def _blocks[L: PlacedLine](lines: Sequence[L], most: int) -> Iterator[list[L]]:
    gutter = _gutter(lines, most)
    if gutter is None:
        yield list(lines)
        return
    reach = _reach(lines)
    for across, band in groupby(sorted(lines, key=_top), key=lambda line: _side(line, gutter, reach) == 0):
        found = list(band)
        if across:
            yield found
            continue
        for side in (-1, 1):
            part = [line for line in found if _side(line, gutter, reach) == side]
            if part:
                yield from _blocks(part, most - 1)


def _gutter[L: PlacedLine](lines: Sequence[L], most: int) -> float | None:
    """Return where one column of text ends and the next starts; None if there are no columns."""
    if most < 2 or len(lines) < 2 * FEWEST_LINES:
        return None
    reach = _reach(lines) or 1.0
    places = sorted({round(line.box[0] / reach): line.box[0] - reach / 2 for line in lines}.values())
    found = [place for place in places if _are_columns(lines, place, most, reach)]
    return min(found, key=lambda place: sum(_side(line, place, reach) == 0 for line in lines), default=None)


def _are_columns[L: PlacedLine](lines: Sequence[L], place: float, most: int, reach: float) -> bool:
    """Return whether the lines left and right of a position are columns of text side by side."""
    left, right = ([line for line in lines if _side(line, place, reach) == side] for side in (-1, 1))
    across = len(lines) - len(left) - len(right)
    if across > min(len(left), len(right)) or not _is_text(left):
        return False
    if not _is_text(right) and _gutter(right, most - 1) is None:
        return False
    return max(_top(left[0]), _top(right[0])) < min(left[-1].box[3], right[-1].box[3])


def _is_text[L: PlacedLine](lines: Sequence[L]) -> bool:
    if len(lines) < FEWEST_LINES or median(len(line.text) for line in lines) < FEWEST_LETTERS:
        return False
    width = max(line.box[2] for line in lines) - min(line.box[0] for line in lines)
    return median(line.box[2] - line.box[0] for line in lines) >= FULL * width


def _side(line: PlacedLine, place: float, reach: float) -> int:
    """Return -1 for a line left of a position, 1 for one right of it, 0 for one across it."""
    left, _, right, _ = line.box
    if right <= place + reach:
        return -1
    return 1 if left >= place - reach else 0


def _reach[L: PlacedLine](lines: Sequence[L]) -> float:
    return REACH * (max(line.box[2] for line in lines) - min(line.box[0] for line in lines))


def _top(line: PlacedLine) -> float:
    return line.box[1]
