"""Drawings in files: SVG reduced to a fixed list of elements and attributes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from xml.etree.ElementTree import Element, ParseError

import defusedxml
import defusedxml.ElementTree

from tutoring.courses.pictures.shapes import Drawn, PictureError

MAX_WIDTH = 400
MAX_HEIGHT = 800
MAX_ELEMENTS = 1000
MAX_DEPTH = 12
MAX_CHARACTERS = 64 * 1024
CLASSES = frozenset(
    {
        "pic-line", "pic-shaded", "pic-striped", "pic-dotted", "pic-crossed", "pic-blank", "pic-text", "pic-mark",
        "has-halo", "is-small",
    }
)  # fmt: skip
"""Classes that `base.css` has a look for."""

_SPACE = "{http://www.w3.org/2000/svg}"
_LENGTH = re.compile(r"-?\d{1,5}(?:\.\d{1,6})?(?:px|%)?")
_NUMBERS = re.compile(r"[-\d.eE,\s]{1,20000}")
_PATH = re.compile(r"[-\d.eE,\sMmLlHhVvCcSsQqTtAaZz]{1,20000}")
_TRANSFORM = re.compile(r"(?:\s*(?:translate|scale|rotate|skewX|skewY|matrix)\([-\d.eE,\s]{1,120}\)\s*,?)+")
_PAINT = re.compile(r"none|currentColor|transparent|context-stroke|url\(#[A-Za-z][\w-]{0,40}\)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{0,30}|\d{3}")
_NAME = re.compile(r"[A-Za-z][\w-]{0,40}")
_REFERENCE = re.compile(r"url\(#([A-Za-z][\w-]{0,40})\)", re.IGNORECASE)
_ELEMENTS = frozenset(
    {"svg", "g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc", "defs", "marker"}
)  # fmt: skip
_ATTRIBUTES: dict[str, re.Pattern[str]] = {
    **dict.fromkeys(
        ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "dx", "dy", "stroke-width",
         "stroke-dashoffset", "font-size", "opacity", "fill-opacity", "stroke-opacity", "refX", "refY", "markerWidth",
         "markerHeight", "stroke-miterlimit", "textLength"),
        _LENGTH,
    ),
    **dict.fromkeys(("viewBox", "points", "stroke-dasharray"), _NUMBERS),
    "d": _PATH,
    "transform": _TRANSFORM,
    **dict.fromkeys(("fill", "stroke"), _PAINT),
    **dict.fromkeys(("marker-start", "marker-mid", "marker-end"), _REFERENCE),
    **dict.fromkeys(
        ("text-anchor", "dominant-baseline", "stroke-linecap", "stroke-linejoin", "fill-rule", "font-weight",
         "font-style", "markerUnits", "preserveAspectRatio"),
        _WORD,
    ),
    "orient": re.compile(r"auto|auto-start-reverse|-?\d{1,3}"),
    "id": _NAME,
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """A drawing as clean shapes, and its `viewBox`. With an `address` it is an image there instead."""

    box: tuple[float, float, float, float]
    shapes: str = ""
    address: str = ""


def read_drawing(text: str, *, name: str) -> Drawing:
    """Return the drawing of a file. Raises PictureError that says which element or attribute is not allowed.

    `name` is put before the ids in the drawing, so that two drawings on one page keep theirs.
    """
    if len(text) > MAX_CHARACTERS:
        raise PictureError(f"the file is larger than {MAX_CHARACTERS // 1024} KB")
    try:
        root: Element = defusedxml.ElementTree.fromstring(text.encode(), forbid_dtd=True)
    except (defusedxml.DefusedXmlException, ParseError, LookupError, ValueError) as error:
        raise PictureError(f"the file is not plain SVG: {_first_line(error)}") from None
    if root.tag != f"{_SPACE}svg":
        raise PictureError('the file is not SVG: it must begin with <svg xmlns="http://www.w3.org/2000/svg">')
    if sum(1 for _ in root.iter()) > MAX_ELEMENTS:
        raise PictureError(f"the file has more than {MAX_ELEMENTS} elements")
    prefix = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")
    inside = "".join(_written(child, prefix=f"d-{prefix}-", depth=1) for child in _children(root))
    return Drawing(box=_box(root), shapes=inside)


def _first_line(error: Exception) -> str:
    if isinstance(error, defusedxml.DefusedXmlException):
        return "a document type and entities are not allowed"
    return str(error).splitlines()[0] if str(error) else "it cannot be read"


def _box(root: Element) -> tuple[float, float, float, float]:
    numbers = re.findall(r"-?\d+(?:\.\d+)?", root.get("viewBox", ""))
    if len(numbers) != 4:
        raise PictureError('the drawing needs viewBox="0 0 width height"')
    left, top, width, height = map(float, numbers)
    if not (0 < width <= MAX_WIDTH and 0 < height <= MAX_HEIGHT and abs(left) < 10_000 and abs(top) < 10_000):
        raise PictureError(f"the viewBox must be at most {MAX_WIDTH} wide and {MAX_HEIGHT} high")
    return left, top, width, height


def _children(element: Element) -> Iterator[Element]:
    """Yield the elements inside; comments and processing instructions are left out."""
    return (child for child in element if isinstance(child.tag, str))


def _written(element: Element, *, prefix: str, depth: int) -> str:
    if depth > MAX_DEPTH:
        raise PictureError(f"the drawing is nested more than {MAX_DEPTH} levels deep")
    tag = element.tag.removeprefix(_SPACE)
    if tag not in _ELEMENTS or tag == "svg":
        raise PictureError(f"the element <{element.tag.rpartition('}')[2][:40]}> is not allowed")
    attributes = "".join(_attribute(tag, name, value, prefix=prefix) for name, value in element.attrib.items())
    inside = "".join(
        _written(child, prefix=prefix, depth=depth + 1) + _text(child.tail, tag) for child in _children(element)
    )
    return f"<{tag}{attributes}>{_text(element.text, tag)}{inside}</{tag}>"


def _text(text: str | None, tag: str) -> str:
    """Return text of elements that show text."""
    return escape(text) if text and tag in ("text", "tspan", "title", "desc") else ""


def _attribute(tag: str, name: str, value: str, *, prefix: str) -> str:
    if name == "class":
        return f' class="{escape(_classes(value))}"'
    pattern = _ATTRIBUTES.get(name)
    if pattern is None:
        raise PictureError(f"the attribute {name.rpartition('}')[2][:40]!r} of <{tag}> is not allowed")
    if not pattern.fullmatch(value.strip()):
        raise PictureError(f'<{tag}> cannot have {name}="{value[:40]}"')
    known = _REFERENCE.sub(lambda found: f"url(#{prefix}{found[1]})", value.strip())
    return f' {name}="{escape(prefix + known if name == "id" else known)}"'


def _classes(value: str) -> str:
    names = value.split()
    if unknown := sorted(set(names) - CLASSES):
        raise PictureError(
            f"the class {unknown[0][:40]!r} is not allowed; the classes are {', '.join(sorted(CLASSES))}"
        )
    return " ".join(names)


def draw_drawing(drawing: Drawing) -> Drawn:
    left, top, width, height = drawing.box
    return Drawn(
        width=width, height=height, shapes=f'<g transform="translate({-left:g} {-top:g})">{drawing.shapes}</g>'
    )


def image_of(drawing: Drawing, course: str, file: str) -> Drawing:
    """Return a drawing that pages show as an image at its own address, for courses from elsewhere."""
    return Drawing(box=drawing.box, address=f"/learn/{course}/drawings/{file}")


def drawing_file(drawing: Drawing) -> str:
    """Return the drawing as a file of its own, with a look that is good on white paper."""
    box = " ".join(f"{each:g}" for each in drawing.box)
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}"><style>{_LOOK}</style>{drawing.shapes}</svg>'


_LOOK = (
    "svg{color:#24262b;font:500 15px system-ui,sans-serif}.pic-line{fill:none;stroke:#4a4d55;stroke-width:1.5}"
    ".pic-shaded,.pic-blank{stroke:#4a4d55;stroke-width:2}.pic-blank{fill:#fff}"
    ".pic-shaded,.pic-striped{fill:#bcdcd8}.pic-dotted{fill:#f4d9ac}.pic-crossed{fill:#ddc8e6}"
    ".pic-text{fill:#24262b;stroke:none}.pic-mark{fill:#0b6e69}.is-small{font-size:13px}"
    ".has-halo{paint-order:stroke;stroke:#fff;stroke-width:4px}"
)
