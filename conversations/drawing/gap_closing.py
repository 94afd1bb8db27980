"""Closes gaps in hand-drawn lines: open outlines, lines that stop short of an edge or cross it."""

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
"""Largest gap that is closed, as a share of the outline's length. Hand-drawn gaps of 15 % vary."""
SNAP: Final = 10.0
REACH: Final = 32.0
"""How far a line is extended, but never by more than `OWN` of its length."""
OWN: Final = 0.3
DOUBTFUL_REACH: Final = 85.0
DOUBTFUL_OWN: Final = 0.6
"""How far a line is extended if the learner is asked about it."""
TAIL: Final = 40.0
MEETING: Final = 30.0
"""Three line ends this close are joined."""
OVER: Final = 1.0
"""A line is extended this far beyond what it hits, so that rounding leaves no gap."""
TANGENT: Final = 40.0
CLOSING: Final = 0.25
"""The two ends of one outline are joined first, unless other ends are this much nearer."""

type Segment = tuple[Point, Point]


@dataclass(frozen=True, slots=True, kw_only=True)
class JoinedPaths:
    paths: tuple[Path, ...]
    """With outlines closed."""
    links: tuple[tuple[Point, ...], ...] = ()
    """Lines to add."""
    doubts: tuple[Segment, ...] = ()
    """Added lines that the learner may not have intended."""
    loose: tuple[int, ...] = ()
    """Indexes of the paths with an end that leads nowhere."""
    gap: float = 0.0
    """The largest closed gap, as a share of its outline."""
    guessed: bool = False
    """Whether the shape of a closed gap is a guess because its ends do not point at each other."""


@dataclass(slots=True, kw_only=True)
class _PathEnd:
    path: int
    point: Point
    towards: Point
    """The direction in which the line would continue, as a vector of length 1."""
    free: bool = True
    tail: bool = False
    """The end only extends beyond a line that it crosses, so joining it is optional."""


@dataclass(kw_only=True)
class _GapClosing:
    paths: list[Path]
    ends: list[_PathEnd]
    chains: list[int]
    """The chain of joined paths that each path belongs to."""
    links: list[tuple[Point, ...]] = field(default_factory=list)
    doubts: list[Segment] = field(default_factory=list)
    gap: float = 0.0
    guessed: bool = False

    @cached_property
    def segments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The starts and ends of the paths' segments, and their paths; only once all outlines are closed."""
        found = [(a, b, place) for place, path in enumerate(self.paths) for a, b in pairwise(path.points)]
        begin, end, owner = zip(*found, strict=True) if found else ((), (), ())
        return np.array(begin).reshape(-1, 2), np.array(end).reshape(-1, 2), np.array(owner, dtype=int)

    def length(self, *chains: int) -> float:
        return sum(path.length for path, chain in zip(self.paths, self.chains, strict=True) if chain in chains)


def close_gaps(paths: Sequence[Path]) -> JoinedPaths:
    """Return the paths with their gaps closed."""
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
    """Close a path that forms an outline on its own."""
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
    """Return whether a path leads from one point to the other, so that there is no gap."""
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
    """Return the direction in which the last point was reached."""
    end = points[-1]
    back = path.length if path.is_straight else min(TANGENT, path.length / 3)
    start = next((point for point in reversed(points) if dist(point, end) >= back * 0.9), points[0])
    far = dist(start, end)
    if far > back > 0 and not path.is_straight:
        # If simplifying left one long straight piece, its whole length gives the direction.
        start = points[-2]
        far = dist(start, end)
    return ((end[0] - start[0]) / far, (end[1] - start[1]) / far) if far else (0.0, 0.0)


def _between(a: _PathEnd, b: _PathEnd) -> tuple[Point, ...]:
    """Return the corner between two ends if their lines meet ahead of both; else nothing."""
    gap = dist(a.point, b.point)
    (ax, ay), (bx, by), (ux, uy), (vx, vy) = a.point, b.point, a.towards, b.towards
    cross = ux * vy - uy * vx
    if gap < SNAP or abs(cross) < 0.05:
        return ()
    t = ((bx - ax) * vy - (by - ay) * vx) / cross
    s = ((bx - ax) * uy - (by - ay) * ux) / cross
    # A line may end in the corner, or slightly beyond it.
    if min(t, s) < -SNAP or t + s > 2.5 * gap:
        return ()
    return ((ax + t * ux, ay + t * uy),)


