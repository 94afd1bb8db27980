"""Converts a board's strokes to simplified paths, with hatching separated from lines."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import atan2, cos, dist, hypot, pi, sin
from statistics import median
from typing import Final

import numpy as np
import shapely
from shapely import LineString

from conversations.drawing.schema import Board, Ellipse, Pen, Point, Rectangle, StraightLine

SIMPLER: Final = (2.0, 4.0, 8.0)
"""Tolerances for simplifying a path, in board units; the next one is used if too many segments remain."""
MAX_SEGMENTS: Final = 500
MAX_PATHS: Final = 60
MAX_DRAWN: Final = 150
"""Maximum number of paths, including hatching."""
MAX_POINTS: Final = 1_500
"""If there are more points, only every second one is kept, or every third, and so on."""
MAX_CROSSINGS: Final = 250
"""With more crossings than this, a drawing is unreadable and would take too long."""
DOT: Final = 8.0
"""Smaller strokes are not lines."""
ROOMY: Final = 300.0
LARGEST: Final = 4.0
"""Size to which small drawings are enlarged, and the largest factor."""
STRAIGHT: Final = 0.93
"""Minimum ratio of the distance between a path's ends to its length for the path to count as straight."""
HATCHED: Final = 22.0
HATCHED_SLANTING: Final = 45.0
"""Largest distance between hatching lines, and the same for slanted or separately colored ones."""
TOUCHING: Final = 6.0
LONGER: Final = 8.0


class TooBusy(Exception):
    """There is too much on the board to tell things apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Path:
    points: tuple[Point, ...]
    closed: bool = False
    """Whether its last point is its first."""
    colour: str = "ink"
    filled: bool = False

    @property
    def length(self) -> float:
        return sum(dist(a, b) for a, b in zip(self.points, self.points[1:], strict=False))

    @property
    def is_straight(self) -> bool:
        return not self.closed and dist(self.points[0], self.points[-1]) >= STRAIGHT * self.length


@dataclass(frozen=True, slots=True, kw_only=True)
class SimplifiedDrawing:
    paths: tuple[Path, ...]
    hatchings: tuple[shapely.Geometry, ...] = ()
    """The areas that are hatched or scribbled over."""
    rows: tuple[Path, ...] = ()
    """One line of each hatching in the outline's color, because it may be meant to cut the shape."""


