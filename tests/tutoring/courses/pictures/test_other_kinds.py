"""Scales, area models and networks."""

from typing import Any
from xml.etree import ElementTree

import pytest
from pydantic import TypeAdapter

from tutoring.courses.exercises.picture_plans import draw_plan
from tutoring.courses.files.picture_builder import build_picture_plan
from tutoring.courses.files.picture_schema import PictureEntry
from tutoring.courses.pictures import Picture, PictureError, render_svg


def drawn(entry: dict[str, Any], **names: int) -> Picture:
    return draw_plan(build_picture_plan(TypeAdapter[Any](PictureEntry).validate_python(entry), {}), names)


def texts(picture: Picture) -> list[str]:
    return [each.text or "" for each in ElementTree.fromstring(render_svg(picture)).iter("text")]


def test_scale_shows_boxes_and_weights_and_says_them():
    scale = drawn({"kind": "balance", "left": {"x": "k", "ones": 3}, "right": {"ones": 11}}, k=2)
    assert texts(scale).count("x") == 2
    assert texts(scale).count("1") == 14
    assert scale.alt == (
        "A scale in balance. On the left: 2 boxes marked x and 3 weights of 1. On the right: 11 weights of 1."
    )


def test_area_model_leaves_empty_cells_open():
    area = drawn({"kind": "area", "rows": [3], "columns": ["x", "{k}"], "cells": [["3x", ""]]}, k=4)
    assert texts(area) == ["x", "4", "3", "3x"]
    assert area.alt == "An area model, 3 by x and 4. Its cells: 3x, empty."


def test_network_has_an_arrow_between_all_nodes_of_neighbors():
    entry = {"kind": "network", "layers": [2, 3, 1], "weights": [{"layer": 0, "from": 1, "to": 2, "text": "0.5"}]}
    svg = render_svg(drawn(entry))
    assert svg.count("pic-arrow") == 9
    assert svg.count("<circle") == 6
    assert texts(drawn(entry)) == ["0.5"]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"kind": "balance", "left": {"x": 7}, "right": {"ones": 1}}, "at most 6 boxes"),
        ({"kind": "area", "rows": ["1"], "columns": ["x", "y"], "cells": [["a"]]}, "a cell for each column"),
        ({"kind": "network", "layers": [1]}, "2 to 5 layers"),
        ({"kind": "network", "layers": [1, 1], "labels": [["a"]]}, "labels"),
        (
            {"kind": "network", "layers": [1, 1], "weights": [{"layer": 0, "from": 0, "to": 1, "text": "1"}]},
            "an arrow that the network does not have",
        ),
    ],
)
def test_what_cannot_be_drawn_is_refused(entry, reason):
    with pytest.raises(PictureError, match=reason):
        drawn(entry)
