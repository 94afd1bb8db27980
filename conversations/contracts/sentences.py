"""Splits the text of a contract into sentences and numbered clauses, each with its place."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

# After these a full stop ends no sentence. Names of companies and references are full of them.
_SHORT: Final = re.compile(
    r"(?:\b(?:no|nos|art|sec|cl|para|e\.g|i\.e|etc|inc|ltd|co|corp|llc|mr|mrs|ms|dr|st|vs|approx|fig|p|pp)|\b[A-Z]|\(?\b\d+|\b[ivx]+)\.$",
    re.IGNORECASE,
)
_END: Final = re.compile(r"[.;!?][\"”’)\]]*(?=\s)|\n[ \t]*\n")
_MARKER: Final = re.compile(
    r"^[ \t]*(?:(?:section|article|clause|§)[ \t]*)?(?P<number>\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{1,5}(?=[.)]))[.):]?[ \t]+(?P<title>\S.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_LINE_START: Final = re.compile(
    r"\n(?=[ \t]*(?:(?:section|article|clause|§)[ \t]*\d|\d{1,2}(?:\.\d{1,2}){0,3}[.)][ \t]|\d{1,2}(?:\.\d{1,2}){1,3}[ \t]|\([a-z0-9]{1,4}\)[ \t]|[-•*][ \t]))",
    re.IGNORECASE,
)
TITLE_CHARACTERS: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSpan:
    """A part of the text: `text[start:end]`."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ClauseHeading:
    """The beginning of a numbered clause."""

    number: str
    title: str
    """Its title, or its first words."""
    span: TextSpan
    """The line."""


def split_sentences(text: str) -> Iterator[TextSpan]:
    """Yield the sentences in order, without the blanks around them. Numbered lines and points of a list begin new ones."""
    start = 0
    for end in (*_ends(text), len(text)):
        piece = text[start:end]
        if inside := piece.strip():
            left = start + len(piece) - len(piece.lstrip())
            yield TextSpan(start=left, end=left + len(inside))
        start = end


def _ends(text: str) -> list[int]:
    ends = {found.start() for found in _LINE_START.finditer(text)}
    for found in _END.finditer(text):
        is_paragraph = found[0].startswith("\n")
        if is_paragraph or not (
            found[0].startswith(".") and _SHORT.search(text[max(0, found.start() - 12) : found.start() + 1])
        ):
            ends.add(found.end())
    return sorted(ends)


def clause_headings(text: str) -> Iterator[ClauseHeading]:
    """Yield the numbered clauses in order: `3.2 Termination`, `Article 4. Payment`."""
    for found in _MARKER.finditer(text):
        title = found["title"].strip()
        # A line that goes on in lower case is the middle of a sentence that a page has broken before a number.
        if title[:1].islower() or not any(letter.isalpha() for letter in title):
            continue
        line = found[0]
        start = found.start() + len(line) - len(line.lstrip())
        yield ClauseHeading(
            number=found["number"],
            title=_short_title(title),
            span=TextSpan(start=start, end=start + len(line.strip())),
        )


def _short_title(line: str) -> str:
    """Return the title at the beginning of a clause: up to its first full stop or colon, if that is not far."""
    title = re.split(r"[.:](?=\s)|[.:]$", line, maxsplit=1)[0].strip()
    return title if len(title) <= TITLE_CHARACTERS else f"{title[:TITLE_CHARACTERS].rsplit(' ', 1)[0]}…"
