"""Vectorized geometry of points, rays and segments. `a` and `b` hold the segments' starts and ends, one per row."""

from collections.abc import Sequence

import numpy as np

from conversations.drawing.schema import Point


def area(points: Sequence[Point]) -> float:
    x, y = np.array(points).T
    return abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2


def nearest_segment(point: Point, a: np.ndarray, b: np.ndarray) -> tuple[float, Point]:
    """Return the distance to the nearest segment, and the nearest point on it."""
    p, d = np.array(point), b - a
    along = np.clip(((p - a) * d).sum(1) / np.maximum((d * d).sum(1), 1e-9), 0, 1)
    feet = a + along[:, None] * d
    far = np.hypot(*(feet - p).T)
    best = int(far.argmin())
    return float(far[best]), (float(feet[best, 0]), float(feet[best, 1]))


def ray_hit(point: Point, d: Point, a: np.ndarray, b: np.ndarray) -> float | None:
    """Return how many times `d` a ray from the point travels to the first segment it hits; None if it hits none."""
    e, w = b - a, a - np.array(point)
    cross = d[0] * e[:, 1] - d[1] * e[:, 0]
    safe = np.where(np.abs(cross) < 1e-9, np.nan, cross)
    t = (w[:, 0] * e[:, 1] - w[:, 1] * e[:, 0]) / safe
    s = (w[:, 0] * d[1] - w[:, 1] * d[0]) / safe
    ahead = t[(t >= 0) & (s >= -1e-6) & (s <= 1 + 1e-6)]
    return float(ahead.min()) if len(ahead) else None
