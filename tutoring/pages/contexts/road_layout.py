"""The layout of a road with stops, in pixels: a strip, a winding road for wide screens, and a tall one for phones."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

type Point = tuple[int, int]

STRIP_WIDTH, STRIP_HEIGHT = 636, 172
STRIP_LEFT, STRIP_RIGHT = 56, 580
STRIP_UP, STRIP_DOWN = 62, 78
ROW: Final = 3
"""Stops in a row of the wide road."""
WIDE_WIDTH: Final = 700
COLUMNS = (145, 350, 555)
ROW_HEIGHT: Final = 150
WIDE_TOP, WIDE_BOTTOM = 66, 92
BULGE: Final = 150
"""How far a bend between two rows reaches to the side."""
SIDE_Y: Final = 66
"""How far above its stop a side road ends."""
TALL_WIDTH: Final = 360
TALL_X = (66, 98, 74, 46)
TALL_STEP, TALL_TOP, TALL_BOTTOM = 92, 48, 56


@dataclass(frozen=True, slots=True, kw_only=True)
class RoadLayout:
    """A road from its first stop to its last."""

    width: int
    height: int
    points: tuple[Point, ...]
    road: str
    """The whole road, as the `d` of an SVG path."""
    walked: str
    """The road up to where the learner is; empty at its beginning."""


def lay_out_strip(count: int, here: int) -> RoadLayout:
    """Return a road of a few stops from left to right; `here` is the number of the stop where the learner is."""
    step = (STRIP_RIGHT - STRIP_LEFT) / max(1, count - 1)
    points = [(round(STRIP_LEFT + step * n), STRIP_DOWN if n % 2 == 0 else STRIP_UP) for n in range(count)]
    return _layout(STRIP_WIDTH, STRIP_HEIGHT, points, here, before=(-10, STRIP_UP))


def lay_out_wide(count: int, here: int) -> RoadLayout:
    """Return a road that winds from the bottom to the top, three stops in a row."""
    rows = -(-count // ROW)
    height = WIDE_TOP + WIDE_BOTTOM + (rows - 1) * ROW_HEIGHT
    return _layout(WIDE_WIDTH, height, [_wide_point(n, height) for n in range(count)], here)


def lay_out_tall(count: int, here: int) -> RoadLayout:
    """Return a road from the bottom to the top with one stop below the other."""
    height = TALL_TOP + TALL_BOTTOM + (count - 1) * TALL_STEP
    points = [(TALL_X[n % len(TALL_X)], height - TALL_BOTTOM - n * TALL_STEP) for n in range(count)]
    return RoadLayout(
        width=TALL_WIDTH, height=height, points=tuple(points), road=_upward(points), walked=_upward(points[: here + 1])
    )


def side_road(point: Point) -> tuple[Point, str]:
    """Return where a side road from a stop of the wide road ends, and the road."""
    x, y = point
    end = (x + (24 if x < WIDE_WIDTH / 2 else -24), y - SIDE_Y)
    return end, f"M{x} {y}Q{x} {end[1]} {end[0]} {end[1]}"


def _wide_point(number: int, height: int) -> Point:
    row, place = divmod(number, ROW)
    column = place if row % 2 == 0 else ROW - 1 - place
    return COLUMNS[column], height - WIDE_BOTTOM - row * ROW_HEIGHT - (12 if place == 1 else 0)


def _layout(width: int, height: int, points: Sequence[Point], here: int, *, before: Point | None = None) -> RoadLayout:
    begun = [before] if before else []
    return RoadLayout(
        width=width,
        height=height,
        points=tuple(points),
        road=_sideways([*begun, *points]),
        walked=_sideways([*begun, *points[: here + 1]]),
    )


def _sideways(points: Sequence[Point]) -> str:
    """Return a curve that passes every point horizontally, with a bend where it goes up."""
    if len(points) < 2:
        return ""
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        if x == to_x:
            out = BULGE if x > WIDE_WIDTH / 2 else -BULGE
            parts.append(f"C{x + out} {y} {to_x + out} {to_y} {to_x} {to_y}")
        else:
            half = (x + to_x) // 2
            parts.append(f"C{half} {y} {half} {to_y} {to_x} {to_y}")
    return "".join(parts)


def _upward(points: Sequence[Point]) -> str:
    """Return a curve that passes every point vertically."""
    if len(points) < 2:
        return ""
    parts = [f"M{points[0][0]} {points[0][1]}"]
    for (x, y), (to_x, to_y) in pairwise(points):
        half = (y + to_y) // 2
        parts.append(f"C{x} {half} {to_x} {half} {to_x} {to_y}")
    return "".join(parts)
