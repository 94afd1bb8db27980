"""Plots: what they refuse, what they draw, and their numbers."""

import json
import math
import re
from html import unescape
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from tutoring.courses.exercises.expressions import ExpressionError, evaluate, to_number
from tutoring.courses.exercises.picture_plans import draw_plan
from tutoring.courses.exercises.plot_plans import make_formula
from tutoring.courses.files.picture_builder import build_picture_plan
from tutoring.courses.files.picture_schema import PictureEntry
from tutoring.courses.pictures import Picture, PictureError, render_svg
from tutoring.courses.pictures.formulas import formula_value
from tutoring.courses.pictures.plot_drawing import readout_text
from tutoring.courses.pictures.shapes import CHARACTER

PLANE: dict[str, Any] = {
    "kind": "plot",
    "x": {"from": -5, "to": 5, "step": 1},
    "y": {"from": -5, "to": 5, "step": 1},
    "alt": "A plane.",
}
LIVE = PLANE | {
    "sliders": [{"name": "m", "from": -3, "to": 3, "step": "1/2", "start": 1}],
    "curves": [{"y": "m*x + k", "label": "y = mx + {k}"}],
    "readouts": [{"label": "error", "value": "(m - 2)^2"}],
}


def drawn(entry: dict[str, Any], **names: int) -> Picture:
    return draw_plan(build_picture_plan(TypeAdapter[Any](PictureEntry).validate_python(entry), {}), names)


def elements(picture: Picture, tag: str) -> list[ElementTree.Element]:
    return [each for each in ElementTree.fromstring(render_svg(picture)).iter() if each.tag == tag]


def test_live_plot_has_its_formulas_as_data_with_the_parameters_filled_in():
    svg = render_svg(drawn(LIVE, k=2))
    (data,) = re.findall(r'data-plot="([^"]*)"', svg)
    plot = json.loads(unescape(data))
    assert plot["curves"][0]["y"] == ["+", ["*", "m", "x"], 2]
    assert plot["curves"][0]["label"] == "y = mx + 2"
    assert "error: 1" in svg
    assert "data-plot" not in render_svg(drawn(PLANE))


def test_picture_comes_back_from_json():
    pictures = TypeAdapter(Picture)
    plot = drawn(LIVE, k=2)
    assert pictures.validate_python(json.loads(json.dumps(pictures.dump_python(plot, mode="json")))) == plot
    assert hash(plot)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"x": {"from": 5, "to": -5}}, "must go up"),
        ({"x": {"from": 0, "to": 100, "step": 1}}, "at most 60 steps"),
        ({"points": [{"x": 9, "y": 0, "label": "A"}]}, "the point A is outside"),
        ({"bars": [{"from": 0, "to": 1, "height": 9}]}, "outside the plot"),
        ({"boxes": [{"at": 1, "five": [1, 3, 2, 4, 5]}]}, "must rise"),
        ({"curves": [{"y": "sqrt(-1 - x^2)"}]}, "no value anywhere"),
        ({"curves": [{"y": "gcd(x, 2)"}]}, "cannot use the function 'gcd'"),
        ({"curves": [{"y": "sqrt(x, 2)"}]}, "sqrt cannot have 2"),
        ({"curves": [{"y": "k*x"}]}, "unknown name 'k'"),
        ({"curves": [{"y": "x"}] * 7}, "at most 6 curves"),
        ({"sliders": [{"name": "x", "from": 0, "to": 1, "start": 0}]}, "cannot be called 'x'"),
        ({"sliders": [{"name": "m", "from": 0, "to": 1, "start": 2}]}, "start between its ends"),
        ({"sliders": [{"name": "m", "from": 0, "to": 1, "start": 0, "step": "1/1000"}]}, "at most 400 steps"),
        ({"readouts": [{"label": "none", "value": "1/0*exp(1)"}]}, "has no value"),
        ({"points": [{"x": 1, "y": 1, "label": "a" * 30}]}, "at most 24 characters"),
    ],
)
def test_plot_that_cannot_be_drawn_is_refused_with_its_reason(change, reason):
    with pytest.raises((PictureError, ExpressionError), match=reason):
        drawn(PLANE | change)


def test_plot_needs_a_text_for_those_who_cannot_see_it():
    with pytest.raises(ValidationError):
        drawn({name: value for name, value in PLANE.items() if name != "alt"})


@given(st.integers(-200, 200), st.integers(1, 200), st.sampled_from(["1", "2", "5", "1/2", "1/4", "0.1", "10"]))
def test_numbers_of_the_axes_never_overlap(start, length, step):
    axis = {"from": start, "to": start + length, "step": step}
    if length / to_number(evaluate(step, {})) > 60:
        return
    picture = drawn({"kind": "plot", "x": axis, "y": axis, "alt": "A plane."})
    numbers = [each for each in elements(picture, "text") if each.get("text-anchor") == "middle"]
    places = sorted((float(each.get("x", "")), len(each.text or "") * CHARACTER) for each in numbers)
    assert all(x + width / 2 < next_x - next_width / 2 for (x, width), (next_x, next_width) in pairwise(places))
    heights = sorted(float(each.get("y", "")) for each in elements(picture, "text") if each.get("text-anchor") == "end")
    assert all(after - before >= 15 for before, after in pairwise(heights))


def test_curve_stays_in_the_plane_and_is_broken_where_it_jumps():
    (path,) = elements(drawn(PLANE | {"curves": [{"y": "1/x"}]}), "path")
    d = path.get("d", "")
    assert d.count("M") == 2
    numbers = [float(each) for each in re.findall(r"-?\d+(?:\.\d+)?", d)]
    assert all(0 <= each <= 344 for each in numbers)


def test_curves_are_told_apart_by_their_dashes():
    paths = elements(drawn(PLANE | {"curves": [{"y": "x"}, {"y": "-x"}, {"y": "2", "dashed": True}]}), "path")
    assert [path.get("class") for path in paths] == [
        "plot-curve is-curve-0",
        "plot-curve is-curve-1",
        "plot-curve is-dashed",
    ]


def test_boxes_alone_have_no_numbers_at_their_height():
    entry = PLANE | {"boxes": [{"at": 1, "five": [-4, -2, 0, 2, 4], "label": "class A"}]}
    texts = [each.text for each in elements(drawn(entry), "text")]
    assert "class A" in texts
    assert texts.count("5") == 1


FORMULAS = (
    "x^2/2 - 3",
    "choose(x < 0, -x, 2*x)",
    "min(x, 1) + max(x, 2)",
    "floor(x/3) + x % 4",
    "abs(x) + round(x/3, 1)",
    "-x^2",
)


@given(st.sampled_from(FORMULAS), st.fractions(-20, 20, max_denominator=8))
def test_formula_has_the_value_of_its_expression(expression, x):
    formula = make_formula(expression, {}, frozenset({"x"}))
    exact = float(to_number(evaluate(expression, {"x": x})))
    assert formula_value(formula, {"x": float(x)}) == pytest.approx(exact)


@given(st.text("x+-*/^()0123456789.mexploginsqrt,<> ", max_size=60), st.floats())
def test_any_formula_has_a_value_or_is_refused(expression, x):
    try:
        formula = make_formula(expression, {}, frozenset({"x", "m"}))
    except (ExpressionError, PictureError):
        return
    assert isinstance(formula_value(formula, {"x": x, "m": 0.5}), float)


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1"), (-0.5, "−0.5"), (1 / 3, "0.333"), (-0.0001, "0"), (12345.6, "12346"), (math.nan, "–"), (math.inf, "–")],
)
def test_readout_has_three_decimals_at_most(value, text):
    assert readout_text(value) == text
