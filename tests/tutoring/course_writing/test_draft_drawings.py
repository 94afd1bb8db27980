"""Drawings in drafts."""

from tutoring.course_writing.draft_drawings import draft_drawings
from tutoring.course_writing.draft_files import PATH

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


def test_draft_keeps_drawings_and_shows_the_clean_ones():
    files = {"assets/dot.svg": SVG.format('<circle r="1"/>'), "assets/bad.svg": SVG.format("<script/>"), "a.md": ""}
    assert all(PATH.fullmatch(path) for path in files if path.endswith(".svg"))
    assert {name: each.shapes for name, each in draft_drawings(files).items()} == {"dot.svg": '<circle r="1"></circle>'}
    assert not PATH.fullmatch("assets/../course.svg")
