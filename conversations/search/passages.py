"""Splits pages into passages short enough for the sentence model. Does not use the database."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import ceil

from conversations.readers import Page

WORDS = 100
"""Maximum number of words in a passage; the sentence model reads 128 tokens, including the heading."""
WORD_CHARACTERS = 6
"""Minimum number of characters counted as a word; code and Chinese have long runs without spaces."""
SEAMS = (
    re.compile(r"\n\s*\n"),  # Paragraphs and code blocks.
    re.compile(r"\n"),  # Rows, list items, lines of code.
    re.compile(r"(?<=[.?!:;])[\"'”’)\]]*\s+|(?<=[。！？])"),  # Sentences.
    re.compile(r"\s+"),
)
"""Places where a text can be split, best first. The separator stays with the part before it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageDraft:
    """A passage before it is stored."""

    page: int
    heading: str
    text: str
    indexed: bool = True


def split_pages(pages: Iterable[Page]) -> Iterator[PassageDraft]:
    """Yield the passages of all pages that have words. Joined, those of a page are its text; no word is split."""
    for page in pages:
        for text in split_text(page.text):
            yield PassageDraft(page=page.number, heading=page.heading, text=text, indexed=not page.glossary)


def split_text(text: str) -> Iterator[str]:
    """Yield a text in parts of at most 100 words and similar size, split at the best separators available."""
    if not text.strip():
        return
    aim = word_count(text) / ceil(word_count(text) / WORDS)
    gathered, gathered_weight = "", 0.0
    for part in _small(text, SEAMS):
        part_weight = word_count(part)
        if gathered.strip() and gathered_weight + part_weight > WORDS:
            yield gathered
            gathered, gathered_weight = "", 0.0
        gathered += part
        gathered_weight += part_weight
        if gathered_weight >= aim:
            yield gathered
            gathered, gathered_weight = "", 0.0
    if gathered:
        yield gathered


def word_count(text: str) -> float:
    """Return the approximate number of words the sentence model has to read."""
    return max(len(text.split()), len(text) / WORD_CHARACTERS)


def _small(text: str, seams: tuple[re.Pattern[str], ...]) -> Iterator[str]:
    """Yield a text's parts between separators; parts that are too long are split at the next best ones."""
    if not seams or word_count(text) <= WORDS:
        yield text
        return
    for part in _parts(text, seams[0]):
        yield from _small(part, seams[1:])


def _parts(text: str, seam: re.Pattern[str]) -> Iterator[str]:
    start = 0
    for found in seam.finditer(text):
        if found.end() > start:
            yield text[start : found.end()]
            start = found.end()
    if start < len(text):
        yield text[start:]
