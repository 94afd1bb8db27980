"""The SVG of plots. `static/js/plot.js` draws what moves with the sliders in the same way."""

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from html import escape
from typing import Literal

from tutoring.courses.pictures.formulas import Formula, formula_value
from tutoring.courses.pictures.plots import Plot, PlotAxis, PlotBox, PlotCurve
from tutoring.courses.pictures.shapes import (
    CHARACTER,
    LINE_HEIGHT,
    WIDTH,
    Drawn,
    circle,
    coordinate,
    label,
    line,
    number_text,
    rectangle,
)

_HEIGHT = 220
_RIGHT = 12
"""Room for half a number at the right end."""
_TOP = 10
_GAP = 6
_BOX_HEIGHT = 26

type Place = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotFrame:
    """Where the plane lies in the drawing."""

    left: float
    top: float
    width: float
    height: float
    x: PlotAxis
    y: PlotAxis

    def across(self, x: float) -> float:
        return self.left + self.width * (x - self.x.start) / (self.x.end - self.x.start)

    def down(self, y: float) -> float:
        return self.top + self.height * (self.y.end - y) / (self.y.end - self.y.start)


def draw_plot(plot: Plot) -> Drawn:
    """Return the plot where its sliders start."""
    frame = frame_of(plot)
    rows = 2 if _bar_rows(plot, frame) else 1
    bottom = frame.top + frame.height + _GAP + rows * LINE_HEIGHT
    shapes = [*_grid(plot, frame), *_numbers(plot, frame, bottom=bottom)]
    names = plot.start_values
    content = f'<g class="plot-content">{"".join(plot_content(plot, frame, names))}</g>'
    bottom += LINE_HEIGHT + 3 if plot.x.label else 0
    readouts = "".join(_readouts(plot, names, top=bottom))
    bottom += LINE_HEIGHT * len(plot.readouts)
    data = f' data-plot="{escape(json.dumps(_live(plot, frame)))}"' if plot.sliders else ""
    return Drawn(
        width=frame.left + frame.width + _RIGHT,
        height=bottom + 4,
        shapes="".join(shapes) + content + readouts,
        data=data,
    )


def frame_of(plot: Plot) -> PlotFrame:
    """Return the place of the plane: left of it the numbers of y, above it the label of y."""
    shown = _shown_ticks(plot.y, length=_HEIGHT, size=lambda _text: LINE_HEIGHT) if _has_heights(plot) else ()
    left = max([12.0, *(len(text) * CHARACTER + _GAP + 4 for _tick, text in shown)])
    width = WIDTH + 24 - left
    top = _TOP + (LINE_HEIGHT + 2 if plot.y.label else 0)
    return PlotFrame(left=left, top=top, width=width, height=_height(plot, width), x=plot.x, y=plot.y)


def _height(plot: Plot, width: float) -> float:
    """Return the height of the plane: in proportion if both axes have the same step, so that squares are squares."""
    if plot.boxes and not _has_heights(plot):
        return max(90.0, 70.0 * len(plot.boxes) + 20)
    ratio = (plot.y.end - plot.y.start) / (plot.x.end - plot.x.start)
    return width * ratio if plot.x.step == plot.y.step and 0.4 <= ratio <= 1.1 else _HEIGHT


def _has_heights(plot: Plot) -> bool:
    """Tell whether numbers of y mean something; beside box plots alone they do not."""
    return not plot.boxes or bool(plot.points or plot.lines or plot.curves or plot.bars)


def _shown_ticks(axis: PlotAxis, *, length: float, size: Callable[[str], float]) -> list[tuple[float, str]]:
    """Return the ticks that have a number: every one, or every second, fifth, tenth, so that none overlap."""
    ticks = [(round(tick / axis.step), number_text(tick)) for tick in axis.ticks()]
    room = length * axis.step / (axis.end - axis.start)
    needed = max((size(text) for _index, text in ticks), default=0)
    every = next((each for each in (1, 2, 5, 10, 20, 50) if each * room >= needed), 100)
    return [(index * axis.step, text) for index, text in ticks if index % every == 0]


def _grid(plot: Plot, frame: PlotFrame) -> Iterator[str]:
    right, bottom = frame.left + frame.width, frame.top + frame.height
    yield rectangle(frame.left, frame.top, frame.width, frame.height, classes="plot-ground")
    if plot.grid:
        for tick in plot.x.ticks():
            yield line(frame.across(tick), frame.top, frame.across(tick), bottom, classes="plot-grid")
        for tick in plot.y.ticks() if _has_heights(plot) else ():
            yield line(frame.left, frame.down(tick), right, frame.down(tick), classes="plot-grid")
    at_x = min(max(plot.x.start, 0.0), plot.x.end)
    at_y = min(max(plot.y.start, 0.0), plot.y.end)
    if _has_heights(plot):
        yield line(frame.across(at_x), frame.top, frame.across(at_x), bottom)
        yield line(frame.left, frame.down(at_y), right, frame.down(at_y))
    else:
        yield line(frame.left, bottom, right, bottom)


