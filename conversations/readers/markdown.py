"""Reader for Markdown: a page for each heading, its text unchanged."""

from collections.abc import Iterator
from itertools import pairwise
from typing import BinaryIO

from markdown_it import MarkdownIt

from conversations.readers.document import Page, ReaderOutput, Title
from conversations.readers.headings import Headings, number_sections
from conversations.readers.media_types import decode_text

type Heading = tuple[int, str, int, int]
"""Level, title, its first line, the line after it."""


def parts(file: BinaryIO) -> Iterator[ReaderOutput]:
    text = decode_text(file)
    found = list(find_headings(text))
    if found and found[0][0] == 1:
        yield Title(title=found[0][1])
    yield from number_sections(sections(text.split("\n"), found))


def sections(lines: list[str], found: list[Heading]) -> Iterator[Page]:
    headings, path, begin = Headings(), "", 0
    for level, title, first, after in found:
        yield Page(number=0, heading=path, text="\n".join(lines[begin:first]))
        path, begin = headings.enter(level, title), after
    yield Page(number=0, heading=path, text="\n".join(lines[begin:]))


def find_headings(text: str) -> Iterator[Heading]:
    """Yield each heading that is not nested in something else."""
    parser = MarkdownIt("commonmark")
    # Inline content does not matter, and can be written to parse forever.
    parser.core.ruler.enableOnly(["normalize", "block"])
    tokens = parser.parse(text)
    for opening, inline in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            first, after = opening.map
            yield int(opening.tag[1:]), inline.content, first, after
