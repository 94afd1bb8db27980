"""Stems of words, so that "adding" and "add" are equal, and "halfs" and "halves"."""

import re
from functools import lru_cache
from typing import Final

WORD: Final = re.compile(r"[a-z]+(?:'[a-z]+)?|\d+/\d+")
# A crude stemmer is enough for names of topics: both sides are stemmed alike. Longest endings first.
_SUFFIXES = (("lfs", "lv"), ("ies", "y"), ("ying", "y"), ("ing", ""), ("ed", ""), ("es", ""), ("s", ""), ("e", ""))
# "is" and "red" stay whole. Chosen by hand.
_SHORTEST = 3
STEMS_KEPT: Final = 4096
"""Latest words, about 1 MB: every sentence of every passage found is stemmed, on the event loop's thread."""


@lru_cache(maxsize=STEMS_KEPT)
def stem(word: str) -> str:
    """Return a lower-case word without its ending."""
    for suffix, instead in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST:
            return word[: -len(suffix)] + instead
    return word


def words_of(text: str) -> list[str]:
    """Return the words of a text, and its fractions, in lower case."""
    return WORD.findall(text.casefold())