def _numbers(plot: Plot, frame: PlotFrame, *, bottom: float) -> Iterator[str]:
    base = frame.top + frame.height + _GAP + LINE_HEIGHT - 5
    if not any(bar.label for bar in plot.bars):
        for tick, text in _shown_ticks(plot.x, length=frame.width, size=lambda text: len(text) * CHARACTER + 10):
            yield label(text, frame.across(tick), base)
    if _has_heights(plot):
        for tick, text in _shown_ticks(plot.y, length=frame.height, size=lambda _text: LINE_HEIGHT):
            yield label(text, frame.left - _GAP, frame.down(tick) + 5, anchor="end")
    if plot.x.label:
        yield label(plot.x.label, frame.left + frame.width, bottom + LINE_HEIGHT - 4, anchor="end", more="is-axis")
    if plot.y.label:
        yield label(plot.y.label, 2, _TOP + 8, anchor="start", more="is-axis")


def plot_content(plot: Plot, frame: PlotFrame, names: Mapping[str, float]) -> Iterator[str]:
    """Yield what lies on the plane, with these values of the sliders."""
    yield from _bars(plot, frame, names)
    for box in plot.boxes:
        yield from _box(box, frame, names)
    for index, curve in enumerate(plot.curves):
        yield from _curve(plot, curve, frame, names, order=index)
    for segment in plot.lines:
        ends = [(_at(segment.x1, names), _at(segment.y1, names)), (_at(segment.x2, names), _at(segment.y2, names))]
        classes = f"plot-line{' is-dashed' if segment.dashed else ''}"
        if path := _path(ends, frame):
            yield f'<path class="{classes}" d="{path}"/>'
            if segment.label:
                (x1, y1), (x2, y2) = ends
                place = x1 + (x2 - x1) * 0.75, y1 + (y2 - y1) * 0.75
                yield _label_at(segment.label, frame, *place, rises="left" if (x2 - x1) * (y2 - y1) > 0 else "")
    for point in plot.points:
        x, y = _at(point.x, names), _at(point.y, names)
        if _is_inside(frame, x, y):
            yield circle(frame.across(x), frame.down(y), 5.5, classes="pic-mark")
            if point.label:
                yield _label_at(point.label, frame, x, y)


def _at(formula: Formula, names: Mapping[str, float]) -> float:
    return formula_value(formula, names)


def _is_inside(frame: PlotFrame, x: float, y: float) -> bool:
    return frame.x.start <= x <= frame.x.end and frame.y.start <= y <= frame.y.end


def _label_at(text: str, frame: PlotFrame, x: float, y: float, *, rises: Literal["left", "right", ""] = "") -> str:
    """Return a label beside a place: right of it, or left of it near the right end; above, or below near the top.

    On a line that rises it is left of it and above, or right of it and below, where the line is not; `rises` says which
    of them is tried first.
    """
    across, down = frame.across(x), frame.down(y)
    reach = 9 + len(text) * CHARACTER
    is_left = across - reach > frame.left if rises == "left" else across + reach > frame.left + frame.width
    is_below = not is_left if rises else down - 20 < frame.top
    height = down + 18 if is_below else down - 9
    return label(text, across + (-8 if is_left else 8), height, anchor="end" if is_left else "start", more="has-halo")


def _path(places: Iterable[Place], frame: PlotFrame) -> str:
    """Return the path through places, cut off at the edges of the plane and broken where there is no value."""
    path, last = "", None
    before: Place | None = None
    for place in places:
        if not (math.isfinite(place[0]) and math.isfinite(place[1])):
            before = None
            continue
        if before is not None and (cut := _clipped(before, place, frame)):
            start, end = cut
            begin = f"{coordinate(frame.across(start[0]))} {coordinate(frame.down(start[1]))}"
            if begin != last:
                path += f"M{begin}"
            last = f"{coordinate(frame.across(end[0]))} {coordinate(frame.down(end[1]))}"
            path += f"L{last}"
        before = place
    return path


def _clipped(start: Place, end: Place, frame: PlotFrame) -> tuple[Place, Place] | None:
    """Return the part of a segment inside the plane (Liang and Barsky); None if there is none.

    From above the plane to below it within one step is a jump, as of 1/x at 0.
    """
    (x1, y1), (x2, y2) = start, end
    low, high = 0.0, 1.0
    for by, back, ahead in (
        (x2 - x1, x1 - frame.x.start, frame.x.end - x1),
        (y2 - y1, y1 - frame.y.start, frame.y.end - y1),
    ):
        if by == 0:
            if back < 0 or ahead < 0:
                return None
            continue
        first, second = sorted((-back / by, ahead / by))
        low, high = max(low, first), min(high, second)
    if low > high:
        return None
    return (x1 + (x2 - x1) * low, y1 + (y2 - y1) * low), (x1 + (x2 - x1) * high, y1 + (y2 - y1) * high)


