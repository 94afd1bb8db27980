"""Pictures as values, and their safe inline SVG."""

from tutoring.courses.pictures.number_lines import NumberLineMark
from tutoring.courses.pictures.parts import MAX_LABEL, MAX_PARTS, PATTERNS, PictureBar, Point
from tutoring.courses.pictures.picture import MAX_TEXT, Kind, Picture, render_svg
from tutoring.courses.pictures.shapes import WIDTH, PictureError

__all__ = [
    "MAX_LABEL",
    "MAX_PARTS",
    "MAX_TEXT",
    "PATTERNS",
    "WIDTH",
    "Kind",
    "NumberLineMark",
    "Picture",
    "PictureBar",
    "PictureError",
    "Point",
    "render_svg",
]  # fmt: skip
