"""Plots: a plane with axes, and what is drawn on it; sliders make it live."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

from tutoring.courses.pictures.formulas import Formula, formula_value, is_constant
from tutoring.courses.pictures.shapes import PictureError, number_text, require_text

# Chosen by eye at 320 units, and so that a phone draws a live plot while a slider moves.
MAX_STEPS = 60
MAX_SLIDERS = 3
MAX_SLIDER_STEPS = 400
MAX_THINGS = 200
MAX_CURVES = 6
MAX_BOXES = 4
MAX_READOUTS = 4
MAX_LABEL = 24
MAX_AXIS_LABEL = 40
MAX_NUMBER = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotAxis:
    """An axis from `start` to `end`, with a line of the grid and a number at each step."""

    start: float
    end: float
    step: float
    label: str = ""

    def __post_init__(self) -> None:
        if not all(math.isfinite(each) and abs(each) <= MAX_NUMBER for each in (self.start, self.end, self.step)):
            raise PictureError("numbers of an axis must be at most a million")
        if not (self.start < self.end and self.step > 0 and (self.end - self.start) / self.step <= MAX_STEPS):
            raise PictureError(f"an axis must go up, in at most {MAX_STEPS} steps")
        require_text(self.label, most=MAX_AXIS_LABEL, what="an axis's label")

    def ticks(self) -> tuple[float, ...]:
        """Return the multiples of the step on the axis."""
        first = math.ceil(self.start / self.step - 1e-9)
        last = math.floor(self.end / self.step + 1e-9)
        return tuple(self.step * index for index in range(first, last + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotSlider:
    """A number that the reader changes in steps; `value` is where it starts."""

    name: str
    start: float
    end: float
    step: float
    value: float
    label: str

    def __post_init__(self) -> None:
        if not (self.start <= self.value <= self.end and self.start < self.end and self.step > 0):
            raise PictureError(f"the slider {self.name} must go up, and start between its ends")
        if (self.end - self.start) / self.step > MAX_SLIDER_STEPS:
            raise PictureError(f"the slider {self.name} can have at most {MAX_SLIDER_STEPS} steps")
        require_text(self.label, most=MAX_AXIS_LABEL, what="a slider's label")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotPoint:
    x: Formula
    y: Formula
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotLine:
    """A segment between two points."""

    x1: Formula
    y1: Formula
    x2: Formula
    y2: Formula
    label: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotCurve:
    """A function of x, drawn from `start` to `end` (None: over the whole plane)."""

    y: Formula
    start: Formula | None = None
    end: Formula | None = None
    label: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotBar:
    """A bar of a histogram or a bar chart, on the x axis."""

    start: Formula
    end: Formula
    height: Formula
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotBox:
    """A box plot along x at the height `at`: least, lower quartile, median, upper quartile, most."""

    at: Formula
    five: tuple[Formula, Formula, Formula, Formula, Formula]
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readout:
    """A number under the plot that follows the sliders."""

    label: str
    value: Formula


type _Labeled = PlotPoint | PlotLine | PlotCurve | PlotBar | PlotBox | Readout


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """What a plot shows. Raises PictureError if it cannot be drawn where its sliders start, or at their ends."""

    x: PlotAxis
    y: PlotAxis
    grid: bool = True
    sliders: tuple[PlotSlider, ...] = ()
    points: tuple[PlotPoint, ...] = ()
    lines: tuple[PlotLine, ...] = ()
    curves: tuple[PlotCurve, ...] = ()
    bars: tuple[PlotBar, ...] = ()
    boxes: tuple[PlotBox, ...] = ()
    readouts: tuple[Readout, ...] = ()

    def __post_init__(self) -> None:
        counts = (
            (self.sliders, MAX_SLIDERS, "sliders"),
            ((*self.points, *self.lines, *self.bars), MAX_THINGS, "points, lines and bars"),
            (self.curves, MAX_CURVES, "curves"),
            (self.boxes, MAX_BOXES, "boxes"),
            (self.readouts, MAX_READOUTS, "readouts"),
        )
        for things, most, what in counts:
            if len(things) > most:
                raise PictureError(f"a plot can have at most {most} {what}")
        if len({slider.name for slider in self.sliders}) < len(self.sliders):
            raise PictureError("two sliders have the same name")
        labeled: tuple[_Labeled, ...] = (
            *self.points, *self.lines, *self.curves, *self.bars, *self.boxes, *self.readouts
        )  # fmt: skip
        for thing in labeled:
            require_text(thing.label, most=MAX_LABEL, what="a label in a plot")
        self._check_places()

    def _check_places(self) -> None:
        """Refuse what is never to be seen: constant places outside the plane, and curves without any value."""
        start = self.start_values
        for point in self.points:
            if is_constant(point.x) and is_constant(point.y) and not self.holds(point.x, point.y):
                raise PictureError(f"the point {point.label or _told(point)} is outside the plot")
        for bar in self.bars:
            ends = (bar.start, bar.end, bar.height)
            if all(map(is_constant, ends)) and not (
                self.x.start <= formula_value(bar.start, {}) < formula_value(bar.end, {}) <= self.x.end
                and self.y.start <= formula_value(bar.height, {}) <= self.y.end
            ):
                raise PictureError(
                    f"the bar {bar.label or number_text(formula_value(bar.start, {}))} is outside the plot"
                )
        for box in self.boxes:
            if all(map(is_constant, (box.at, *box.five))):
                numbers = [formula_value(each, {}) for each in box.five]
                if (
                    numbers != sorted(numbers)
                    or not self.holds(numbers[0], box.at)
                    or not self.holds(numbers[-1], box.at)
                ):
                    raise PictureError("the five numbers of a box must rise, and lie inside the plot")
        for curve in self.curves:
            if not any(math.isfinite(y) for _x, y in self.samples(curve, start)):
                raise PictureError("a curve has no value anywhere in the plot")
        for readout in self.readouts:
            if not math.isfinite(formula_value(readout.value, start)):
                raise PictureError(f"the readout {readout.label!r} has no value where the sliders start")

    @property
    def start_values(self) -> dict[str, float]:
        """Where the sliders start."""
        return {slider.name: slider.value for slider in self.sliders}

    def holds(self, x: Formula, y: Formula) -> bool:
        """Tell whether a constant place is inside the plot."""
        at_x, at_y = formula_value(x, {}), formula_value(y, {})
        return self.x.start <= at_x <= self.x.end and self.y.start <= at_y <= self.y.end

    def samples(self, curve: PlotCurve, names: dict[str, float]) -> Iterator[tuple[float, float]]:
        """Yield places of a curve from left to right."""
        start = self.x.start if curve.start is None else max(self.x.start, formula_value(curve.start, names))
        end = self.x.end if curve.end is None else min(self.x.end, formula_value(curve.end, names))
        for index in range(SAMPLES + 1):
            x = start + (end - start) * index / SAMPLES
            yield x, formula_value(curve.y, {**names, "x": x})


SAMPLES = 160
"""Steps in which a curve is drawn: two units each."""


def _told(point: PlotPoint) -> str:
    return f"({number_text(formula_value(point.x, {}))}, {number_text(formula_value(point.y, {}))})"
