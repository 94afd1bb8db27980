"""What a hand left open: outlines with gaps, lines that stop short of an edge or go beyond it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations, pairwise
from math import dist, inf
from typing import Final

import numpy as np

from conversations.drawing.geometry import area, nearest_segment, ray_hit
from conversations.drawing.paths import Path
from conversations.drawing.schema import Point

GAP: Final = 0.2
"""Of an outline's length: a gap that is closed. Drawn gaps of 15 % wobble."""
SNAP: Final = 10.0
REACH: Final = 32.0
"""How far a line goes on by itself, as far as `OWN` of its length."""
OWN: Final = 0.3
DOUBTFUL_REACH: Final = 85.0
DOUBTFUL_OWN: Final = 0.6
"""How far it goes on with a question."""
TAIL: Final = 40.0
MEETING: Final = 30.0
"""Ends of three lines that are so near each other meet."""
OVER: Final = 1.0
"""A line goes so much beyond what it hits, so that rounding leaves no gap."""
TANGENT: Final = 40.0
CLOSING: Final = 0.25
"""An outline's two ends are joined before others that lie this much nearer."""

type Segment = tuple[Point, Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedPaths:
    paths: tuple[Path, ...]
    """With outlines closed."""
    links: tuple[tuple[Point, ...], ...] = ()
    """Lines to add."""
    doubts: tuple[Segment, ...] = ()
    """Those among them that may not be meant."""
    loose: tuple[int, ...] = ()
    """Paths (by place) of which an end leads nowhere."""
    gap: float = 0.0
    """The largest gap that was closed, as a share of its outline."""
    guessed: bool = False
    """How the outline goes on in a gap is not to be seen: its ends do not point at each other."""


@dataclass(slots=True, kw_only=True)
class _PathEnd:
    path: int
    point: Point
    towards: Point
    """The direction the line would go on in, of length 1."""
    free: bool = True
    tail: bool = False
    """It only goes on beyond a line that it crosses: it may be joined, and need not be."""


@dataclass(kw_only=True)
class _GapClosing:
    paths: list[Path]
    ends: list[_PathEnd]
    chains: list[int]
    """Which chain of joined paths each path belongs to."""
    links: list[tuple[Point, ...]] = field(default_factory=list)
    doubts: list[Segment] = field(default_factory=list)
    gap: float = 0.0
    guessed: bool = False

    @cached_property
    def segments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Where the paths' segments begin and end, and whose they are; once all outlines are closed."""
        found = [(a, b, place) for place, path in enumerate(self.paths) for a, b in pairwise(path.points)]
        begin, end, owner = zip(*found, strict=True) if found else ((), (), ())
        return np.array(begin).reshape(-1, 2), np.array(end).reshape(-1, 2), np.array(owner, dtype=int)

    def length(self, *chains: int) -> float:
        return sum(path.length for path, chain in zip(self.paths, self.chains, strict=True) if chain in chains)


def close_gaps(paths: Sequence[Path]) -> JoinedPaths:
    """Return the paths with what was left open closed."""
    work = _GapClosing(paths=list(paths), ends=[], chains=list(range(len(paths))))
    for place in range(len(paths)):
        _close(work, place)
    work.ends = [end for place, path in enumerate(work.paths) if not path.closed for end in _ends(place, path)]
    _settle(work)
    _meet(work)
    for _ in range(2):
        _reach(work)
    _touch(work)
    return JoinedPaths(
        paths=tuple(work.paths),
        links=tuple(work.links),
        doubts=tuple(work.doubts),
        loose=tuple(sorted({end.path for end in work.ends if end.free and not end.tail})),
        gap=work.gap,
        guessed=work.guessed,
    )


def _close(work: _GapClosing, place: int) -> None:
    """Close a path that is an outline by itself."""
    path = work.paths[place]
    if path.closed or len(path.points) < 4:
        return
    first, last = _ends(place, path)
    gap = dist(first.point, last.point)
    around = path.length + gap
    if any(_spans(other, first.point, last.point) for other in work.paths if other is not path):
        return
    if gap <= GAP * around and area(path.points) >= 0.015 * around**2:
        points = (*path.points, *_between(last, first), path.points[0])
        work.paths[place] = replace(path, points=points, closed=True)
        _note(work, last, first, share=gap / around)


def _spans(path: Path, a: Point, b: Point) -> bool:
    """Whether a path leads from the one point to the other, so that there is no gap."""
    start, end = path.points[0], path.points[-1]
    near = min(max(dist(start, a), dist(end, b)), max(dist(start, b), dist(end, a)))
    return not path.closed and near <= MEETING and near < dist(a, b) / 2


def _note(work: _GapClosing, a: _PathEnd, b: _PathEnd, *, share: float) -> None:
    work.gap = max(work.gap, share)
    work.guessed = work.guessed or (share > 0.05 and min(_facing(a, b)) < 0.1 and not _between(a, b))


def _ends(place: int, path: Path) -> tuple[_PathEnd, _PathEnd]:
    return (
        _PathEnd(path=place, point=path.points[0], towards=_tangent(path.points[::-1], path)),
        _PathEnd(path=place, point=path.points[-1], towards=_tangent(path.points, path)),
    )


def _tangent(points: Sequence[Point], path: Path) -> Point:
    """Return the direction in which the last of the points was reached."""
    end = points[-1]
    back = path.length if path.is_straight else min(TANGENT, path.length / 3)
    start = next((point for point in reversed(points) if dist(point, end) >= back * 0.9), points[0])
    far = dist(start, end)
    if far > back > 0 and not path.is_straight:
        # Where simplifying left a long straight piece, all of it tells the direction.
        start = points[-2]
        far = dist(start, end)
    return ((end[0] - start[0]) / far, (end[1] - start[1]) / far) if far else (0.0, 0.0)


def _between(a: _PathEnd, b: _PathEnd) -> tuple[Point, ...]:
    """Return the corner between two ends, if the lines meet in one ahead of both; else nothing."""
    gap = dist(a.point, b.point)
    (ax, ay), (bx, by), (ux, uy), (vx, vy) = a.point, b.point, a.towards, b.towards
    cross = ux * vy - uy * vx
    if gap < SNAP or abs(cross) < 0.05:
        return ()
    t = ((bx - ax) * vy - (by - ay) * vx) / cross
    s = ((bx - ax) * uy - (by - ay) * ux) / cross
    # A line may end in the corner, or a little beyond it.
    if min(t, s) < -SNAP or t + s > 2.5 * gap:
        return ()
    return ((ax + t * ux, ay + t * uy),)


def _settle(work: _GapClosing) -> None:
    """Take those ends as joined that touch a line or went a little beyond one."""
    for end in work.ends:
        a, b = _others(work, end.path)
        if not len(a):
            continue
        near, point = nearest_segment(end.point, a, b)
        path = work.paths[end.path]
        if near <= SNAP:
            _link(work, end, point)
            for other in work.ends:
                if other.path != end.path and dist(other.point, point) <= SNAP:
                    _chain(work, end.path, other.path)
        elif _tail(path if end.point == path.points[-1] else replace(path, points=path.points[::-1]), a, b):
            end.tail = True


def _others(work: _GapClosing, path: int) -> tuple[np.ndarray, np.ndarray]:
    """Return where the segments of all other paths and of the links begin and end."""
    a, b, owner = work.segments
    links = np.array([segment for link in work.links for segment in pairwise(link)]).reshape(-1, 2, 2)
    return np.concatenate((a[owner != path], links[:, 0])), np.concatenate((b[owner != path], links[:, 1]))


def _tail(path: Path, a: np.ndarray, b: np.ndarray) -> bool:
    """Whether the path's last piece only goes on beyond a line that it crosses."""
    left = min(TAIL, 0.25 * path.length)
    for start, end in zip(path.points[-2::-1], path.points[:0:-1], strict=True):
        # From the end backwards, as far as a tail goes.
        d = (start[0] - end[0], start[1] - end[1])
        step = dist(start, end)
        times = ray_hit(end, d, a, b)
        if times is not None and times <= 1 and times * step <= left:
            return True
        left -= step
        if left <= 0:
            return False
    return False


def _link(work: _GapClosing, end: _PathEnd, point: Point) -> None:
    """Lead an end to a point of another line, and a little beyond."""
    far = dist(end.point, point)
    over = (far + OVER) / far if far else 1.0
    beyond = tuple(p + (q - p) * over for p, q in zip(end.point, point, strict=True))
    if far:
        # The point itself too: it may be a line's end, which one that goes on beyond would miss by rounding.
        work.links.append((end.point, point, (beyond[0], beyond[1])))
    end.free = False


def _meet(work: _GapClosing) -> None:
    """Let three or more ends that are near each other meet in their middle."""
    for end in work.ends:
        near = [e for e in work.ends if e.free and not e.tail and dist(e.point, end.point) <= MEETING]
        if end in near and len({e.path for e in near}) >= 3:
            middle = tuple(sum(e.point[axis] for e in near) / len(near) for axis in (0, 1))
            for e in near:
                work.links.append((e.point, (middle[0], middle[1])))
                e.free = False
                _chain(work, e.path, near[0].path)


def _chain(work: _GapClosing, a: int, b: int) -> None:
    old, new = work.chains[a], work.chains[b]
    work.chains = [new if chain == old else chain for chain in work.chains]


def _reach(work: _GapClosing) -> None:
    """Join ends with ends, and lead them on to the next line, the nearest first."""
    free = [end for end in work.ends if end.free]
    options: list[tuple[float, int, _PathEnd, _PathEnd | None]] = [
        (_pull(work, a, b), order, a, b) for order, (a, b) in enumerate(combinations(free, 2))
    ]
    options += [
        (far, -1 - order, end, None) for order, end in enumerate(free) if not end.tail for far in _reaches(work, end)
    ]
    for far, _, a, b in sorted(options, key=lambda option: option[:2]):
        if b is None and a.free:
            _extend(work, a, far)
        elif b is not None and a.free and b.free and far < inf:
            _join(work, a, b)


def _pull(work: _GapClosing, a: _PathEnd, b: _PathEnd) -> float:
    """Return how far apart two ends are; the two of one chain, which close it, are nearer than they look."""
    gap = dist(a.point, b.point)
    if a.path != b.path and work.chains[a.path] == work.chains[b.path]:
        return CLOSING * gap
    return gap if gap <= SNAP or max(_facing(a, b)) > 0.5 else inf


def _facing(a: _PathEnd, b: _PathEnd) -> tuple[float, float]:
    """Return how much each of two ends goes towards the other: 1 straight, 0 past it, -1 away."""
    gap = dist(a.point, b.point) or 1.0
    v = ((b.point[0] - a.point[0]) / gap, (b.point[1] - a.point[1]) / gap)
    return a.towards[0] * v[0] + a.towards[1] * v[1], -(b.towards[0] * v[0] + b.towards[1] * v[1])


def _reaches(work: _GapClosing, end: _PathEnd) -> Iterator[float]:
    """Yield how far the end is from the line ahead of it, if one is near enough."""
    path = work.paths[end.path]
    far = ray_hit(end.point, end.towards, *_others(work, end.path)) if any(end.towards) else None
    # What is bent may be writing: it goes no further than is sure.
    reach, own = (DOUBTFUL_REACH, DOUBTFUL_OWN) if path.is_straight else (REACH, OWN)
    if far is not None and far <= min(reach, own * path.length):
        yield far


def _extend(work: _GapClosing, end: _PathEnd, far: float) -> None:
    (x, y), (dx, dy) = end.point, end.towards
    _link(work, end, (x + far * dx, y + far * dy))
    if far > min(REACH, OWN * work.paths[end.path].length):
        work.doubts.append((end.point, (x + far * dx, y + far * dy)))


def _join(work: _GapClosing, a: _PathEnd, b: _PathEnd) -> None:
    """Join two ends where the gap is small for the outline that they are the ends of."""
    gap = dist(a.point, b.point)
    whole = work.length(work.chains[a.path], work.chains[b.path])
    if gap > max(REACH * 0.8, GAP * (whole + gap)) or (gap > REACH and gap > OWN * whole):
        return
    work.links.append((a.point, *_between(a, b), b.point))
    _note(work, a, b, share=gap / (whole + gap))
    a.free = b.free = False
    _chain(work, a.path, b.path)


def _touch(work: _GapClosing) -> None:
    """Lead what is still free to a line beside it, if that is very near."""
    for end in work.ends:
        if end.free and not end.tail:
            a, b = _others(work, end.path)
            near, point = nearest_segment(end.point, a, b) if len(a) else (np.inf, end.point)
            if near <= 2 * SNAP and near <= OWN * work.paths[end.path].length:
                _link(work, end, point)
