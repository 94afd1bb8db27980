"""Chooses wrong options for a question from the other terms of the same text, where code can be sure they are wrong."""

import re
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Final

from agents.errors import EmbeddingModelMissing
from agents.local_models.embeddings import embed
from tutoring.document_courses.facts import Fact
from tutoring.document_courses.terms import roots_of, stem, words_of

if TYPE_CHECKING:
    from agents.local_models.embeddings import Vectors

MAX_LIKENESS: Final = 0.8
"""Cosine of two meanings from which on one could be taken for the other. Chosen by hand on 200 pairs of two books."""
MAX_TERM_LIKENESS: Final = 0.83
"""The same for two terms without what is said of them."""
MAX_SHARED: Final = 0.5
"""The same without the sentence model, as a share of common words."""
MAX_SIBLINGS: Final = 1.17
"""The share of the limit up to which kinds of one thing are told apart: their descriptions are alike by nature."""
_SYNONYMS: Final = frozenset(
    frozenset(pair.split("/"))
    for pair in [
        "mean/average",
        "function/method",
        "argument/parameter",
        "list/array",
        "speed/velocity",
        "mass/weight",
        "number/value",
        "program/code",
        "attribute/property",
        "class/type",
        "error/mistake",
    ]
)
_COMMON: Final = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "for",
        "from",
        "with",
        "that",
        "which",
        "is",
        "are",
        "be",
        "and",
        "or",
        "on",
        "by",
        "as",
        "at",
        "used",
        "when",
        "one",
        "each",
        "any",
        "all",
        "other",
        "more",
        "not",
        "it",
        "its",
        "can",
        "into",
        "than",
        "how",
        "what",
        "where",
        "who",
        "set",
    ]
)


class Meanings:
    """The facts of a document, and how close in meaning they are to each other."""

    def __init__(self, facts: Sequence[Fact]) -> None:
        self.facts = list(facts)
        self._vectors = _vectors([fact.said for fact in facts])
        self._names = _vectors([fact.term for fact in facts])
        self._words = [_content_words(fact.said) for fact in facts]
        self._terms = [frozenset(words_of(fact.term)) for fact in facts]

    def likeness(self, first: int, second: int) -> float:
        """Return how close two facts are, as a share of the limit: from 1 on, they could be confused."""
        if self._vectors is not None:
            return float(self._vectors[first] @ self._vectors[second]) / MAX_LIKENESS
        shared = len(self._words[first] & self._words[second])
        return shared / max(1, min(len(self._words[first]), len(self._words[second]))) / MAX_SHARED

    def are_apart(self, first: int, second: int) -> bool:
        """Return whether what is said of one term is surely not true of the other."""
        terms = self._terms[first], self._terms[second]
        if terms[0] <= terms[1] or terms[1] <= terms[0]:
            return False
        if self.facts[first].table or self.facts[second].table:
            return self.likeness(first, second) < 1
        if self._are_siblings(first, second):
            return self.likeness(first, second) < MAX_SIBLINGS
        heads = [_head(fact) for fact in (self.facts[first], self.facts[second])]
        for (own, other), said in zip(((0, 1), (1, 0)), (first, second), strict=True):
            # A definition that has the other term or its main word tells that they are related: one may be a kind of the
            # other, or do the same ("if statement", and a loop that "runs a set of statements while …").
            if terms[other] <= self._words[said] or heads[other] in self._words[said] or not terms[own]:
                return False
        return self.likeness(first, second) < 1 and self._are_unlike_terms(first, second)

    def _are_siblings(self, first: int, second: int) -> bool:
        """Return whether two terms are defined as different kinds of one thing: "multiple …" and "single inheritance"."""
        facts = self.facts[first], self.facts[second]
        heads = {_head(fact) for fact in facts}
        return (
            len(heads) == 1
            and all(fact.defines and len(self._terms[at]) > 1 for fact, at in zip(facts, (first, second), strict=True))
            and all(heads <= _genus(fact) or fact.said.startswith(("a type of", "a kind of")) for fact in facts)
            and self._terms[first] & self._terms[second] == heads
        )

    def _are_unlike_terms(self, first: int, second: int) -> bool:
        """Return whether two terms are no synonyms, such as "mean" and "average"."""
        names = frozenset((self.facts[first].names[0], self.facts[second].names[0]))
        if names in _SYNONYMS:
            return False
        return self._names is None or float(self._names[first] @ self._names[second]) < MAX_TERM_LIKENESS

    def wrong_for(self, at: int, *, count: int, fits: Callable[[Fact], bool]) -> list[int]:
        """Return up to so many other facts as wrong options, apart from this one and each other; nearest first.

        Options of the same section and similar meaning are harder to tell apart, so they come first.
        """
        own = self.facts[at]
        seen = {own.names[0]}
        candidates = []
        for other, fact in enumerate(self.facts):
            if fact.names[0] not in seen and fits(fact) and self.are_apart(at, other):
                seen.add(fact.names[0])
                distance = abs(fact.section - own.section) / 20
                candidates.append((distance - self.likeness(at, other), other))
        chosen: list[int] = []
        for _rank, other in sorted(candidates):
            if all(self.are_apart(other, one) for one in chosen):
                chosen.append(other)
            if len(chosen) == count:
                break
        return chosen

    def spare_for(self, at: int, terms: Sequence[str], taken: Sequence[str], *, count: int) -> list[str]:
        """Return up to so many terms of the text without a description as further wrong options, apart from each other.

        Each must fit the description less than the right term does, and share no word with it or with the others.
        """
        own = self.facts[at]
        used = roots_of(" ".join([own.term, own.said, *taken]))
        named = _vectors([own.said, own.term, *terms])
        chosen: list[str] = []
        for place, term in enumerate(terms, start=2):
            if len(chosen) == count:
                break
            if roots_of(term) & used or frozenset((own.names[0], term)) in _SYNONYMS:
                continue
            if named is not None and (
                float(named[place] @ named[1]) >= MAX_TERM_LIKENESS
                or float(named[place] @ named[0]) >= float(named[1] @ named[0])
            ):
                continue
            chosen.append(term)
            used |= roots_of(term)
        return chosen

    def groups_apart(self, places: Sequence[int], *, size: int) -> list[list[int]]:
        """Return groups of facts that are all apart from each other, each fact in at most one group."""
        groups: list[list[int]] = []
        for at in places:
            home = next(
                (one for one in groups if len(one) < size and all(self.are_apart(at, each) for each in one)), None
            )
            if home is None:
                groups.append([at])
            else:
                home.append(at)
        return [group for group in groups if all(self.are_apart(*pair) for pair in combinations(group, 2))]


def _head(fact: Fact) -> str:
    """Return the main word of a term: "modulus" of "modulus of a number", "scope" of "local scope"."""
    words = re.split(r" (?:of|in|for|with|to) ", fact.term)[0].split()
    return stem(words[-1].strip("()"))


def _genus(fact: Fact) -> frozenset[str]:
    """Return the words that say what kind of thing a term is: "named reusable block" of "a block that performs a task"."""
    return frozenset(
        words_of(re.split(r"\s(?:that|which|of|in|where|with|from|to|for|used|by|when|on)\s", fact.said)[0])
    )


def _content_words(text: str) -> frozenset[str]:
    return frozenset(word for word in words_of(text) if word not in _COMMON)


def _vectors(texts: Sequence[str]) -> "Vectors | None":
    try:
        return embed(texts) if texts else None
    except EmbeddingModelMissing:
        return None
