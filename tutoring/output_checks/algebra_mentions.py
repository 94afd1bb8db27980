"""Expressions with letters that a text says, in signs or in words."""

import re
from collections.abc import Iterator

from tutoring.grading.algebra.nodes import names_of
from tutoring.grading.language.vocabulary import FRACTION_WORDS, NUMBER_WORDS
from tutoring.grading.parsing.interpretations import parse_key
from tutoring.grading.parsing.normalization import normalize_answer

MOST_TOKENS = 14
"""The longest expression that is looked for."""
MOST_EXPRESSIONS = 400

_TOKEN = re.compile(r"\\?[A-Za-z]+|\d+(?:\.\d+)?|[-+*/^()={}]|\S")
_SPOKEN = {
    "plus": "+", "minus": "-", "times": "*", "multiplied": "*", "over": "/", "divided": "/", "of": "*", "by": "",
    "equals": "=", "is": "=", "squared": "^2", "the": "", "quotient": "", "product": "",
}  # fmt: skip


def letters_in(*expressions: str) -> frozenset[str]:
    """Return the letters that stand for numbers in these expressions."""
    return frozenset(name for text in expressions if (node := parse_key(text)) is not None for name in names_of(node))


def algebra_in(text: str, names: frozenset[str]) -> list[str]:
    """Return what a text may say as an expression or equation in these letters: "k times n over 4", "3n/4".

    A letter is known in either case. At most 400 pieces of at most 14 signs, those with a letter only.
    """
    wanted = {name.casefold(): name for name in names}
    found: list[str] = []
    for run in _runs(text, wanted):
        for start in range(len(run)):
            for end in range(start + 1, min(len(run), start + MOST_TOKENS) + 1):
                if any(token in names or set(token) <= names for token in run[start:end]):
                    found.append(" ".join(run[start:end]))
    return found[:MOST_EXPRESSIONS]


def _runs(text: str, wanted: dict[str, str]) -> Iterator[list[str]]:
    """Yield the stretches of a text in which every word could belong to an expression."""
    run: list[str] = []
    for token in _TOKEN.findall(normalize_answer(text)):
        sign = _sign(token, wanted)
        if sign is None:
            yield run
            run = []
        elif sign:
            run.append(sign)
    yield run


def _sign(token: str, wanted: dict[str, str]) -> str | None:
    """Return a word as it stands in an expression, "" for one that may be left out; None for any other."""
    word = token.casefold()
    if word in _SPOKEN:
        return _SPOKEN[word]
    if word in wanted:
        return wanted[word]
    if len(word) <= 3 and all(letter in wanted for letter in word):
        return "".join(wanted[letter] for letter in word)
    if word in NUMBER_WORDS or word in FRACTION_WORDS or not token[0].isalpha():
        return token if token[0].isalnum() or token in "+-*/^()={}\\frac" else None
    return None