def simplify_board(board: Board) -> SimplifiedDrawing:
    """Return the board's paths, simplified. Raises TooBusy."""
    raw = _enlarged([path for path in map(_path, board.items) if path and _extent(path.points) >= DOT])
    if len(raw) > MAX_DRAWN:
        raise TooBusy
    every = sum(len(path.points) for path in raw) // MAX_POINTS + 1
    raw = [replace(path, points=(*path.points[:-1:every], path.points[-1])) for path in raw]
    scribbles = [path for path in raw if _is_scribble(path)]
    lines = [path for path in raw if path not in scribbles]
    groups = [_without_dividers(group, lines) for group in _hatchings(lines)]
    hatched = {id(path) for group in groups for path in group}
    paths = [path for path in lines if id(path) not in hatched]
    if len(paths) > MAX_PATHS:
        raise TooBusy
    areas = [_hull(group) for group in (*([scribble] for scribble in scribbles), *groups)]
    inks = {path.colour for path in paths}
    return SimplifiedDrawing(
        paths=_simplified(paths),
        hatchings=tuple(area for area in areas if area.area > 0),
        rows=tuple(group[len(group) // 2] for group in groups if group and group[0].colour in inks),
    )


def _enlarged(paths: list[Path]) -> list[Path]:
    """Return a small drawing enlarged: hand errors scale with the drawing."""
    extent = _extent([point for path in paths for point in path.points]) if paths else ROOMY
    if extent >= ROOMY:
        return paths
    times = min(LARGEST, ROOMY / extent)
    return [replace(path, points=tuple((x * times, y * times) for x, y in path.points)) for path in paths]


def _path(item: object) -> Path | None:
    match item:
        case Pen(points=points):
            return Path(points=points, colour=item.colour)
        case StraightLine(start=start, end=end):
            return Path(points=(start, end), colour=item.colour)
        case Rectangle(x=x, y=y, w=w, h=h):
            ring = ((x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y))
            return Path(points=ring, closed=True, colour=item.colour, filled=item.filled)
        case Ellipse(x=x, y=y, w=w, h=h):
            turns = [2 * pi * step / 48 for step in range(48)] + [0.0]
            around = tuple((x + w / 2 * (1 + cos(turn)), y + h / 2 * (1 + sin(turn))) for turn in turns)
            return Path(points=around, closed=True, colour=item.colour, filled=item.filled)
    return None


def _extent(points: Sequence[Point]) -> float:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return hypot(max(xs) - min(xs), max(ys) - min(ys))


def _hull(paths: Iterable[Path]) -> shapely.Geometry:
    return shapely.MultiPoint([point for path in paths for point in path.points]).convex_hull


def _is_scribble(path: Path) -> bool:
    """Return whether a stroke goes back and forth, as in shading."""
    extent = _extent(path.points)
    if path.closed or len(path.points) < 8 or path.length < 2.6 * extent:
        return False
    steps = np.diff(np.array(LineString(path.points).simplify(4).coords), axis=0)
    lengths = np.hypot(*steps.T)
    # The doubled angle makes both directions of a line equal.
    turns = 2 * np.arctan2(steps[:, 1], steps[:, 0])
    mean = np.array(((lengths * np.cos(turns)).sum(), (lengths * np.sin(turns)).sum())) / lengths.sum()
    if np.hypot(*mean) < 0.5:
        return False
    angle = np.arctan2(mean[1], mean[0]) / 2
    along = steps @ np.array((np.cos(angle), np.sin(angle)))
    along = along[np.abs(along) > DOT]
    turned = int(np.count_nonzero(along[1:] * along[:-1] < 0))
    return turned >= 3 or (turned == 2 and dist(path.points[0], path.points[-1]) > extent / 2)


def _hatchings(paths: Sequence[Path]) -> list[list[Path]]:
    """Return groups of parallel straight lines that are too close together to cut anything."""
    straight = [path for path in paths if path.is_straight]
    outlines = {path.colour for path in paths if not path.is_straight}
    groups = []
    while straight:
        first = straight[0]
        angle = _angle(first)
        alike = [p for p in straight if p.colour == first.colour and _turn(_angle(p), angle) < pi / 10]
        straight = [p for p in straight if not any(p is other for other in alike)]
        slanting = pi / 9 < angle % (pi / 2) < 7 * pi / 18
        apart = HATCHED_SLANTING if slanting or (outlines and first.colour not in outlines) else HATCHED
        groups += _runs(alike, angle=angle, apart=apart)
    return groups


def _runs(paths: list[Path], *, angle: float, apart: float) -> list[list[Path]]:
    """Return runs of at least three neighbors (four if they are not slanted)."""
    least = 3 if apart > HATCHED else 4
    across = {id(path): _middle(path)[1] * cos(angle) - _middle(path)[0] * sin(angle) for path in paths}
    runs: list[list[Path]] = []
    for path in sorted(paths, key=lambda path: across[id(path)]):
        if runs and across[id(path)] - across[id(runs[-1][-1])] <= apart and _like(path, runs[-1][-1]):
            runs[-1].append(path)
        else:
            runs.append([path])
    return [run for run in runs if len(run) >= least]


def _without_dividers(group: list[Path], paths: Sequence[Path]) -> list[Path]:
    """Return a hatching without lines that are longer and touch the lines around it: those cut the shape."""
    usual = median(path.length for path in group)
    long = [path for path in group if path.length >= usual + LONGER]
    others = [LineString(path.points) for path in paths if not any(path is member for member in group)] if long else []
    cutting = [path for path in long if any(LineString(path.points).dwithin(other, TOUCHING) for other in others)]
    return [path for path in group if not any(path is cut for cut in cutting)]


def _like(a: Path, b: Path) -> bool:
    """Return whether two lines have similar lengths, as in a hatching; a line that cuts the whole is longer."""
    return min(a.length, b.length) > 0.6 * max(a.length, b.length)


def _middle(path: Path) -> Point:
    (ax, ay), (bx, by) = path.points[0], path.points[-1]
    return (ax + bx) / 2, (ay + by) / 2


def _angle(path: Path) -> float:
    (ax, ay), (bx, by) = path.points[0], path.points[-1]
    return atan2(by - ay, bx - ax) % pi


def _turn(a: float, b: float) -> float:
    return min(abs(a - b), pi - abs(a - b))


def _simplified(paths: Sequence[Path]) -> tuple[Path, ...]:
    for tolerance in SIMPLER:
        simpler = tuple(_simpler(path, tolerance) for path in paths)
        if sum(len(path.points) - 1 for path in simpler) <= MAX_SEGMENTS:
            if crossings(simpler) > MAX_CROSSINGS:
                raise TooBusy
            return simpler
    raise TooBusy


def _simpler(path: Path, tolerance: float) -> Path:
    points = tuple(LineString(path.points).simplify(tolerance).coords)
    return replace(path, points=points)


def crossings(paths: Sequence[Path]) -> int:
    """Return the number of pairs of segments that cross."""
    ends = [np.array(path.points) for path in paths]
    if not ends:
        return 0
    a, b = np.concatenate([p[:-1] for p in ends]), np.concatenate([p[1:] for p in ends])

    def side(p: np.ndarray, q: np.ndarray, r: np.ndarray) -> np.ndarray:
        """Return on which side of each line p–q (rows) each point r (columns) lies."""
        d = q - p
        sides: np.ndarray = np.sign(d[:, :1] * (r[None, :, 1] - p[:, 1:]) - d[:, 1:] * (r[None, :, 0] - p[:, :1]))
        return sides

    over = side(a, b, a) * side(a, b, b) < 0
    return int(np.count_nonzero(over & over.T)) // 2
