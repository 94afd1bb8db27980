"""DOCX: a page for each heading; page numbers do not exist before a printer makes them."""

import re
from collections.abc import Iterator
from typing import Any, BinaryIO

import docx
from docx.document import Document
from docx.oxml.ns import qn
from docx.table import Table
from docx.text.paragraph import Paragraph

from conversations.reading.archives import zipped
from conversations.reading.headings import Headings, numbered
from conversations.reading.values import Page, Part, Problem, Title, Unreadable

MATH = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
MAX_PART = 16 * 1024 * 1024
"""Bytes of one part's XML; as a tree it takes some twenty times that."""
ITEM = "- "
_HEADING = re.compile(r"heading ([1-9])", re.IGNORECASE)
_WORDS = {qn("w:t"), f"{MATH}t"}
_BREAKS = {qn("w:tab"): "\t", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_LEFT_OUT = {qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr"), f"{COMPATIBILITY}Fallback"}
"""What was struck out, and what is there a second time for older programs."""
_PAIRS = {f"{MATH}f": "/", f"{MATH}sSup": "^", f"{MATH}sSub": "_"}
"""Formulas of two parts, and what stands between them."""


def parts(file: BinaryIO) -> Iterator[Part]:
    if any(entry.size > MAX_PART and entry.name.endswith((".xml", ".rels")) for entry in zipped(file)):
        raise Unreadable(Problem.TOO_LARGE)
    file.seek(0)
    document = docx.Document(file)
    yield Title(title=document.core_properties.title)
    yield from numbered(sections(document))


def sections(document: Document) -> Iterator[Page]:
    headings, path = Headings(), ""
    taken: list[str] = []
    for block in document.iter_inner_content():
        level = heading_level(block)
        if isinstance(block, Paragraph) and level:
            yield Page(number=0, heading=path, text=joined(taken))
            path, taken = headings.enter(level, said(block._p).strip()), []
        else:
            taken += filter(None, [as_text(block)])
    yield Page(number=0, heading=path, text=joined(taken))


def heading_level(block: Paragraph | Table) -> int:
    """Return 1 to 9 for a heading, by its style or the style's outline; 0 for other text."""
    if isinstance(block, Table) or block.style is None:
        return 0
    found = _HEADING.match(block.style.name or "")
    return int(found[1]) if found else 0


def as_text(block: Paragraph | Table) -> str:
    if isinstance(block, Table):
        return "\n".join(filter(None, map(_row, block._tbl.tr_lst)))
    text = said(block._p).strip()
    return f"{ITEM}{text}" if text and is_item(block) else text


def joined(blocks: list[str]) -> str:
    """Return blocks with a blank line between, items of a list one below the other."""
    text = ""
    for before, block in zip(["", *blocks], blocks, strict=False):
        beside = before.startswith(ITEM) and block.startswith(ITEM)
        text += ("\n" if beside else "\n\n" if text else "") + block
    return text


def is_item(paragraph: Paragraph) -> bool:
    properties = paragraph._p.pPr
    styled = paragraph.style is not None and (paragraph.style.name or "").startswith("List")
    return styled or (properties is not None and properties.numPr is not None)


def said(element: Any) -> str:
    """Return the text of an element, with breaks; what python-docx itself gives has no formulas."""
    if element.tag in _WORDS:
        return element.text or ""
    if element.tag in _BREAKS:
        return _BREAKS[element.tag]
    inner = [child for child in element if isinstance(child.tag, str) and child.tag not in _LEFT_OUT]
    between = _PAIRS.get(element.tag, "")
    told = [said(child) for child in inner]
    return between.join(_grouped(part) for part in told if part) if between else "".join(told)


def _grouped(text: str) -> str:
    return text if text.isalnum() else f"({text})"


def _row(row: Any) -> str:
    cells = (" ".join("\n".join(said(child) for child in cell).split()) for cell in row.tc_lst)
    return " | ".join(filter(None, cells))
