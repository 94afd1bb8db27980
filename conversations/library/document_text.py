"""Text of a document: all of it, its beginning, or in screens that a browser can show at once."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.db.models.functions import Length

from conversations.models import Document, Passage

SCREEN_CHARACTERS = 16_000
"""Characters of a document shown on one page. A character may take six bytes, and a page has at most 150 KB."""
MARKUP_CHARACTERS = 30
"""Markup counted per passage, because many short passages fill a page too."""
BEGINNING = 100_000
"""Maximum number of characters of a document's text in an API answer."""
JOINT = "\n\n"
"""Separates two pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenPage:
    """A page of the document, or the part of it on one screen."""

    page: int
    heading: str
    """Empty if it is the same as on the previous page."""
    passages: Sequence[Passage]


@dataclass(frozen=True, slots=True, kw_only=True)
class TextScreen:
    leaves: Sequence[ScreenPage]
    number: int
    """From 1."""
    total: int


def text_chunks(document: Document) -> Iterator[str]:
    """Yield the whole text, in pieces."""
    page = 0
    for passage in document.passages.order_by("number").iterator(chunk_size=500):
        if page and passage.page != page:
            yield JOINT
        page = passage.page
        yield passage.text


def text_beginning(document: Document) -> str:
    text = ""
    for piece in text_chunks(document):
        text += piece
        if len(text) > BEGINNING:
            break
    return text[:BEGINNING]


def screen_of(document: Document, *, number: int = 1, at: int | None = None) -> TextScreen | None:
    """Return a screen of the text, or the one that contains passage number `at`; None if there is none."""
    starts = _starts(document)
    if at is not None:
        number = sum(start <= at for start in starts)
    if not 1 <= number <= max(1, len(starts)):
        return None
    passages = document.passages.order_by("number").filter(number__gte=starts[number - 1] if starts else 0)
    if number < len(starts):
        passages = passages.filter(number__lt=starts[number])
    return TextScreen(leaves=list(_screen_pages(passages)), number=number, total=max(1, len(starts)))


def _starts(document: Document) -> list[int]:
    """Return the number of the first passage of each screen."""
    starts: list[int] = []
    filled = 0
    for number, length in document.passages.order_by("number").values_list("number", Length("text")):
        if not starts or filled + length > SCREEN_CHARACTERS:
            starts.append(number)
            filled = 0
        filled += length + MARKUP_CHARACTERS
    return starts


def _screen_pages(passages: Iterable[Passage]) -> Iterator[ScreenPage]:
    shown = ""
    for (page, heading), group in groupby(passages, key=lambda passage: (passage.page, passage.heading)):
        yield ScreenPage(page=page, heading="" if heading == shown else heading, passages=list(group))
        shown = heading