def _curve(plot: Plot, curve: PlotCurve, frame: PlotFrame, names: Mapping[str, float], *, order: int) -> Iterator[str]:
    places = list(_without_jumps(plot.samples(curve, dict(names)), frame))
    look = " is-dashed" if curve.dashed else f" is-curve-{order % 3}"
    if path := _path(places, frame):
        yield f'<path class="plot-curve{look}" d="{path}"/>'
    shown = [(x, y) for x, y in places if _is_inside(frame, x, y)]
    if curve.label and shown:
        # Labels of several curves stand apart: at the right end, and farther left.
        index = round((len(shown) - 1) * (1 - 0.3 * (order % 3)))
        does_rise = index > 0 and shown[index - 1][1] < shown[index][1]
        side: Literal["left", "right"] = "right" if order else "left"
        yield _label_at(curve.label, frame, *shown[index], rises=side if does_rise else "")


def _without_jumps(places: Iterable[Place], frame: PlotFrame) -> Iterator[Place]:
    """Yield the places, with a gap where the curve jumps over the whole plane."""
    last = math.nan
    for x, y in places:
        if (last > frame.y.end and y < frame.y.start) or (last < frame.y.start and y > frame.y.end):
            yield x, math.nan
        yield x, y
        last = y


def _bar_rows(plot: Plot, frame: PlotFrame) -> bool:
    """Tell whether the labels of bars need two rows."""
    names = plot.start_values
    return any(
        len(bar.label) * CHARACTER + 4
        > frame.width * (_at(bar.end, names) - _at(bar.start, names)) / (plot.x.end - plot.x.start)
        for bar in plot.bars
    )


def _bars(plot: Plot, frame: PlotFrame, names: Mapping[str, float]) -> Iterator[str]:
    rows, base = _bar_rows(plot, frame), frame.top + frame.height + _GAP + LINE_HEIGHT - 5
    for index, bar in enumerate(plot.bars):
        start, end = (min(max(_at(each, names), frame.x.start), frame.x.end) for each in (bar.start, bar.end))
        height = _at(bar.height, names)
        if not (start < end and math.isfinite(height)):
            continue
        zero = min(max(0.0, frame.y.start), frame.y.end)
        top, low = sorted(frame.down(min(max(each, frame.y.start), frame.y.end)) for each in (height, zero))
        left, right = frame.across(start), frame.across(end)
        yield rectangle(left, top, right - left, low - top, classes="pic-shaded pic-striped")
        if bar.label:
            yield label(bar.label, (left + right) / 2, base + (LINE_HEIGHT if rows and index % 2 else 0))


def _box(box: PlotBox, frame: PlotFrame, names: Mapping[str, float]) -> Iterator[str]:
    five = [_at(each, names) for each in box.five]
    if not all(map(math.isfinite, five)):
        return
    least, lower, middle, upper, most = (frame.across(min(max(each, frame.x.start), frame.x.end)) for each in five)
    level, half = frame.down(_at(box.at, names)), _BOX_HEIGHT / 2
    yield line(least, level, lower, level, classes="plot-line")
    yield line(upper, level, most, level, classes="plot-line")
    for end in (least, most):
        yield line(end, level - half / 2, end, level + half / 2, classes="plot-line")
    yield rectangle(lower, level - half, upper - lower, 2 * half, classes="pic-shaded pic-striped")
    yield line(middle, level - half, middle, level + half, classes="plot-median")
    if box.label:
        yield label(box.label, least, level - half - 6, anchor="start", more="has-halo")


def _readouts(plot: Plot, names: Mapping[str, float], *, top: float) -> Iterator[str]:
    for index, readout in enumerate(plot.readouts):
        text = f"{readout.label}: {readout_text(_at(readout.value, names))}"
        yield label(text, 2, top + LINE_HEIGHT * (index + 1) - 4, anchor="start", more="plot-readout")


def readout_text(value: float) -> str:
    """Return a number with at most three decimals, as under a plot."""
    if not math.isfinite(value):
        return "–"
    rounded = math.copysign(math.floor(abs(value) * 1000 + 0.5) / 1000, value)
    return number_text(0.0 if rounded == 0 else rounded) if abs(rounded) < 1000 else f"{rounded:.0f}".replace("-", "−")


def _live(plot: Plot, frame: PlotFrame) -> dict[str, object]:
    """Return what the page needs to draw the plot again when a slider moves."""
    parts = ("sliders", "points", "lines", "curves", "bars", "boxes", "readouts")
    things: Mapping[str, Sequence[object]] = {name: getattr(plot, name) for name in parts}
    return {
        "frame": [frame.left, frame.top, frame.width, frame.height],
        "x": [plot.x.start, plot.x.end],
        "y": [plot.y.start, plot.y.end],
        "bar_rows": _bar_rows(plot, frame),
        **{name: [asdict(each) for each in listed] for name, listed in things.items()},  # type: ignore[call-overload]
    }
