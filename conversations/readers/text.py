"""Reader for plain text: split at its page breaks if it has any, else into runs of whole paragraphs."""

from collections.abc import Iterable, Iterator
from typing import BinaryIO

from conversations.readers.document import Page, ReaderOutput
from conversations.readers.headings import number_sections
from conversations.readers.media_types import decode_text

STRETCH = 3_000
"""Number of characters after which a new page starts at the next paragraph."""


def parts(file: BinaryIO) -> Iterator[ReaderOutput]:
    text = decode_text(file)
    pages: Iterable[str] = text.split("\f") if "\f" in text else stretches(text)
    yield from number_sections(Page(number=0, heading="", text=page) for page in pages)


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
