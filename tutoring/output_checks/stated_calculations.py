"""Finds the expressions that a question states: "1/4 + 4/9", "one half of 8", "Add 1/6 and 8/15"."""

import re

from tutoring.grading.parsing.normalization import normalize_answer
from tutoring.grading.parsing.number_finder import located_number_spans, numbers_in
from tutoring.output_checks.answer_disclosure import expressions_in

_NUMBER = r"(\d+(?:\s\d+/\d+|[./]\d+)?)"
_PART_OF = r"(\d+/\d+|\d\s*%)\s+of\s+"
# Words for operations as course files use them, specific ones last, since they need the numbers in place.
_IN_SIGNS = (
    (re.compile(r"\bplus\b", re.IGNORECASE), "+"),
    (re.compile(r"\bminus\b|(?<=\d) (?:take away|take|less)(?= \d)", re.IGNORECASE), "-"),
    (re.compile(r"\b(?:times|multiplied by)\b", re.IGNORECASE), "*"),
    (re.compile(r"\bdivided by\b", re.IGNORECASE), "/"),
    (re.compile(rf"{_PART_OF}(?:the\s+)?(?=\d)", re.IGNORECASE), r"\1*"),
    (re.compile(rf"\b(?:add|sum of)\s+{_NUMBER}\s+(?:and|to)\s+{_NUMBER}", re.IGNORECASE), r"\1 + \2"),
    (re.compile(rf"\b(?:subtract|take)\s+{_NUMBER}\s+(?:away\s+)?from\s+{_NUMBER}", re.IGNORECASE), r"\2 - \1"),
    (re.compile(rf"\bdifference (?:between|of) {_NUMBER} and {_NUMBER}", re.IGNORECASE), r"\1 - \2"),
    (re.compile(rf"\b(?:multiply|product of)\s+{_NUMBER}\s+(?:by|and|with)\s+{_NUMBER}", re.IGNORECASE), r"\1 * \2"),
    (re.compile(rf"\bdivide\s+{_NUMBER}\s+by\s+{_NUMBER}", re.IGNORECASE), r"(\1) / (\2)"),
)
# "32 candles, and 5/8 of them are lit": of which number is guessed by trying all.
_OF_THEM = re.compile(rf"{_PART_OF}(?!(?:the\s+)?\d)", re.IGNORECASE)
_WHOLE = re.compile(r"(?<![\d/.])\d+(?![\d/]|\.\d)")


def calculations_in(text: str) -> list[str]:
    """Return the expressions of a text; for "32 candles, and 5/8 of them" each product that may be meant."""
    text = _with_digits(normalize_answer(text))
    for pattern, signs in _IN_SIGNS:
        text = pattern.sub(signs, text)
    meant = [f"{part[1]}*{number}" for part in _OF_THEM.finditer(text) for number in _WHOLE.findall(text)]
    return [*expressions_in(text), *meant]


def _with_digits(text: str) -> str:
    """Return a normalized text with its number words as digits."""
    for start, span in reversed(located_number_spans(text)):
        if re.search("[a-z]", span, re.IGNORECASE) and (said := numbers_in(span)):
            text = f"{text[:start]}{said[0]}{text[start + len(span) :]}"
    return text
