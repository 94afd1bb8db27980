"""Plain text: its own page breaks where it has them, else stretches of whole paragraphs."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from conversations.reading.headings import numbered
from conversations.reading.kinds import decoded
from conversations.reading.values import Page, Part

STRETCH = 3_000
"""Characters from which on a new page begins at the next paragraph."""


def parts(file: BinaryIO) -> Iterator[Part]:
    text = decoded(file)
    pages: Iterable[str] = text.split("\f") if "\f" in text else stretches(text)
    yield from numbered(Page(number=0, heading="", text=page) for page in pages)


def stretches(text: str) -> Iterator[str]:
    taken: list[str] = []
    length = 0
    for paragraph in text.split("\n\n"):
        if length > STRETCH:
            yield "\n\n".join(taken)
            taken, length = [], 0
        taken.append(paragraph)
        length += len(paragraph)
    yield "\n\n".join(taken)
