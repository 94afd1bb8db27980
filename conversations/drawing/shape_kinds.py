"""Names the kind of an outline: square, circle, triangle and so on."""

from itertools import combinations
from typing import Final, Literal

import numpy as np
import shapely
from shapely import Polygon

Kind = Literal["rectangle", "square", "circle", "ellipse", "triangle", "shape"]

CORNERS: Final = 18
"""Maximum number of hull corners considered when looking for its largest triangle."""
SQUARE: Final = 1.18
"""Largest ratio of the sides at which a rectangle counts as a square and an ellipse as a circle."""


def shape_kind(outline: Polygon) -> Kind:
    """Return the kind the outline is most like, from two ratios that hand errors hardly change.

    The area relative to the best-fitting box is 1 for a rectangle, .79 for an ellipse and .5 for a triangle; the
    largest triangle inside covers .5, .41 and all of it.
    """
    hull = outline.convex_hull
    if not isinstance(hull, Polygon) or outline.area < 0.8 * hull.area:
        return "shape"
    box = hull.minimum_rotated_rectangle
    fills, triangle = hull.area / box.area, _largest_triangle(hull) / hull.area
    long, short = _sides(box)
    if triangle > 0.78:
        return "triangle"
    if fills > 0.88:
        return "square" if long < SQUARE * short else "rectangle"
    if fills > 0.7 and triangle < 0.47:
        return "circle" if long < SQUARE * short else "ellipse"
    return "shape"


def _sides(box: Polygon) -> tuple[float, float]:
    """Return the lengths of the longer and the shorter side."""
    corners = np.array(box.exterior.coords)
    sides = np.hypot(*np.diff(corners[:3], axis=0).T)
    return float(sides.max()), float(sides.min())


def _largest_triangle(hull: Polygon) -> float:
    """Return the area of the largest triangle between corners of the hull."""
    simple = hull
    for tolerance in (2, 4, 8, 16, 32):
        if len(simple.exterior.coords) <= CORNERS + 1:
            break
        simple = shapely.simplify(hull, tolerance)
    points = np.array(simple.exterior.coords[:-1])[: 2 * CORNERS]
    a, b, c = (points[list(places)] for places in zip(*combinations(range(len(points)), 3), strict=True))
    return float(
        np.abs((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1])).max() / 2
    )
