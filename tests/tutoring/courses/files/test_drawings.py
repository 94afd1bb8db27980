"""Drawings of a course: read from its folder, told where they are wrong, and shown as the course allows."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.tutoring.small_course import make_course
from tutoring.courses.files import sources
from tutoring.courses.files.faults import CourseFaults
from tutoring.courses.files.loader import parse_course
from tutoring.courses.pictures import Picture, render_svg
from tutoring.courses.serialization import course_from_json, course_to_json, without_wordings

TINY = Path(__file__).parents[1] / "data" / "tiny"
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><circle class="pic-mark" r="4"/>{}</svg>'
PICTURES = """
dot: {kind: svg, file: dot.svg, alt: "A dot"}
plane:
  kind: plot
  x: {from: 0, to: 4}
  y: {from: 0, to: 4}
  sliders: [{name: m, from: 0, to: 1, step: "1/4", start: 0}]
  curves: [{y: "m*x"}]
  alt: "A line"
scale: {kind: balance, left: {x: 1, ones: 2}, right: {ones: 5}}
area: {kind: area, rows: [3], columns: [x, 4], cells: [["3x", 12]]}
net: {kind: network, layers: [2, 1]}
"""


@pytest.fixture
def with_drawing(tmp_path) -> Callable[..., Path]:
    def course(inside: str = "", *, file: str = "assets/dot.svg", text: str = SVG) -> Path:
        folder = Path(shutil.copytree(TINY, tmp_path / "tiny"))
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text.format(inside), encoding="utf-8")
        pictures = folder / "concepts/halves/pictures.yaml"
        pictures.write_text(pictures.read_text(encoding="utf-8") + PICTURES, encoding="utf-8")
        lesson = folder / "concepts/halves/lesson.md"
        shown = "".join(f"![]({name})\n\n" for name in ("dot", "plane", "scale", "area", "net"))
        text = lesson.read_text(encoding="utf-8")
        lesson.write_text(
            text.replace("Are the two parts halves?", f"{shown}Are the two parts halves?"), encoding="utf-8"
        )
        return folder

    return course


def drawn(course) -> list[Picture]:
    return [block for block in course.concepts[0].pieces["beginner"][0].blocks if isinstance(block, Picture)]


def test_pictures_of_all_kinds_come_back_from_json(with_drawing):
    course = parse_course(with_drawing())
    assert [each.kind for each in drawn(course)][-5:] == ["svg", "plot", "balance", "area", "network"]
    assert course_from_json(json.loads(json.dumps(course_to_json(course)))) == without_wordings(course)


def test_drawing_of_another_course_is_an_image(with_drawing):
    course = parse_course(with_drawing())
    assert course.drawings.keys() == {"dot.svg"}
    assert "<style>" in course.drawings["dot.svg"]
    assert f'src="/learn/{course.id}/drawings/dot.svg"' in render_svg(drawn(course)[-5])


def test_drawing_of_a_course_of_the_site_stands_in_its_pages(with_drawing, monkeypatch, tmp_path):
    monkeypatch.setattr(sources, "SHIPPED", tmp_path)
    course = parse_course(with_drawing())
    assert not course.drawings
    assert '<circle class="pic-mark" r="4">' in render_svg(drawn(course)[-5])


@pytest.mark.parametrize(
    ("change", "file", "line", "reason"),
    [
        ({"inside": "<script/>"}, "assets/dot.svg", 1, "<script> is not allowed"),
        ({"file": "assets/other.svg"}, "concepts/halves/pictures.yaml", None, "there is no file assets/dot.svg"),
        ({"file": "dot.svg"}, "dot.svg", 1, "drawings belong in the folder assets"),
        ({"file": "assets/A B.svg"}, "assets/A B.svg", 1, "drawings belong in the folder assets"),
    ],
)
def test_fault_of_a_drawing_has_its_place(with_drawing, change, file, line, reason):
    with pytest.raises(CourseFaults) as caught:
        parse_course(with_drawing(**change))
    fault = next(each for each in caught.value.faults if each.file == file)
    assert reason in fault.reason
    assert line is None or fault.line == line


@pytest.mark.django_db
def test_drawing_is_served_in_a_sandbox(ada, client):
    course = make_course("plants")
    course.content["drawings"] = {"dot.svg": SVG}
    course.source_hash = "dot"
    course.save()
    client.force_login(ada)
    response = client.get("/learn/plants/drawings/dot.svg")
    assert response["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert response["Content-Security-Policy"] == "sandbox; default-src 'none'; style-src 'unsafe-inline'"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert client.get("/learn/plants/drawings/else.svg").status_code == 404
