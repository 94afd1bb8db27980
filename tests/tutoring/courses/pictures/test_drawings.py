"""Drawings in files: what is kept, and what is refused."""

import re

import pytest

from tutoring.courses.pictures import Picture, PictureError, render_svg
from tutoring.courses.pictures.drawings import drawing_file, image_of, read_drawing

OPEN = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">'


def clean(inside: str) -> str:
    return read_drawing(f"{OPEN}{inside}</svg>", name="two-lines").shapes


def test_plain_shapes_are_kept():
    inside = (
        '<g transform="translate(2, 3)"><path class="pic-line" d="M0 0L10 10Z"/>'
        '<text class="pic-text" x="5" y="6" text-anchor="middle">a &lt; b<tspan dx="2">c</tspan>d</text></g>'
    )
    assert clean(f"<!-- a note -->{inside}") == inside.replace("/>", "></path>")


def test_ids_are_those_of_the_file():
    inside = '<defs><marker id="tip"><path d="M0 0L4 2"/></marker></defs><line x1="0" x2="9" marker-end="url(#tip)"/>'
    assert re.findall(r"d-two-lines-tip", clean(inside)) == ["d-two-lines-tip"] * 2


@pytest.mark.parametrize(
    ("inside", "reason"),
    [
        ("<script>alert(1)</script>", "<script> is not allowed"),
        ("<style>*{}</style>", "<style> is not allowed"),
        ("<foreignObject/>", "<foreignObject> is not allowed"),
        ('<image href="https://example.org/a.png"/>', "<image> is not allowed"),
        ('<use href="#a"/>', "<use> is not allowed"),
        ('<a href="javascript:alert(1)"><text>x</text></a>', "<a> is not allowed"),
        ('<rect onload="alert(1)"/>', "'onload' of <rect> is not allowed"),
        ('<rect style="fill:url(//evil)"/>', "'style' of <rect> is not allowed"),
        ('<rect fill="url(https://example.org/#a)"/>', "<rect> cannot have fill"),
        ('<rect fill="#ff0000"/>', "<rect> cannot have fill"),
        ('<rect class="pic-line menu"/>', "the class 'menu' is not allowed"),
        ('<animate attributeName="href"/>', "<animate> is not allowed"),
        ('<h:div xmlns:h="http://www.w3.org/1999/xhtml"/>', "<div> is not allowed"),
        ("<g>" * 20 + "</g>" * 20, "nested more than"),
        ("<g/>" * 1001, "more than 1000 elements"),
    ],
)
def test_anything_else_is_refused_with_its_reason(inside, reason):
    with pytest.raises(PictureError, match=re.escape(reason)):
        clean(inside)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not plain SVG"),
        ("<html/>", "not SVG"),
        ("<svg/>", "not SVG"),
        (OPEN, "not plain SVG"),
        (OPEN.replace("200 100", "900 100") + "</svg>", "at most 400 wide"),
        (OPEN.replace("viewBox", "id") + "</svg>", "needs viewBox"),
        (f'<!DOCTYPE svg [<!ENTITY a "b">]>{OPEN}&a;</svg>', "entities are not allowed"),
        (OPEN + " " * 70_000 + "</svg>", "larger than 64 KB"),
    ],
)
def test_file_of_another_kind_is_refused(text, reason):
    with pytest.raises(PictureError, match=reason):
        read_drawing(text, name="a")


def test_drawing_of_the_site_stands_in_the_page_and_others_are_images():
    drawing = read_drawing(f'{OPEN}<circle r="4"/></svg>', name="a")
    assert "<circle" in render_svg(Picture(kind="svg", alt="A dot", svg=drawing))
    shown = render_svg(Picture(kind="svg", alt='A "dot"', svg=image_of(drawing, "plants", "a.svg")))
    assert shown.startswith('<img class="pic pic-image" src="/learn/plants/drawings/a.svg"')
    assert 'alt="A &quot;dot&quot;"' in shown
    assert drawing_file(drawing).endswith('<circle r="4"></circle></svg>')