def _settle(work: _GapClosing) -> None:
    """Mark ends as joined that touch a line or extend slightly beyond one."""
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
    """Return the starts and ends of the segments of all other paths and links."""
    a, b, owner = work.segments
    links = np.array([segment for link in work.links for segment in pairwise(link)]).reshape(-1, 2, 2)
    return np.concatenate((a[owner != path], links[:, 0])), np.concatenate((b[owner != path], links[:, 1]))


def _tail(path: Path, a: np.ndarray, b: np.ndarray) -> bool:
    """Return whether the path's last piece only extends beyond a line that it crosses."""
    left = min(TAIL, 0.25 * path.length)
    for start, end in zip(path.points[-2::-1], path.points[:0:-1], strict=True):
        # Backwards from the end, up to the length of a tail.
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
    """Extend an end to a point of another line, and slightly beyond."""
    far = dist(end.point, point)
    over = (far + OVER) / far if far else 1.0
    beyond = tuple(p + (q - p) * over for p, q in zip(end.point, point, strict=True))
    if far:
        # Include the point itself: it may be a line's end, which an extended line could miss by rounding.
        work.links.append((end.point, point, (beyond[0], beyond[1])))
    end.free = False


def _meet(work: _GapClosing) -> None:
    """Join three or more ends that are close together at their center."""
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
    """Join ends with each other or extend them to the next line, the nearest first."""
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
    """Return the distance of two ends, reduced for the two ends of one chain, which close it."""
    gap = dist(a.point, b.point)
    if a.path != b.path and work.chains[a.path] == work.chains[b.path]:
        return CLOSING * gap
    return gap if gap <= SNAP or max(_facing(a, b)) > 0.5 else inf


def _facing(a: _PathEnd, b: _PathEnd) -> tuple[float, float]:
    """Return how much each end points at the other: 1 directly, 0 sideways, -1 away."""
    gap = dist(a.point, b.point) or 1.0
    v = ((b.point[0] - a.point[0]) / gap, (b.point[1] - a.point[1]) / gap)
    return a.towards[0] * v[0] + a.towards[1] * v[1], -(b.towards[0] * v[0] + b.towards[1] * v[1])


def _reaches(work: _GapClosing, end: _PathEnd) -> Iterator[float]:
    """Yield the distance from the end to the line ahead of it, if one is near enough."""
    path = work.paths[end.path]
    far = ray_hit(end.point, end.towards, *_others(work, end.path)) if any(end.towards) else None
    # A bent line may be handwriting: it is extended only as far as is certain.
    reach, own = (DOUBTFUL_REACH, DOUBTFUL_OWN) if path.is_straight else (REACH, OWN)
    if far is not None and far <= min(reach, own * path.length):
        yield far


def _extend(work: _GapClosing, end: _PathEnd, far: float) -> None:
    (x, y), (dx, dy) = end.point, end.towards
    _link(work, end, (x + far * dx, y + far * dy))
    if far > min(REACH, OWN * work.paths[end.path].length):
        work.doubts.append((end.point, (x + far * dx, y + far * dy)))


def _join(work: _GapClosing, a: _PathEnd, b: _PathEnd) -> None:
    """Join two ends if the gap is small compared with the outline they belong to."""
    gap = dist(a.point, b.point)
    whole = work.length(work.chains[a.path], work.chains[b.path])
    if gap > max(REACH * 0.8, GAP * (whole + gap)) or (gap > REACH and gap > OWN * whole):
        return
    work.links.append((a.point, *_between(a, b), b.point))
    _note(work, a, b, share=gap / (whole + gap))
    a.free = b.free = False
    _chain(work, a.path, b.path)


def _touch(work: _GapClosing) -> None:
    """Join remaining free ends to a line beside them, if that is very near."""
    for end in work.ends:
        if end.free and not end.tail:
            a, b = _others(work, end.path)
            near, point = nearest_segment(end.point, a, b) if len(a) else (np.inf, end.point)
            if near <= 2 * SNAP and near <= OWN * work.paths[end.path].length:
                _link(work, end, point)
