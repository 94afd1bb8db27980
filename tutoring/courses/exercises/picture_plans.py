"""Turns picture plans, whose numbers are expressions, into pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from tutoring.courses.exercises.expressions import Value, evaluate, split_arguments, text_of, to_number
from tutoring.courses.exercises.interpolation import fill_text
from tutoring.courses.exercises.plot_plans import draw_plot_plan
from tutoring.courses.picture_plans import AreaPlan, NetworkPlan, Numbers, PicturePlan, ScalePlan, StripPlan
from tutoring.courses.pictures import MAX_PARTS, MAX_TEXT, Kind, NumberLineMark, Picture, PictureBar, PictureError
from tutoring.courses.pictures.equations import AreaModel, Scale, ScalePan
from tutoring.courses.pictures.networks import Network, NetworkWeight
from tutoring.courses.pictures.shapes import number_text

KINDS: Mapping[str, Kind] = {
    "bar": "bar",
    "circle": "circle",
    "grid": "grid",
    "pieces": "pieces",
    "number_line": "number_line",
    "compare": "compare",
    "shape": "shape",
    "plot": "plot",
    "balance": "balance",
    "area": "area",
    "network": "network",
    "svg": "svg",
}
_UNSAID = "-"


def draw_plan(plan: PicturePlan, names: Mapping[str, Value], *, alt: str = "") -> Picture:
    """Return the picture with the numbers filled in; without `alt` or the plan's own, its text tells the numbers.

    Raises ExpressionError or PictureError, both ValueErrors, when it cannot be drawn.
    """
    drawing = _PlanReader(names)
    picture = Picture(
        kind=drawing.kind(plan.kind),
        alt=alt or drawing.text(plan.alt) or _UNSAID,
        parts=drawing.sizes(plan.parts),
        shaded=drawing.indexes(plan.shaded),
        gap=drawing.real(plan.gap),
        rows=drawing.whole(plan.rows),
        columns=drawing.whole(plan.columns),
        start=drawing.real(plan.start),
        end=drawing.real(plan.end),
        ticks=drawing.whole(plan.ticks),
        marks=tuple(NumberLineMark(at=drawing.real(mark.at), label=drawing.text(mark.label)) for mark in plan.marks),
        bars=tuple(drawing.strip(bar) for bar in plan.bars),
        movable=plan.movable,
        one_pattern=plan.one_pattern,
        width=drawing.real(plan.width),
        height=drawing.real(plan.height),
        polygons=tuple(tuple((drawing.real(x), drawing.real(y)) for x, y in polygon) for polygon in plan.polygons),
        scale=drawing.real(plan.scale),
        plot=draw_plot_plan(plan.plot, names, drawing.text) if plan.plot is not None else None,
        balance=drawing.balance(plan.balance) if plan.balance is not None else None,
        area=drawing.area(plan.area) if plan.area is not None else None,
        network=drawing.network(plan.network) if plan.network is not None else None,
        svg=plan.svg,
    )
    return replace(picture, alt=_description(picture)) if picture.alt == _UNSAID else picture


class _PlanReader:
    def __init__(self, names: Mapping[str, Value]) -> None:
        self.names = names

    def text(self, text: str) -> str:
        return fill_text(text, lambda expression: text_of(evaluate(expression, self.names)))

    def kind(self, text: str) -> Kind:
        kind = self.text(text)
        if kind not in KINDS:
            raise PictureError(f"unknown kind of picture {kind!r}; the kinds are {', '.join(KINDS)}")
        return KINDS[kind]

    def real(self, expression: str) -> float:
        try:
            return float(to_number(evaluate(expression, self.names)))
        except OverflowError:
            raise PictureError("a number is too large to draw") from None

    def whole(self, expression: str) -> int:
        value = to_number(evaluate(expression, self.names))
        if value.denominator != 1 or not -1000 <= value <= 1000:
            raise PictureError(f"expected a whole number up to 1000, found {value}")
        return value.numerator

    def sizes(self, plan: Numbers) -> tuple[float, ...]:
        listed = listed_numbers(plan)
        if isinstance(listed, str):
            count = self.whole(listed)
            if not 1 <= count <= MAX_PARTS:
                raise PictureError(f"a picture must have 1 to {MAX_PARTS} parts")
            return (1.0,) * count
        return tuple(self.real(size) for size in listed)

    def indexes(self, plan: Numbers) -> tuple[int, ...]:
        listed = listed_numbers(plan)
        if isinstance(listed, str):
            return tuple(range(self.whole(listed)))
        return tuple(self.whole(index) for index in listed)

    def texts(self, texts: Sequence[str]) -> tuple[str, ...]:
        return tuple(map(self.text, texts))

    def balance(self, plan: ScalePlan) -> Scale:
        left, right = (ScalePan(x=self.whole(x), ones=self.whole(ones)) for x, ones in (plan.left, plan.right))
        return Scale(left=left, right=right)

    def area(self, plan: AreaPlan) -> AreaModel:
        cells = tuple(map(self.texts, plan.cells))
        return AreaModel(rows=self.texts(plan.rows), columns=self.texts(plan.columns), cells=cells)

    def network(self, plan: NetworkPlan) -> Network:
        weights = tuple(
            NetworkWeight(layer=self.whole(layer), start=self.whole(start), end=self.whole(end), text=self.text(text))
            for layer, start, end, text in plan.weights
        )
        layers = tuple(map(self.whole, plan.layers))
        return Network(layers=layers, labels=tuple(map(self.texts, plan.labels)), weights=weights)

    def strip(self, plan: StripPlan) -> PictureBar:
        return PictureBar(parts=self.sizes(plan.parts), shaded=self.indexes(plan.shaded), label=self.text(plan.label))


@lru_cache(maxsize=1024)
def listed_numbers(plan: Numbers) -> Numbers:
    """Return a list that was written as one text, `"[a, b]"`."""
    if isinstance(plan, str) and plan.strip().startswith("[") and plan.strip().endswith("]"):
        inside = plan.strip()[1:-1].strip()
        return split_arguments(inside) if inside else ()
    return plan


def _description(picture: Picture) -> str:
    """Return a description of the drawing with its numbers, for learners who cannot see it."""
    match picture.kind:
        case "grid":
            cells = picture.rows * picture.columns
            return f"A grid of {picture.rows} by {picture.columns} squares, {len(picture.shaded)} of {cells} shaded."
        case "number_line":
            return _line_description(picture)
        case "compare":
            return f"{len(picture.bars)} bars of the same length, one below the other. {_describe_bars(picture.bars)}"
        case "shape":
            return f"A shape cut into {len(picture.polygons)} parts, {len(picture.shaded)} shaded."
        case "balance" if picture.balance is not None:
            left, right = map(_pan, (picture.balance.left, picture.balance.right))
            return f"A scale in balance. On the left: {left}. On the right: {right}."
        case "area" if picture.area is not None:
            return _area_description(picture.area)
        case "network" if picture.network is not None:
            layers = " – ".join(map(str, picture.network.layers))
            return f"A network with {layers} nodes in its layers, and arrows from each node to all of the next layer."
        case "pieces":
            return f"Separate pieces: {_cut(picture.parts, picture.shaded)}."
        case _:
            return f"A {picture.kind} in {_cut(picture.parts, picture.shaded)}."


def _pan(pan: ScalePan) -> str:
    boxes = f"{pan.x} {'box' if pan.x == 1 else 'boxes'} marked x" if pan.x else ""
    weights = f"{pan.ones} {'weight' if pan.ones == 1 else 'weights'} of 1" if pan.ones else ""
    return " and ".join(filter(None, (boxes, weights))) or "nothing"


def _area_description(area: AreaModel) -> str:
    cells = "; ".join(", ".join(cell or "empty" for cell in row) for row in area.cells)
    sides = f"{' and '.join(filter(None, area.rows))} by {' and '.join(filter(None, area.columns))}"
    return f"An area model, {sides}. Its cells: {cells}."[:MAX_TEXT]


def _describe_bars(bars: Sequence[PictureBar]) -> str:
    named = ((bar.label or f"Bar {number}", bar) for number, bar in enumerate(bars, start=1))
    return " ".join(f"{name}: {_cut(bar.parts, bar.shaded)}." for name, bar in named)


def _cut(parts: Sequence[float], shaded: Sequence[int]) -> str:
    if len(set(parts)) == 1:
        count = "1 part" if len(parts) == 1 else f"{len(parts)} equal parts"
        return f"{count}, {len(shaded)} shaded" if shaded else count
    cut = f"{len(parts)} parts in the ratio {' to '.join(f'{part:g}' for part in parts)}"
    places = _listed([str(index + 1) for index in sorted(shaded)])
    return f"{cut}, with part{'s' if len(shaded) > 1 else ''} {places} shaded" if shaded else cut


def _line_description(picture: Picture) -> str:
    span = picture.end - picture.start
    marks = [
        f"{mark.label or 'a point'} {_steps((mark.at - picture.start) / span * picture.ticks)} from {number_text(picture.start)}"
        for mark in picture.marks
    ]
    line = (
        f"A number line from {number_text(picture.start)} to {number_text(picture.end)} in {picture.ticks} equal steps"
    )
    return f"{line}, with {_listed(marks)}." if marks else f"{line}."


def _steps(count: float) -> str:
    return "1 step" if f"{count:g}" == "1" else f"{count:g} steps"


def _listed(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))
