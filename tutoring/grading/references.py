"""How alike an answer and the reference answers of a question are, by their content words."""

import re
from collections.abc import Iterable
from functools import lru_cache

from .words import word_set

_STOP = word_set("""
    a an the of is it are was were be been being to in on at by for from with and or as that this these those they them
    their there its i he she his her him you your we our us me my if then so because do does did done has have had will
    would could should can may might must just also too very more most some any each all what which who how why when where
    into out up down over about than but get got go goes going make makes made use used thing things one explain think
    """)
_WORD = re.compile(r"[a-z]+|\d+(?:\.\d+)?")
_SUFFIXES = (
    "ations",
    "ation",
    "ingly",
    "edly",
    "ness",
    "ment",
    "ings",
    "ing",
    "ies",
    "ied",
    "ers",
    "er",
    "est",
    "ed",
    "es",
    "ly",
    "s",
    "y",
    "e",
)


# Weights and threshold were chosen on short science answers (SemEval-2013 task 7, training part): 78 % right of two ways.
_QUESTION_WORD = 0.2
_SPELLING_SHARE = 0.3
_RIGHT_FROM = 0.62
_NEGATED_WORDS = 2

_CLAUSE_END = re.compile(r"[.,;:!?\n()]|\b(?:but|because|so|although|since|however|instead|then)\b")
_NEGATION = re.compile(r"\b(?:not|no|never|cannot|without|neither|nor|none)\b|n't\b")

type Said = frozenset[tuple[str, bool]]


def likeness(answer: str, *, references: Iterable[str], question: str = "") -> float:
    """Return how well an answer covers the reference it covers best, scaled so that 0.75 and more is right (0–1).

    Words of the question weigh a fifth. A word that only one of the two negates counts against the answer. A share of the
    score compares groups of three letters, which forgives endings and misspelling.
    """
    said, asked = _polar(answer), frozenset(content(question))
    letters = _trigrams(answer)
    covered = (_covered(said, letters, reference=text, asked=asked) for text in references)
    return min(1.0, max(covered, default=0.0) / _RIGHT_FROM)


def _covered(said: Said, letters: frozenset[str], *, reference: str, asked: frozenset[str]) -> float:
    wanted, spelled = _polar(reference), _trigrams(reference)
    weights = {word: _QUESTION_WORD if word[0] in asked else 1.0 for word in wanted}
    if not weights:
        return 0.0
    words = sum(weight * _agreement(word, said) for word, weight in weights.items()) / sum(weights.values())
    spelling = len(letters & spelled) / max(1, len(spelled))
    return max(0.0, (1 - _SPELLING_SHARE) * words + _SPELLING_SHARE * spelling)


def _agreement(word: tuple[str, bool], said: Said) -> int:
    stemmed, negated = word
    return 1 if word in said else -1 if (stemmed, not negated) in said else 0


def _polar(text: str) -> Said:
    """Return the content words of a text, each with whether one of the words just before it says no."""
    words: set[tuple[str, bool]] = set()
    for clause in _CLAUSE_END.split(text[:10_000].casefold().replace("’", "'")):
        affirmed, *negated = _NEGATION.split(clause)
        words.update((word, False) for word in content(affirmed))
        for part in negated:
            words.update((word, index < _NEGATED_WORDS) for index, word in enumerate(content(part)))
    return frozenset(words)


def _trigrams(text: str) -> frozenset[str]:
    joined = " ".join(content(text))
    return frozenset(joined[start : start + 3] for start in range(len(joined) - 2))


def content(text: str) -> list[str]:
    """Return the stems of a text's content words, in order."""
    return [stem(word) for word in _WORD.findall(text[:10_000].casefold()) if word not in _STOP]


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a word without its common endings; at least three letters stay."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word
