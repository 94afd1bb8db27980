"""Finds numbers and fractions in running text."""

import re
from fractions import Fraction
from functools import lru_cache

from tutoring.grading.algebra.equality import Inexact, exact_value
from tutoring.grading.algebra.nodes import Unparsable
from tutoring.grading.language.vocabulary import FRACTION_WORDS, NUMBER_WORDS
from tutoring.grading.parsing.normalization import normalize_answer
from tutoring.grading.parsing.parser import parse

MAX_SEARCHED = 20_000

# More digits are no number of a lesson, and conversions of long ones are slow.
_DIGITS = r"\d{1,30}"
_COUNT = rf"(?:{_DIGITS}|{'|'.join(NUMBER_WORDS)})"
_PARTS = "|".join(sorted(FRACTION_WORDS, key=len, reverse=True))
_DECIMAL = rf"(?:\d{{1,3}}(?:,\d{{3}}){{1,9}}(?![\d,])|{_DIGITS})?(?:\.\d{{1,30}}|(?<=\d))"
# The longest spelling first: "1 and a half" before "1", "3/4" before "3". A minus counts only at the start of a value.
_SPAN = re.compile(
    rf"(?:(?<![\w)\]}}.])-\s?)?(?:"
    rf"(?:{_DIGITS}\s*)?\\[tdc]?frac\s*(?:\{{\s*-?\s*{_DIGITS}\s*\}}|\d)\s*(?:\{{\s*-?\s*{_DIGITS}\s*\}}|\d)"
    rf"|\b{_COUNT}\s+and\s+(?:an?|{_COUNT})[\s-]+(?:{_PARTS})\b"
    rf"|\b{_DIGITS}\s+(?:and\s+)?{_DIGITS}\s*/\s*{_DIGITS}"
    rf"|\b(?:an?|{_COUNT})[\s-]+(?:{_PARTS})\b"
    rf"|\b(?:{_COUNT})\s*(?:/|\bover\b)\s*(?:{_COUNT})\b"
    rf"|\b(?:half|quarter)\b"
    rf"|\b(?:{'|'.join(NUMBER_WORDS)})\s+(?:percent|pct)\b"
    rf"|(?<![\d.])(?:{_DECIMAL})\s*(?:%|\b(?:percent|pct)\b)?"
    rf"|\b(?:{'|'.join(word for word in NUMBER_WORDS if word != 'one')})\b"
    rf")",
    re.IGNORECASE,
)


def number_spans(text: str) -> list[str]:
    """Return the spans of a text that are numbers, the longest match each, in order; 20,000 characters are searched."""
    return [span for _place, span in located_number_spans(normalize_answer(text[:MAX_SEARCHED]))]


def located_number_spans(text: str) -> list[tuple[int, str]]:
    """Return the number spans of a normalized text, each with its position."""
    return [(match.start(), match.group().strip()) for match in _SPAN.finditer(text) if match.group().strip()]


def numbers_in(text: str) -> tuple[Fraction, ...]:
    """Return every number and fraction in a text, in order, repeats kept.

    "3/4", "three quarters", "1 1/2", "50%", "\\frac{1}{2}", "3 out of 4" and "½" are one number each. "one" alone does
    not count, since it is mostly a pronoun.
    """
    return tuple(value for span in number_spans(text) if (value := _value(span)) is not None)


@lru_cache(maxsize=512)
def _value(span: str) -> Fraction | None:
    try:
        return exact_value(parse(span))
    except (Unparsable, Inexact):
        return None
