"""Which sentences of the passages found answer a question: chosen by rule, shown as they stand, never reworded."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from tutoring.grading.words import word_set
from tutoring.rules.stems import stem, words_of

SAID = 0.5
"""Share of the question's words that the chosen sentences hold, from which they are worth showing."""
LIKE = 0.6
"""Cosine from which a passage is about the question."""
CLEARLY_LIKE = 0.7
"""Cosine from which a passage is shown though it holds few of the question's words."""
QUOTES = 3
SENTENCES_OF_A_QUOTE = 2
LONGEST = 480
"""Characters of a quote."""
_SENTENCE_END = re.compile(r"(?<=[.!?…])[\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z0-9])|\n{1,}")
_OF_ANY_QUESTION = word_set(
    "a about all also an and any are as at be been between but by can could did differ difference different do does each "
    "explain find for from give has have how i in into is it its know me mean means my of on one or please say should show "
    "so some tell than that the their them there these they this to up us use used using was we were what what's when "
    "where which who why will with work works would you your"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A passage that a search has found."""

    text: str
    heading: str = ""
    likeness: float | None = None
    """Cosine to the question; None where no sentence model is at hand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A place in a candidate."""

    candidate: int
    """Its index among them."""
    start: int
    end: int


def content_words(text: str) -> frozenset[str]:
    """Return the stems of the words that say what a question is about."""
    return frozenset(stem(word) for word in words_of(text) if word not in _OF_ANY_QUESTION)


def quotes_for(question: str, candidates: Sequence[Candidate]) -> tuple[Quote, ...]:
    """Return what answers the question, the best first; none where nothing found is about it.

    Of each candidate, best first, the sentences that hold the most of the question's words. What adds no word to those
    quoted already is left out.
    """
    sought = content_words(question)
    if not sought:
        return ()
    chosen: list[Quote] = []
    held: frozenset[str] = frozenset()
    for number, candidate in enumerate(candidates):
        quote, words = _best_of(number, candidate, sought)
        if quote is None or not _is_about(candidate, share=len(words) / len(sought)):
            continue
        if chosen and words <= held and len(chosen) >= QUOTES - 1:
            continue
        chosen.append(quote)
        held |= words
        if len(chosen) == QUOTES:
            break
    return tuple(chosen) if len(held) >= SAID * len(sought) else ()


def _is_about(candidate: Candidate, *, share: float) -> bool:
    if candidate.likeness is None:
        return share > SAID
    return candidate.likeness >= CLEARLY_LIKE or (candidate.likeness >= LIKE and share >= SAID)


def _best_of(number: int, candidate: Candidate, sought: frozenset[str]) -> tuple[Quote | None, frozenset[str]]:
    """Return the run of sentences with the most of what is sought, the shortest and earliest of those, and those words."""
    spans = sentence_spans(candidate.text)
    of_heading = content_words(candidate.heading) & sought
    best: tuple[int, int, int] | None = None
    quote, words = None, frozenset[str]()
    for first in range(len(spans)):
        for last in range(first, min(len(spans), first + SENTENCES_OF_A_QUOTE)):
            start, end = spans[first][0], spans[last][1]
            held = content_words(candidate.text[start:end]) & sought
            if end - start > LONGEST or not held:
                continue
            rank = (-len(held), last - first, first)
            if best is None or rank < best:
                best, quote, words = rank, Quote(candidate=number, start=start, end=end), held | of_heading
    return quote, words


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Return where the sentences of a text begin and end, without the white space around them."""
    ends = [0, *(match.end() for match in _SENTENCE_END.finditer(text)), len(text)]
    spans = []
    for start, end in pairwise(ends):
        part = text[start:end]
        if part.strip():
            spans.append((start + len(part) - len(part.lstrip()), start + len(part.rstrip())))
    return spans
