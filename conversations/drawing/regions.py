"""Finds shapes from lines: the regions they enclose, which parts belong to one shape, and their sizes."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Final, Literal

import shapely
from shapely import LineString, Polygon
from shapely.affinity import scale

from conversations.drawing.gap_closing import JoinedPaths, close_gaps
from conversations.drawing.paths import Path, SimplifiedDrawing, TooBusy
from conversations.drawing.shape_kinds import Kind, shape_kind

SMALL: Final = 250.0
"""Smaller regions, in square units, are not parts."""
SLIVER: Final = 0.12
"""A thin region smaller than this share of the largest part is a gap between two lines of one edge."""
SPECK: Final = 0.025
THIN: Final = 0.22
"""4π·area / perimeter²; 1 for a circle."""
WRITING: Final = 0.15
"""Something inside a part that is smaller than this share of it is writing."""
SHADED: Final = 0.35
"""A part counts as shaded if this share of it is hatched."""
MAX_REGIONS: Final = 100
REALLY: Final = 4.0
"""A line inside a shape that is longer than this is more than its edge."""
NEAR: Final = 12.0
"""Shapes closer than this may be meant as one."""
LONG: Final = 0.55
"""A loose straight line this long, relative to the part around it, may be meant to cut that part."""
OUTSIDE: Final = 0.12
OUTSIDE_LENGTH: Final = 45.0
"""A line that extends this far outside a shape it touches is more than a slip."""

FAR: Final = 100.0
ACROSS: Final = 0.85
"""A hatching line this long, as a share of a line across the whole shape, may be meant to cut the shape."""

Doubt = Literal["reach", "hatching", "one_or_two", "closed", "beyond", "inside"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    kind: Kind
    area: float
    shares: tuple[float, ...]
    """The parts' shares (0–1) of the whole, from left to right or top to bottom."""
    shaded: int = 0
    doubts: tuple[Doubt, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundShapes:
    shapes: tuple[Shape, ...]
    """The largest first."""
    doubts: tuple[Doubt, ...] = ()
    gap: float = 0.0
    """The largest gap in an outline, as a share of the outline."""


def find_shapes(drawn: SimplifiedDrawing) -> FoundShapes:
    """Return the shapes of a drawing. Raises TooBusy."""
    work = close_gaps(drawn.paths)
    regions = _regions(work)
    groups = _groups(regions)
    holders, inside = _separate_groups(groups)
    filled = [Polygon(path.points) for path in work.paths if path.filled]
    shades = [*drawn.hatchings, *filled]
    nested = [group for group in inside if not _is_fill(group, filled)]
    shapes = [_shape(group, shades=shades, work=work) for group in (*holders, *nested)]
    doubts: list[Doubt] = []
    if nested:
        doubts.append("inside")
    if _almost_touch(holders):
        doubts.append("one_or_two")
    if work.guessed or (not shapes and any(_is_almost_outline(path) for path in work.paths)):
        doubts.append("closed")
    if _goes_on(holders, work):
        doubts.append("beyond")
    if any(_may_go_through(row, _whole(group)) for row in drawn.rows for group in holders):
        doubts.append("hatching")
    shapes.sort(key=lambda shape: -shape.area)
    return FoundShapes(shapes=tuple(shapes), doubts=tuple(doubts), gap=work.gap)


def _regions(work: JoinedPaths) -> list[Polygon]:
    """Return the regions that the lines enclose, without their holes."""
    lines = [LineString(points) for points in (*(path.points for path in work.paths), *work.links) if len(points) > 1]
    faces = shapely.get_parts(shapely.polygonize([shapely.unary_union(lines)])) if lines else ()
    if len(faces) > MAX_REGIONS:
        raise TooBusy
    return [Polygon(face.exterior) for face in faces]


def _groups(regions: Sequence[Polygon]) -> list[list[Polygon]]:
    """Return groups of regions that share edges, without slivers, the largest group first."""
    if not regions:
        return []
    tree = shapely.STRtree(regions)
    group = list(range(len(regions)))
    for a, b in zip(*tree.query(regions, predicate="intersects"), strict=True):
        # A region inside another shares no edge with it unless it touches that one's outline.
        if a < b and group[a] != group[b] and _edge(regions[a], regions[b]) > NEAR / 2:
            group = [group[a] if place == group[b] else place for place in group]
    groups = [
        _without_slivers([region for region, place in zip(regions, group, strict=True) if place == name])
        for name in sorted(set(group))
    ]
    return sorted(filter(None, groups), key=lambda group: -sum(region.area for region in group))


def _edge(a: Polygon, b: Polygon) -> float:
    return float(a.exterior.intersection(b.exterior).length)


def _without_slivers(regions: list[Polygon]) -> list[Polygon]:
    """Merge regions too small or thin to be parts into the neighbor they share most of their edge with."""
    largest = max(region.area for region in regions)
    usual = median(region.area for region in regions if region.area > SPECK * largest)
    slivers = [region for region in regions if _is_sliver(region, largest=largest, usual=usual)]
    parts = [region for region in regions if not any(region is sliver for sliver in slivers)]
    for sliver in sorted(slivers, key=lambda region: -region.area):
        if parts:
            place = max(range(len(parts)), key=lambda place: _edge(parts[place], sliver))
            whole = parts[place].union(sliver)
            if _edge(parts[place], sliver) > 0 and isinstance(whole, Polygon):
                parts[place] = Polygon(whole.exterior)
    return parts


def _is_sliver(region: Polygon, *, largest: float, usual: float) -> bool:
    thin = 4 * 3.1416 * region.area / region.length**2 < THIN
    return bool(region.area < max(SMALL, SPECK * largest) or (thin and region.area < SLIVER * min(largest, usual)))


def _whole(group: Sequence[Polygon]) -> Polygon:
    whole = shapely.unary_union(group)
    if not isinstance(whole, Polygon):
        whole = max(whole.geoms, key=lambda piece: piece.area)
    return Polygon(whole.exterior)


def _separate_groups(groups: list[list[Polygon]]) -> tuple[list[list[Polygon]], list[list[Polygon]]]:
    """Return the groups that stand alone, and those inside a part of another; writing is left out."""
    holders: list[list[Polygon]] = []
    inside = []
    for group in groups:
        whole = _whole(group)
        holder = next((part for held in holders for part in held if part.contains(whole.centroid)), None)
        if holder is None:
            holders.append(group)
        elif whole.area > WRITING * holder.area:
            inside.append(group)
    return holders, inside


def _is_fill(group: Sequence[Polygon], filled: Sequence[Polygon]) -> bool:
    """Return whether a group is only a filled area."""
    whole = _whole(group)
    return any(area.intersection(whole).area > 0.9 * max(area.area, whole.area) for area in filled)


def _shape(group: Sequence[Polygon], *, shades: Sequence[shapely.Geometry], work: JoinedPaths) -> Shape:
    whole = _whole(group)
    left, top, right, bottom = whole.bounds
    axis = 0 if right - left >= bottom - top else 1
    parts = sorted(group, key=lambda part: part.centroid.coords[0][axis])
    sizes = [part.area for part in parts]
    shade = shapely.unary_union(list(shades))
    return Shape(
        kind=shape_kind(whole),
        area=whole.area,
        shares=tuple(size / sum(sizes) for size in sizes),
        shaded=sum(part.intersection(shade).area >= SHADED * part.area for part in parts) if shades else 0,
        doubts=_doubts(parts, whole, work),
    )


def _doubts(parts: Sequence[Polygon], whole: Polygon, work: JoinedPaths) -> tuple[Doubt, ...]:
    doubts: list[Doubt] = []
    cuts = any(LineString(doubt).intersection(whole).length > REALLY for doubt in work.doubts)
    if (cuts and len(parts) > 1) or any(_may_cut(work.paths[place], parts) for place in work.loose):
        doubts.append("reach")
    if len(parts) > 1 and sum(_is_part(path, whole) for path in work.paths) > 1:
        doubts.append("one_or_two")
    return tuple(doubts)


def _is_part(path: Path, whole: Polygon) -> bool:
    """Return whether a path is an outline of its own inside a shape."""
    if not path.closed or path.filled or not whole.intersects(LineString(path.points)):
        return False
    ring = Polygon(path.points).buffer(0)
    return bool(0.05 * whole.area < ring.area < 0.9 * whole.area and ring.intersection(whole).area > 0.8 * ring.area)


def _may_cut(path: Path, parts: Sequence[Polygon]) -> bool:
    line = LineString(path.points)
    return path.is_straight and any(part.intersection(line).length > LONG * part.area**0.5 for part in parts)


def _may_go_through(row: Path, whole: Polygon) -> bool:
    line = LineString((row.points[0], row.points[-1]))
    through = scale(line, xfact=FAR, yfact=FAR).intersection(whole).length
    return bool(line.intersects(whole) and line.length >= ACROSS * through)


def _goes_on(groups: Sequence[Sequence[Polygon]], work: JoinedPaths) -> bool:
    """Return whether a line leads out of a shape to nowhere: part of the shape may be missing."""
    wholes = [_whole(group) for group in groups]
    around = [whole.buffer(NEAR / 2) for whole in wholes]
    return any(
        line.dwithin(whole, NEAR)
        and line.difference(room).length > max(OUTSIDE_LENGTH, OUTSIDE * line.length)
        and not any(other.covers(line.centroid) for other in wholes if other is not whole)
        for line in (LineString(path.points) for path in work.paths)
        for whole, room in zip(wholes, around, strict=True)
    )


def _almost_touch(groups: Sequence[Sequence[Polygon]]) -> bool:
    wholes = [_whole(group) for group in groups]
    return any(a.distance(b) < NEAR for place, a in enumerate(wholes) for b in wholes[:place])


def _is_almost_outline(path: Path) -> bool:
    """Return whether a path goes around something but stays open."""
    hull = LineString(path.points).convex_hull
    return bool(not path.closed and hull.area > 0.03 * path.length**2 and hull.area > 10 * SMALL)
