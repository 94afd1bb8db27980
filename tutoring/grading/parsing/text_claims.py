"""Finds calculations, equations and numbers in running text: "Anna has 3*4 = 12 apples" claims 3*4 = 12.

The only place where numeric claims of a text are parsed; `holds` decides whether one is true.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tutoring.grading.algebra.comparison import is_same_value
from tutoring.grading.algebra.nodes import Node, Operation, Relation, Unparsable, names_of, walk
from tutoring.grading.algebra.sampled_value import approximate
from tutoring.grading.language.vocabulary import FRACTION_WORDS, NUMBER_WORDS, OPERATOR_WORDS, UNIT_WORDS, word_set
from tutoring.grading.parsing.normalization import MAX_LENGTH, normalize_answer, normalize_decimals
from tutoring.grading.parsing.parser import parse
from tutoring.grading.parsing.sentence_claims import maths_runs, words_to_signs
from tutoring.grading.parsing.tokenizer import FUNCTIONS

# A line of a working has three or four; bounds the work.
MAX_CLAIMS = 12
# Marks an "=" that was a word: "2 apples are 5" is no calculation, "2 plus 3 are 5" is.
_SAID = "\ue001"
# Words that are no unit, so that they are not dropped between a number and an operator: "3 and + 4".
_CONNECTIVES = (
    r"(?:so|and|then|that|thats|that's|which|is|are|was|were|gives?|makes?|we|i|he|she|it|they|you|get|got|to|by|of|for|from"
    r"|because|since|minus|plus|times|per|both|sides?|equals?|have|has|but|or|left|leaves)"
)
_NUMBERS = "|".join([*NUMBER_WORDS, *FRACTION_WORDS])
# Words for operators; the last entry drops the noun of "3 apples + 4 apples".
_IN_OPERATORS = (
    (re.compile(r"\b(?:multiplied by|times)\b", re.IGNORECASE), "*"),
    (re.compile(r"\bdivided by\b", re.IGNORECASE), "/"),
    (re.compile(r"(?<=\d)\s+dozen\b", re.IGNORECASE), " * 12"),
    (re.compile(r"\b(?:plus|added to)\b", re.IGNORECASE), "+"),
    (re.compile(r"\b(?:minus|take away)\b", re.IGNORECASE), "-"),
    (re.compile(r"(?<=%)\s*of\s+(?=\d)|(?<=\d)\s+percent\s+of\s+(?=\d)", re.IGNORECASE), " * "),
    (
        re.compile(rf"(\b(?:half|{'|'.join(FRACTION_WORDS)})|\d/\d{{1,4}})\s+of\s+(?:the\s+)?(?=\d)", re.IGNORECASE),
        r"\1 * ",
    ),
    (re.compile(r"(\d(?:\s+[A-Za-z]{2,15})?)\s+[xX]\s+(?=\d)"), r"\1 * "),
    (
        re.compile(
            rf"(?<=[\d)%])((?:\s*(?!(?:{_CONNECTIVES}|{_NUMBERS}|more|dozen|pairs?|thousand)\b)[^\W\d_]{{2,15}}){{1,3}})(?=\s*[-+*/=≈])",
            re.IGNORECASE,
        ),
        "",
    ),
)
# "2 + 3 makes 5", "which is just 5".
_EQUALS = re.compile(
    rf"(?<=[\dA-Za-z)%])(?:,?\s+(?:which|that|this))?\s+(?:is|are|was|makes?|gives?|leaves|equals?|becomes?|is the same as|(?:is|are) equal to)"
    rf"\s+(?:the same as\s+|equal to\s+|just\s+|only\s+)?(?=[-+\d(\\√.]|(?:an?\s+)?(?:{_NUMBERS})\b)",
    re.IGNORECASE,
)
_OPERATOR = re.compile(r"[-+*/^%!√]|\\|\b(?:half|quarter|third)")
_MATHEMATICAL_WORDS = (
    FUNCTIONS
    | NUMBER_WORDS.keys()
    | FRACTION_WORDS.keys()
    | OPERATOR_WORDS.keys()
    | UNIT_WORDS
    | word_set("pi inf no solution solutions real all")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A numeric claim, as it would be typed alone, and parsed."""

    text: str
    node: Node


def has_words(text: str) -> bool:
    """Tell whether a text has words that belong to no formula."""
    words = re.findall(r"(?<![\\\w])[^\W\d_]{2,}(?:'[^\W\d_]+)?", text)
    return any(word.casefold() not in _MATHEMATICAL_WORDS and not _is_product(word) for word in words)


def _is_product(word: str) -> bool:
    # "xyz" is a product of variables, "abcd" a word; short English words are listed.
    return len(word) <= 3 and not re.fullmatch(
        rf"{_CONNECTIVES}|the|add|he|as|in|on|at|my|now|one|two|cut|all|ans", word, re.IGNORECASE
    )


def claims_in(text: str) -> tuple[Claim, ...]:
    """Return the numeric claims of a running text, in order: equations, inequalities, and expressions by themselves.

    At most 400 characters and 12 claims count.
    """
    return tuple(_claims(text[:MAX_LENGTH]))[:MAX_CLAIMS]


def _claims(text: str) -> Iterator[Claim]:
    said = words_to_signs(normalize_decimals(normalize_answer(text)))
    for pattern, sign in _IN_OPERATORS:
        said = pattern.sub(sign, said)
    for sentence in re.split(r"[.,;:?](?=\s|$)|[\n!](?=\s|$)", _EQUALS.sub(f" {_SAID} ", said)):
        for run in maths_runs(sentence, also=_SAID):
            yield from _read(_without_lone_signs(run))


def _without_lone_signs(run: str) -> str:
    """Return a run with the word signs as "=" after a calculation; otherwise what precedes them is dropped."""
    first, *others = run.split(_SAID)
    kept = first.strip()
    for other in others:
        calculated = "=" in kept or _OPERATOR.search(kept.lstrip("-"))
        if other.strip():
            kept = f"{kept} = {other.strip()}" if calculated else other.strip()
    return kept


def _read(run: str) -> Iterator[Claim]:
    try:
        node = parse(run)
    except Unparsable:
        return
    yield Claim(text=run, node=node)


def is_calculation(node: Node) -> bool:
    """Tell whether a relation has a calculation on a side; a fraction or a mixed number alone is none."""
    return isinstance(node, Relation) and any(
        isinstance(inner, Operation) and inner.operator in ("+", "*", "^", "!", "sqrt") for inner in walk(node)
    )


def holds(node: Node) -> bool | None:
    """Tell whether a relation between numbers is true; None if it has variables or is no relation.

    A chain holds if each of its signs does; ≈ holds if the right side is a rounding of the left one.
    """
    if not isinstance(node, Relation) or names_of(node):
        return None
    steps = zip(node.sides, node.signs, node.sides[1:], strict=False)
    known = [_is_true(left, sign, right) for left, sign, right in steps]
    return None if None in known else all(known)


def _is_true(left: Node, sign: str, right: Node) -> bool | None:
    alike = is_same_value(left, right)
    if sign in "=≠":
        return alike == (sign == "=")
    if sign == "≈":
        return is_same_value(Relation(sides=(left, right), signs=("≈",)), left)
    low, high = approximate(left, {}), approximate(right, {})
    if low is None or high is None:
        return None
    if alike:
        return sign in "≤≥"
    return (low.real < high.real) == (sign in "<≤")
