"""Finds expressions with variables in a text, in signs or in words."""

import re
from collections.abc import Iterator

from tutoring.grading.algebra.nodes import names_of
from tutoring.grading.language.vocabulary import FRACTION_WORDS, NUMBER_WORDS
from tutoring.grading.parsing.interpretations import parse_key
from tutoring.grading.parsing.normalization import normalize_answer

# "k times n over 4 plus 2" has 7; every run is tried in all its parts, so the bound is quadratic in cost. By hand.
MOST_TOKENS = 14
"""Tokens of the longest expression that is searched for."""
# Each is graded; 400 stay within some ms. A text with more says nothing clearly.
MOST_EXPRESSIONS = 400

_TOKEN = re.compile(r"\\?[A-Za-z]+|\d+(?:\.\d+)?|[-+*/^()={}]|\S")
# "three over n", "the quotient of k by 4". "is" makes an equation, and "the" may be left out.
_SPOKEN = {
    "plus": "+", "minus": "-", "times": "*", "multiplied": "*", "over": "/", "divided": "/", "of": "*", "by": "",
    "equals": "=", "is": "=", "squared": "^2", "the": "", "quotient": "", "product": "",
}  # fmt: skip


def letters_in(*expressions: str) -> frozenset[str]:
    """Return the variables of these expressions."""
    return frozenset(name for text in expressions if (node := parse_key(text)) is not None for name in names_of(node))


def algebra_in(text: str, names: frozenset[str]) -> list[str]:
    """Return the possible expressions or equations of a text in these variables: "k times n over 4", "3n/4".

    Variables match in either case. At most 400 candidates of at most 14 tokens, each with a variable.
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
    """Yield the runs of a text in which every word could belong to an expression."""
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
    """Return a word as a token of an expression, "" for one that may be left out; None for any other."""
    word = token.casefold()
    if word in _SPOKEN:
        return _SPOKEN[word]
    if word in wanted:
        return wanted[word]
    # "kn" is k·n; longer runs of letters are words.
    if len(word) <= 3 and all(letter in wanted for letter in word):
        return "".join(wanted[letter] for letter in word)
    if word in NUMBER_WORDS or word in FRACTION_WORDS or not token[0].isalpha():
        return token if token[0].isalnum() or token in "+-*/^()={}\\frac" else None
    return None
