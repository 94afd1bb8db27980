"""Turns plans of plots into plots: parameters are filled in, and sliders and x stay variables of formulas."""

from collections.abc import Callable, Mapping
from typing import cast

from tutoring.courses.exercises.expression_syntax import (
    BinaryOperation,
    Comparison,
    ExpressionError,
    FunctionCall,
    NameReference,
    Node,
    NumberLiteral,
    UnaryOperation,
    parse,
    walk,
)
from tutoring.courses.exercises.expressions import Value, evaluate, to_number
from tutoring.courses.picture_plans import AxisPlan, PlotPlan, SliderPlan, ThingPlan
from tutoring.courses.pictures.formulas import FUNCTIONS, Formula, formula_value, is_constant
from tutoring.courses.pictures.plots import (
    Plot,
    PlotAxis,
    PlotBar,
    PlotBox,
    PlotCurve,
    PlotLine,
    PlotPoint,
    PlotSlider,
    Readout,
)
from tutoring.courses.pictures.shapes import PictureError

_OPERANDS = {
    "sigmoid": 1,
    "relu": 1,
    "exp": 1,
    "log": 1,
    "sqrt": 1,
    "sin": 1,
    "cos": 1,
    "tanh": 1,
    "abs": 1,
    "floor": 1,
}
_FLOATS_ONLY = frozenset({"exp", "log", "sqrt", "sin", "cos", "tanh", "sigmoid", "relu"})
"""Functions of plots that exact expressions do not have."""

type Names = Mapping[str, Value]
type Fill = Callable[[str], str]


def draw_plot_plan(plan: PlotPlan, names: Names, fill: Fill) -> Plot:
    """Return the plot; `fill` fills in texts. Raises ExpressionError or PictureError."""
    sliders = tuple(_slider(each, names, fill) for each in plan.sliders)
    drawing = _PlotReader(names, frozenset(slider.name for slider in sliders), fill)
    return Plot(
        x=_axis(plan.x, names, fill),
        y=_axis(plan.y, names, fill),
        grid=plan.grid,
        sliders=sliders,
        points=tuple(PlotPoint(x=x, y=y, label=label) for (x, y), label, _ in map(drawing.thing, plan.points)),
        lines=tuple(
            PlotLine(x1=x1, y1=y1, x2=x2, y2=y2, label=label, dashed=dashed)
            for (x1, y1, x2, y2), label, dashed in map(drawing.thing, plan.lines)
        ),
        curves=tuple(drawing.curve(each) for each in plan.curves),
        bars=tuple(
            PlotBar(start=start, end=end, height=height, label=label)
            for (start, end, height), label, _ in map(drawing.thing, plan.bars)
        ),
        boxes=tuple(
            PlotBox(at=at, five=(a, b, c, d, e), label=label)
            for (at, a, b, c, d, e), label, _ in map(drawing.thing, plan.boxes)
        ),
        readouts=tuple(Readout(label=label, value=value) for (value,), label, _ in map(drawing.thing, plan.readouts)),
    )


def _axis(plan: AxisPlan, names: Names, fill: Fill) -> PlotAxis:
    start, end, step = (_real(each, names) for each in (plan.start, plan.end, plan.step))
    return PlotAxis(start=start, end=end, step=step, label=fill(plan.label))


def _slider(plan: SliderPlan, names: Names, fill: Fill) -> PlotSlider:
    if plan.name == "x" or plan.name in names:
        raise PictureError(f"a slider cannot be called {plan.name!r}, which is another number already")
    start, end, step, value = (_real(each, names) for each in (plan.start, plan.end, plan.step, plan.value))
    return PlotSlider(name=plan.name, start=start, end=end, step=step, value=value, label=fill(plan.label) or plan.name)


def _real(expression: str, names: Names) -> float:
    return formula_value(make_formula(expression, names, frozenset()), {})


class _PlotReader:
    def __init__(self, names: Names, sliders: frozenset[str], fill: Fill) -> None:
        self.names = names
        self.sliders = sliders
        self.fill = fill

    def thing(self, plan: ThingPlan) -> tuple[tuple[Formula, ...], str, bool]:
        numbers = tuple(make_formula(each or "0", self.names, self.sliders) for each in plan.numbers)
        return numbers, self.fill(plan.label), plan.dashed

    def curve(self, plan: ThingPlan) -> PlotCurve:
        y, *ends = plan.numbers
        start, end = (None if each is None else make_formula(each, self.names, self.sliders) for each in ends)
        return PlotCurve(
            y=make_formula(cast("str", y), self.names, self.sliders | {"x"}),
            start=start,
            end=end,
            label=self.fill(plan.label),
            dashed=plan.dashed,
        )


def make_formula(expression: str, names: Names, variables: frozenset[str]) -> Formula:
    """Return an expression with its parameters filled in; what has no variable is computed. Raises ExpressionError."""
    node = parse(expression)
    inside = list(walk(node))
    used = {each.name for each in inside if isinstance(each, NameReference)}
    calls = {each.function for each in inside if isinstance(each, FunctionCall)}
    if not used & variables and not calls & _FLOATS_ONLY:
        try:
            return float(to_number(evaluate(expression, names)))
        except OverflowError:
            raise PictureError("a number is too large to draw") from None
    return _formula(node, names, variables)


def _formula(node: Node, names: Names, variables: frozenset[str]) -> Formula:
    formula = _unfolded(node, names, variables)
    if isinstance(formula, tuple) and all(map(is_constant, formula[1:])):
        return formula_value(formula, {})
    return formula


def _unfolded(node: Node, names: Names, variables: frozenset[str]) -> Formula:
    match node:
        case NumberLiteral(value):
            return float(value)
        case NameReference(name):
            return name if name in variables else _parameter(name, names)
        case UnaryOperation(sign, operand):
            inner = _formula(operand, names, variables)
            return inner if sign == "+" else ({"-": "neg"}.get(sign, sign), inner)
        case BinaryOperation(sign, left, right):
            return (sign, _formula(left, names, variables), _formula(right, names, variables))
        case Comparison(operands, signs):
            sides = [_formula(operand, names, variables) for operand in operands]
            tests: list[Formula] = [
                (sign, left, right) for sign, left, right in zip(signs, sides, sides[1:], strict=False)
            ]
            whole = tests[0]
            for test in tests[1:]:
                whole = ("and", whole, test)
            return whole
        case FunctionCall(function, arguments):
            _check_call(function, len(arguments))
            return (function, *(_formula(argument, names, variables) for argument in arguments))
        case _:
            raise ExpressionError("a plot cannot contain words")


def _parameter(name: str, names: Names) -> float:
    if name not in names:
        raise ExpressionError(f"unknown name {name!r}")
    return float(to_number(names[name]))


def _check_call(function: str, count: int) -> None:
    if function not in FUNCTIONS:
        raise ExpressionError(f"a plot cannot use the function {function!r}")
    needed = _OPERANDS.get(function)
    fits = (
        count == needed
        if needed
        else count in (1, 2)
        if function == "round"
        else count == 3
        if function == "choose"
        else count
    )
    if not fits:
        raise ExpressionError(f"{function} cannot have {count} arguments")
