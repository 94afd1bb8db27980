"""Where the bars, lines and labels of a chart are drawn, in the units of its SVG."""

from collections.abc import Mapping, Sequence
from math import ceil, floor, log10
from sys import float_info
from typing import Any, Final

from conversations.charts.figures import ChartCard, ChartPoint, value_words

WIDTH: Final = 480
BAR_STEP, BAR_HEIGHT = 30, 18
# More bars than these are not compared by eye; the table has them all. Chosen by hand.
MOST_BARS: Final = 30
"""Bars that are drawn; the others stand only in the table."""
LABEL_CHARACTERS: Final = 18
BAR_LEFT, BAR_RIGHT = 150, 410
"""Where bars start and where the longest one ends; its figure stands after it."""
LINE_LEFT, LINE_RIGHT, LINE_TOP, LINE_BOTTOM = 44, 456, 26, 150
LINE_HEIGHT: Final = 184
GRID_LINES: Final = 3
DAYS_SHOWN: Final = 5
"""Labels under a line; with more, they would overlap."""


def chart_drawing(card: ChartCard) -> Mapping[str, Any]:
    """Return what the template draws; empty if there is nothing to draw."""
    if card.shape is None or not card.points:
        return {}
    return _bars(card) if card.shape == "bar" else _line(card)


def highest_value(most: float, unit: str) -> float:
    """Return the highest value of an axis: 100 for percentages, otherwise 1, 2 or 5 times a power of ten."""
    # Below the smallest normal number, a power of ten is 0.
    if unit == "%" or most < float_info.min:
        return 100.0 if unit == "%" else 1.0
    power = 10.0 ** floor(log10(most))
    return next(step * power for step in (1, 2, 5, 10) if most <= step * power)


def _bars(card: ChartCard) -> Mapping[str, Any]:
    shown = card.points[:MOST_BARS]
    top = highest_value(max(each.value for each in shown), card.unit)
    bars = [_bar(number, each, top=top, unit=card.unit) for number, each in enumerate(shown)]
    return {"width": WIDTH, "height": BAR_STEP * len(bars) + 4, "bars": bars, "more": len(card.points) - len(shown)}


def _bar(number: int, point: ChartPoint, *, top: float, unit: str) -> Mapping[str, Any]:
    width = round((BAR_RIGHT - BAR_LEFT) * min(point.value, top) / top)
    y = BAR_STEP * number + 4
    return {
        "label": _shortened(point.label),
        "value": value_words(point.value, unit),
        "x": BAR_LEFT,
        "y": y,
        "width": max(width, 2),
        "height": BAR_HEIGHT,
        "text_y": y + 14,
        "label_x": BAR_LEFT - 8,
        "value_x": BAR_LEFT + max(width, 2) + 8,
    }


def _line(card: ChartCard) -> Mapping[str, Any]:
    top = highest_value(max(each.value for each in card.points), card.unit)
    xs = _across(len(card.points))
    spots = [(x, _height(each.value, top)) for x, each in zip(xs, card.points, strict=True)]
    last_x, last_y = spots[-1]
    every = ceil(len(xs) / DAYS_SHOWN)
    return {
        "width": WIDTH,
        "height": LINE_HEIGHT,
        "left": LINE_LEFT,
        "right": LINE_RIGHT,
        "grid": [_grid_line(top * number / (GRID_LINES - 1), top, card.unit) for number in range(GRID_LINES)],
        "line": "M" + "L".join(f"{x} {y}" for x, y in spots),
        "last": {"x": last_x, "y": last_y, "label_y": last_y - 12, "value": value_words(card.points[-1].value, card.unit)},
        "days": [
            {"x": x, "y": LINE_HEIGHT - 10, "label": _shortened(each.label)}
            for number, (x, each) in enumerate(zip(xs, card.points, strict=True))
            # Counted from the end, so that the latest one is labeled.
            if (len(xs) - 1 - number) % every == 0
        ],
    }  # fmt: skip


def _across(count: int) -> Sequence[int]:
    """Return the middles of so many equal columns."""
    step = (LINE_RIGHT - LINE_LEFT) / count
    return [round(LINE_LEFT + step * (number + 0.5)) for number in range(count)]


def _height(value: float, top: float) -> int:
    return round(LINE_BOTTOM - (LINE_BOTTOM - LINE_TOP) * min(value, top) / top)


def _grid_line(value: float, top: float, unit: str) -> Mapping[str, Any]:
    y = _height(value, top)
    return {"y": y, "label_y": y + 5, "value": value_words(value, unit if unit in ("%", "$") else "")}


def _shortened(label: str) -> str:
    return label if len(label) <= LABEL_CHARACTERS else f"{label[: LABEL_CHARACTERS - 1].rstrip()}…"
