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


def likeness(answer: str, *, references: Iterable[str], question: str = "") -> float:
    """Return how much of the best-covered reference an answer says (0–1); words of the question weigh little."""
    said, asked = frozenset(content(answer)), frozenset(content(question))
    return max((_covered(said, frozenset(content(text)), asked) for text in references), default=0.0)


def _covered(said: frozenset[str], wanted: frozenset[str], asked: frozenset[str]) -> float:
    weights = {word: 0.3 if word in asked else 1.0 for word in wanted}
    total = sum(weights.values())
    return sum(weight for word, weight in weights.items() if word in said) / total if total else 0.0


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
