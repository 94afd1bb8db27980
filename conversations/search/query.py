"""Parses a search query into terms, and marks terms in a text. Does not use the database."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

LONGEST_QUERY = 200
"""Maximum number of characters of a query that are used."""
MOST_TERMS = 10
SHORTEST_PREFIX = 3
"""Minimum number of letters for a word to match longer words too; shorter ones would match half the dictionary."""
SNIPPET_BEFORE, SNIPPET_AFTER = 60, 140
"""Number of characters in a snippet before its first hit, and after the start of that hit."""
MARKED_CHARACTERS = 20_000
"""Maximum number of characters of a text in which hits are marked."""

QUOTES = str.maketrans(dict.fromkeys("“”„«»", '"'))
CHUNK = re.compile(r'(?P<minus>-?)"(?P<phrase>[^"]*)"?|(?P<word>[^\s"]+)')
WORD = re.compile(r"[^\W_]+")
DIACRITICS = re.compile("[\u0300-\u036f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTerm:
    """One search term: the words of `text`, next to each other."""

    text: str
    is_prefix: bool = False
    """Whether the last word may still continue."""
    is_excluded: bool = False

    def words(self) -> list[str]:
        return [fold(word) for word in WORD.findall(self.text)]


@dataclass(frozen=True, slots=True, kw_only=True)
class SnippetPiece:
    """A part of a snippet."""

    text: str
    is_hit: bool = False


def parse_query(query: str, *, longest: int = LONGEST_QUERY, most: int = MOST_TERMS) -> list[QueryTerm]:
    """Return the search terms: words, "phrases", and -words to exclude; there is no other syntax.

    Empty if no word is left. If every term has a minus, the minuses are ignored. Uses at most `longest` characters and
    `most` terms.
    """
    typed = unicodedata.normalize("NFC", query[:longest]).translate(QUOTES)
    typed = "".join(" " if unicodedata.category(each).startswith("C") else each for each in typed)
    terms = [term for found in CHUNK.finditer(typed) if WORD.search((term := _term(found)).text)][:most]
    if all(term.is_excluded for term in terms):
        return [QueryTerm(text=term.text, is_prefix=term.is_prefix) for term in terms]
    return terms


def _term(found: re.Match[str]) -> QueryTerm:
    if found["word"] is None:
        return QueryTerm(text=found["phrase"], is_excluded=found["minus"] == "-")
    word = found["word"]
    last = (WORD.findall(word) or [""])[-1]
    # "1/2" must not find 1/24.
    is_prefix = len(last) >= SHORTEST_PREFIX and last.isalpha()
    return QueryTerm(text=word.removeprefix("-"), is_prefix=is_prefix, is_excluded=word.startswith("-"))


def fold(text: str) -> str:
    """Return the text without case and diacritics, as both databases compare it."""
    return DIACRITICS.sub("", unicodedata.normalize("NFD", text)).lower()


def snippet(text: str, terms: Sequence[QueryTerm]) -> tuple[SnippetPiece, ...]:
    """Return the part of a text around its first hit, split at hits. Raw text: escape it."""
    text = " ".join(text[:MARKED_CHARACTERS].split())
    hits = _merged(_hits(text, [term for term in terms if not term.is_excluded]))
    first = hits[0][0] if hits else 0
    start = _word_start(text, first - SNIPPET_BEFORE)
    end = _word_end(text, first + SNIPPET_AFTER)
    pieces, place = [SnippetPiece(text="…")] if start else [], start
    for hit_start, hit_end in hits:
        if hit_start >= end:
            break
        pieces += [SnippetPiece(text=text[place:hit_start]), SnippetPiece(text=text[hit_start:hit_end], is_hit=True)]
        place = hit_end
    pieces += [
        SnippetPiece(text=text[place : max(place, end)]),
        SnippetPiece(text="…" if max(place, end) < len(text) else ""),
    ]
    return tuple(piece for piece in pieces if piece.text)


def _hits(text: str, terms: Sequence[QueryTerm]) -> list[tuple[int, int]]:
    """Return where terms occur, as start and end."""
    places = [(found.start(), found.end()) for found in WORD.finditer(text)]
    words = [fold(text[start:end]) for start, end in places]
    found = (
        (places[index][0], places[index + len(wanted) - 1][1])
        for term in terms
        for wanted in [term.words()]
        for index in _where(words, wanted, is_prefix=term.is_prefix)
    )
    return sorted(found)


def _where(words: Sequence[str], wanted: Sequence[str], *, is_prefix: bool) -> Iterator[int]:
    *others, last = wanted
    for index in range(len(words) - len(others)):
        end = words[index + len(others)]
        if (end == last or (is_prefix and end.startswith(last))) and words[index : index + len(others)] == others:
            yield index


def _merged(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return sorted spans, with overlapping ones merged."""
    merged: list[tuple[int, int]] = []
    for start, end in spans:
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _word_start(text: str, place: int) -> int:
    """Return the start of the first whole word from a position on; that position if the words are too long."""
    if place <= 0:
        return 0
    blank = text.find(" ", place, place + SNIPPET_BEFORE)
    return blank + 1 if blank >= 0 else place


def _word_end(text: str, place: int) -> int:
    if place >= len(text):
        return len(text)
    blank = text.rfind(" ", place - SNIPPET_BEFORE, place)
    return blank if blank >= 0 else place
