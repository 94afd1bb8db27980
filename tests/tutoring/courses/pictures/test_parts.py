"""Pictures: drawn from checked numbers, safe to put into a page."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.courses.pictures import NumberLineMark, Picture, PictureBar, PictureError, render_svg

PICTURES = [
    Picture(kind="bar", alt="A bar", parts=(3, 1), shaded=(0,), gap=6),
    Picture(kind="circle", alt="A circle", parts=(1, 1, 1), shaded=(2,)),
    Picture(kind="circle", alt="A whole circle", parts=(1,), shaded=(0,), scale=0.5),
    Picture(kind="grid", alt="A grid", rows=2, columns=4, shaded=(0, 5)),
    Picture(kind="pieces", alt="Two pieces", parts=(5, 3)),
    Picture(kind="number_line", alt="A line", ticks=4, marks=(NumberLineMark(at=0.25, label="?"),)),
    Picture(kind="compare", alt="Two bars", bars=(PictureBar(parts=(1, 1), shaded=(0,)), PictureBar(parts=(1, 1, 1)))),
    Picture(kind="shape", alt="A square", width=4, height=4, polygons=(((0, 0), (4, 4), (0, 4)),), shaded=(0,)),
]


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.alt)
def test_every_kind_is_drawn_as_well_formed_svg_that_names_itself(picture):
    element = ElementTree.fromstring(render_svg(picture))
    assert element.tag == "svg"
    assert element.get("role") == "img"
    assert element.get("aria-label") == element.findtext("title") == picture.alt
    assert float(element.get("width", "0")) <= 420


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.alt)
def test_no_drawing_carries_style_or_script(picture):
    """A page's policy forbids inline style: colour comes from classes."""
    text = render_svg(picture)
    assert "style" not in text
    assert "script" not in text
    assert 'class="pic-' in text


@settings(deadline=None)
@given(st.text(min_size=1, max_size=80).filter(str.strip))
def test_hostile_text_stays_text(alt):
    """X1"""
    try:
        text = render_svg(Picture(kind="bar", alt=f'"><script>{alt}', parts=(1,)))
    except PictureError:
        return
    assert "<script" not in text


def test_parts_keep_their_proportion():
    widths = [
        float(part.get("width", "0")) for part in ElementTree.fromstring(render_svg(PICTURES[4])) if part.tag == "rect"
    ]
    assert widths[0] / widths[1] == pytest.approx(5 / 3, rel=1e-3)


@pytest.mark.parametrize(
    "numbers",
    [
        {"parts": ()},
        {"parts": (0,)},
        {"parts": (float("nan"),)},
        {"parts": (1,) * 101},
        {"parts": (1, 1), "shaded": (2,)},
        {"parts": (1, 1), "shaded": (0, 0)},
        {"parts": (1,), "gap": 50},
        {"parts": (1,), "scale": 9},
        {"kind": "grid", "rows": 0, "columns": 3},
        {"kind": "number_line", "start": 1, "end": 0},
        {"kind": "number_line", "marks": (NumberLineMark(at=2),)},
        {"kind": "compare", "bars": (PictureBar(parts=(1,)),)},
        {"kind": "shape", "width": 1, "height": 1, "polygons": (((0, 0), (2, 2), (0, 1)),)},
    ],
)
def test_what_cannot_be_drawn_is_refused(numbers):
    with pytest.raises(PictureError):
        Picture(**({"kind": "bar", "alt": "A picture"} | numbers))


def test_a_picture_without_a_text_is_refused():
    with pytest.raises(PictureError, match="alternative text"):
        Picture(kind="bar", alt=" ", parts=(1,))


@pytest.mark.parametrize(
    ("end", "ticks", "labels"),
    [
        (1, 4, ["0", "1"]),
        (2, 8, ["0", "1", "2"]),
        (0.5, 5, ["0", "0.5"]),
        (4 / 3, 4, ["0"]),
        (5, 5, ["0", "5"]),
    ],
)
def test_a_line_names_its_ends_and_the_whole_numbers_between_parts_of_one(end, ticks, labels):
    drawn = render_svg(Picture(kind="number_line", alt="A line", end=end, ticks=ticks))
    assert re.findall(r">([0-9./]+)</text>", drawn) == labels


@pytest.mark.parametrize(
    ("start", "end", "marks", "labels"),
    [
        (-10, 5, (), ["−10", "0", "5"]),
        (-10, -5, (), ["−10", "−5"]),
        (-2, 2, (NumberLineMark(at=0, label="0"),), ["−2", "2", "0"]),
    ],
)
def test_a_line_names_zero_once_and_has_minus_signs(start, end, marks, labels):
    line = Picture(kind="number_line", alt="A line", start=start, end=end, ticks=end - start, marks=marks)
    assert re.findall(r">([^<>]+)</text>", render_svg(line)) == labels


def test_bars_of_one_thing_have_one_pattern():
    bars = (PictureBar(parts=(1, 1), shaded=(0,)),) * 3
    text = render_svg(Picture(kind="compare", alt="Three bars", bars=bars, one_pattern=True))
    assert re.findall(r'class="pic-shaded pic-(\w+)"', text) == ["striped"] * 3


def test_shaded_parts_have_a_pattern_of_their_bar():
    bars = tuple(PictureBar(parts=(1, 1), shaded=(0,), label=name) for name in ("Mia", "Leo", "Ada", "<b>"))
    text = render_svg(Picture(kind="compare", alt="Four bars", bars=bars))
    assert re.findall(r'class="pic-shaded pic-(\w+)"', text) == ["striped", "dotted", "crossed", "striped"]
    assert text.count('class="pic-blank"') == 4
    assert ">Mia</text>" in text
    assert "<b>" not in text


@pytest.mark.parametrize(
    "more", [{"kind": "bar", "parts": (1, 1)}, {"kind": "compare", "bars": (PictureBar(parts=(1,)),) * 3}]
)
def test_only_two_bars_are_movable(more):
    with pytest.raises(PictureError, match="movable"):
        Picture(alt="Bars", movable=True, **more)
