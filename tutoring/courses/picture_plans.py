"""Plans of pictures: pictures whose numbers are expressions and whose texts may hold `{expressions}`."""

from dataclasses import dataclass

from tutoring.courses.pictures.drawings import Drawing

type Numbers = str | tuple[str, ...]
"""Expressions: one for how many, or one for each part."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StripPlan:
    """One bar of a comparison, in expressions; `label` may hold `{expressions}`."""

    parts: Numbers
    shaded: Numbers = ()
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkPlan:
    """A mark on a number line, in expressions."""

    at: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AxisPlan:
    start: str
    end: str
    step: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SliderPlan:
    name: str
    start: str
    end: str
    step: str
    value: str
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThingPlan:
    """Something on a plot, by the fields of its value in `pictures.plots`: expressions that may use the sliders."""

    numbers: tuple[str | None, ...]
    label: str = ""
    dashed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotPlan:
    """A plot. Of points are given x and y, of lines both ends, of curves y and the ends, of bars the ends and the
    height, of boxes the height and five numbers, and of readouts the value.
    """

    x: AxisPlan
    y: AxisPlan
    grid: bool = True
    sliders: tuple[SliderPlan, ...] = ()
    points: tuple[ThingPlan, ...] = ()
    lines: tuple[ThingPlan, ...] = ()
    curves: tuple[ThingPlan, ...] = ()
    bars: tuple[ThingPlan, ...] = ()
    boxes: tuple[ThingPlan, ...] = ()
    readouts: tuple[ThingPlan, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScalePlan:
    """A scale: boxes and weights on the left and on the right."""

    left: tuple[str, str]
    right: tuple[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaPlan:
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NetworkPlan:
    """A network; of each weight are given layer, start and end, and its text."""

    layers: tuple[str, ...]
    labels: tuple[tuple[str, ...], ...] = ()
    weights: tuple[tuple[str, str, str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PicturePlan:
    """A picture whose numbers are expressions over parameters; `kind` and `alt` may hold `{expressions}`.

    The bars of a comparison that is `movable` can be cut again and moved to compare them. The kinds plot, balance, area,
    network and svg have what they show in the field of their name.
    """

    kind: str
    alt: str = ""
    parts: Numbers = ()
    shaded: Numbers = ()
    gap: str = "0"
    rows: str = "0"
    columns: str = "0"
    start: str = "0"
    end: str = "1"
    ticks: str = "1"
    width: str = "0"
    height: str = "0"
    polygons: tuple[tuple[tuple[str, str], ...], ...] = ()
    scale: str = "1"
    marks: tuple[MarkPlan, ...] = ()
    bars: tuple[StripPlan, ...] = ()
    movable: bool = False
    one_pattern: bool = False
    plot: PlotPlan | None = None
    balance: ScalePlan | None = None
    area: AreaPlan | None = None
    network: NetworkPlan | None = None
    svg: Drawing | None = None
