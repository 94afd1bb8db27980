"""Builds plans of pictures from their entries in files."""

from collections.abc import Mapping

from tutoring.courses.files.picture_schema import (
    AnyPictureEntry,
    AreaEntry,
    AxisEntry,
    BalanceEntry,
    DrawingEntry,
    NetworkEntry,
    PartsEntry,
    PlotEntry,
)
from tutoring.courses.picture_plans import (
    AreaPlan,
    AxisPlan,
    MarkPlan,
    NetworkPlan,
    PicturePlan,
    PlotPlan,
    ScalePlan,
    SliderPlan,
    StripPlan,
    ThingPlan,
)
from tutoring.courses.pictures.drawings import Drawing

type Drawings = Mapping[str, Drawing]
"""Drawings of the course by file name."""


def build_picture_plan(entry: AnyPictureEntry, drawings: Drawings) -> PicturePlan:
    """Return the plan of a picture; a drawing that the course does not have is left out."""
    kind, alt, scale = entry.kind, entry.alt, entry.scale
    match entry:
        case PlotEntry():
            return PicturePlan(kind=kind, alt=alt, scale=scale, plot=_plot(entry))
        case BalanceEntry(left=left, right=right):
            balance = ScalePlan(left=(left.x, left.ones), right=(right.x, right.ones))
            return PicturePlan(kind=kind, alt=alt, scale=scale, balance=balance)
        case AreaEntry(rows=rows, columns=columns, cells=cells):
            return PicturePlan(kind=kind, alt=alt, scale=scale, area=AreaPlan(rows=rows, columns=columns, cells=cells))
        case NetworkEntry(layers=layers, labels=labels):
            weights = tuple((each.layer, each.start, each.end, each.text) for each in entry.weights)
            network = NetworkPlan(layers=layers, labels=labels, weights=weights)
            return PicturePlan(kind=kind, alt=alt, scale=scale, network=network)
        case DrawingEntry(file=file):
            return PicturePlan(kind=kind, alt=alt, scale=scale, svg=drawings.get(file))
        case PartsEntry():
            fields = {name: getattr(entry, name) for name in PartsEntry.model_fields if name not in ("marks", "bars")}
            marks = tuple(MarkPlan(at=mark.at, label=mark.label) for mark in entry.marks)
            bars = tuple(StripPlan(parts=bar.parts, shaded=bar.shaded, label=bar.label) for bar in entry.bars)
            return PicturePlan(**fields, marks=marks, bars=bars)
        case _:
            raise TypeError(f"unknown picture {entry!r}")


def missing_drawing(entry: AnyPictureEntry, drawings: Drawings) -> str:
    """Return the file of a drawing that the course does not have; empty if it has it."""
    return entry.file if isinstance(entry, DrawingEntry) and entry.file not in drawings else ""


def _plot(entry: PlotEntry) -> PlotPlan:
    return PlotPlan(
        x=_axis(entry.x),
        y=_axis(entry.y),
        grid=entry.grid,
        sliders=tuple(
            SliderPlan(
                name=each.name, start=each.start, end=each.end, step=each.step, value=each.value, label=each.label
            )
            for each in entry.sliders
        ),
        points=tuple(ThingPlan(numbers=(each.x, each.y), label=each.label) for each in entry.points),
        lines=tuple(
            ThingPlan(numbers=(*each.start, *each.end), label=each.label, dashed=each.dashed) for each in entry.lines
        ),
        curves=tuple(
            ThingPlan(numbers=(each.y, each.start, each.end), label=each.label, dashed=each.dashed)
            for each in entry.curves
        ),
        bars=tuple(ThingPlan(numbers=(each.start, each.end, each.height), label=each.label) for each in entry.bars),
        boxes=tuple(ThingPlan(numbers=(each.at, *each.five), label=each.label) for each in entry.boxes),
        readouts=tuple(ThingPlan(numbers=(each.value,), label=each.label) for each in entry.readouts),
    )


def _axis(entry: AxisEntry) -> AxisPlan:
    return AxisPlan(start=entry.start, end=entry.end, step=entry.step, label=entry.label)
