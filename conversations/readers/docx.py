"""Reader for DOCX: a page for each heading, because page numbers exist only in print."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, BinaryIO

import docx
from docx.document import Document
from docx.oxml.ns import qn
from docx.table import Table

from conversations.readers.archives import zip_entries
from conversations.readers.document import Page, Problem, ReaderOutput, Title, Unreadable
from conversations.readers.headings import Headings, number_sections

MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
MAX_PART = 16 * 1024 * 1024
"""Maximum size in bytes of one part's XML; as a tree, it takes about twenty times as much."""
PROLOGUE = 4096
ITEM = "- "
_HEADING = re.compile(r"^heading ([1-9])", re.IGNORECASE | re.MULTILINE)
_WORDS = {qn("w:t"), f"{MATH}t"}
_BREAKS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_LEFT_OUT = {qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr"), f"{COMPATIBILITY}Fallback"}
"""Deleted text, and duplicates for older programs."""
_PAIRS = {f"{MATH}f": "/", f"{MATH}sSup": "^", f"{MATH}sSub": "_"}
"""Formulas with two parts, and the sign between them."""


def parts(file: BinaryIO) -> Iterator[ReaderOutput]:
    """Yield a page for each heading. Raises Unreadable for parts that are too large or declare entities."""
    for entry in zip_entries(file):
        if entry.name.endswith((".xml", ".rels")):
            if entry.size > MAX_PART:
                raise Unreadable(Problem.TOO_LARGE)
            if b"<!DOCTYPE" in entry.content()[:PROLOGUE]:
                raise Unreadable(Problem.ENTITIES)
    file.seek(0)
    document = docx.Document(file)
    yield Title(title=document.core_properties.title)
    yield from number_sections(sections(document))


def sections(document: Document) -> Iterator[Page]:
    names = style_names(document)
    headings, path = Headings(), ""
    taken: list[str] = []
    for block in document.iter_inner_content():
        if isinstance(block, Table):
            taken += filter(None, ["\n".join(filter(None, map(_row, block._tbl.tr_lst)))])
            continue
        paragraph: Any = block._p
        style = names.get(paragraph.style or "", "")
        text = element_text(paragraph).strip()
        if level := _HEADING.search(style):
            yield Page(number=0, heading=path, text=join_blocks(taken))
            path, taken = headings.enter(int(level[1]), text), []
        elif text:
            taken.append(f"{ITEM}{text}" if is_item(paragraph, style) else text)
    yield Page(number=0, heading=path, text=join_blocks(taken))


def style_names(document: Document) -> dict[str, str]:
    """Return the names of each style and its base styles, by id; looking them up per paragraph takes minutes."""
    found = {style.style_id: (style.name or "", _based_on(style)) for style in document.styles}
    return {key: "\n".join(_chain(key, found)) for key in found}


def _based_on(style: Any) -> str:
    base = style.element.basedOn
    return base.val if base is not None else ""


def _chain(key: str, found: dict[str, tuple[str, str]]) -> Iterator[str]:
    seen = set()
    while key in found and key not in seen:
        seen.add(key)
        name, key = found[key]
        yield name


def is_item(paragraph: Any, style: str) -> bool:
    return style.startswith("List") or (paragraph.pPr is not None and paragraph.pPr.numPr is not None)


def join_blocks(blocks: list[str]) -> str:
    """Return blocks joined by blank lines, list items by line breaks."""
    text: list[str] = []
    for before, block in pairwise(["", *blocks]):
        beside = before.startswith(ITEM) and block.startswith(ITEM)
        text += ["\n" if beside else "\n\n", block]
    return "".join(text[1:])


def element_text(element: Any) -> str:
    """Return the text of an element, with line breaks; python-docx's own text leaves out formulas."""
    if element.tag in _WORDS:
        return element.text or ""
    if element.tag in _BREAKS:
        return _BREAKS[element.tag]
    inner = [child for child in element if isinstance(child.tag, str) and child.tag not in _LEFT_OUT]
    between = _PAIRS.get(element.tag, "")
    told = [element_text(child) for child in inner]
    return between.join(_grouped(part) for part in told if part) if between else "".join(told)


def _grouped(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _row(row: Any) -> str:
    cells = (" ".join("\n".join(element_text(child) for child in cell).split()) for cell in row.tc_lst)
    return " | ".join(filter(None, cells))
