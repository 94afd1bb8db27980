"""Text of CNXML elements: paragraphs, lists, tables, exercises, code and formulas, one block each."""

import re
from collections.abc import Iterator
from textwrap import dedent
from xml.etree.ElementTree import Element

from conversations.readers import mathml

CNXML = "{http://cnx.rice.edu/cnxml}"
FORMULA = f"{mathml.NAMESPACE}math"
PARAGRAPHS = {"para", "equation", "quote", "caption", "meaning", "entry", "problem", "statement", "proof"}
"""Elements that contain text and blocks."""
BOXES = {"note", "example", "exercise", "figure", "subfigure", "rule", "definition", "content", "commentary"}
BLOCKS = PARAGRAPHS | BOXES | {"list", "table", "solution", "media"}
SILENT = {"title", "label", "metadata", "section", "glossary", "iframe", "image", "colspec", "featured-links"}
"""Elements handled elsewhere, or without text."""
MARKS = {"sup": "^", "sub": "_", "footnote": " ", "item": " "}


def text_of(element: Element) -> str:
    """Return an element's text, blocks separated by a blank line; without its title and sections."""
    return "\n\n".join(blocks(element))


def name_of(element: Element) -> str:
    return element.tag.removeprefix(CNXML)


def title_of(element: Element) -> str:
    title = element.find(f"{CNXML}title")
    return "" if title is None else " ".join(_line(title).split())


def blocks(element: Element) -> Iterator[str]:
    """Yield the blocks of mixed content: text between blocks forms a block too."""
    line = _plain(element.text)
    for child in element:
        if is_block(child):
            yield from _tidy(line)
            yield from _block(child)
            line = ""
        else:
            line += _inline(child)
        line += _plain(child.tail)
    yield from _tidy(line)


def is_block(element: Element) -> bool:
    name = name_of(element)
    if name == "code":
        return element.get("display") == "block" or "\n" in "".join(element.itertext()).strip()
    return name in BLOCKS and element.get("display") != "inline"


def _block(element: Element) -> Iterator[str]:
    name = name_of(element)
    if name == "code":
        yield from filter(None, [dedent("".join(element.itertext())).strip("\n").rstrip()])
    elif name == "list":
        yield from filter(None, ["\n".join(_titled(element, _items(element)))])
    elif name == "table":
        yield from filter(None, ["\n".join(_titled(element, _rows(element)))])
    elif name == "media":
        yield from _tidy(_described(element))
    elif name == "solution":
        yield from _titled(element, blocks(element), default="Solution:")
    elif name == "definition":
        yield from filter(None, [": ".join(blocks(element))])
    else:
        yield from _titled(element, blocks(element))


def _titled(element: Element, said: Iterator[str], *, default: str = "") -> Iterator[str]:
    """Yield the element's title before its text; nothing if it has no text, because its content is elsewhere then."""
    found = [*said]
    if found:
        yield from filter(None, [title_of(element) or default])
        yield from found


def _items(element: Element) -> Iterator[str]:
    is_numbered = element.get("list-type") == "enumerated"
    for number, item in enumerate(element.iterfind(f"{CNXML}item"), start=1):
        if said := "\n".join(blocks(item)):
            yield f"{number}. {said}" if is_numbered else f"- {said}"


def _rows(element: Element) -> Iterator[str]:
    for row in element.iter(f"{CNXML}row"):
        cells = [" ".join(text_of(entry).split()) for entry in row.iterfind(f"{CNXML}entry")]
        if any(cells):
            yield " | ".join(filter(None, cells))


def _inline(element: Element) -> str:
    name = name_of(element)
    if element.tag == FORMULA:
        return mathml.as_text(element)
    if name in SILENT:
        return ""
    if name == "newline":
        return "\n"
    if name in {"media", "space"}:
        return " " + _described(element)
    return MARKS.get(name, "") + _line(element)


def _line(element: Element) -> str:
    return _plain(element.text) + "".join(_inline(child) + _plain(child.tail) for child in element)


def _described(element: Element) -> str:
    """Return a picture's alternative text, if it is a description and not a dot or a file name."""
    alt = (element.get("alt") or "").strip()
    return f"({alt}) " if " " in alt else ""


def _plain(text: str | None) -> str:
    return re.sub(r"\s+", " ", text or "")


def _tidy(text: str) -> Iterator[str]:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    if tidy := "\n".join(filter(None, lines)):
        yield tidy
