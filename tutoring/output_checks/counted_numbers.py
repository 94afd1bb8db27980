"""Finds the numbers of a text, to compare a model's words with what code has counted."""

import re
from fractions import Fraction
from typing import Final

from tutoring.grading.parsing.number_finder import numbers_in

_DIGITS: Final = re.compile(r"\d{1,9}")


def numbers_in_text(text: str) -> frozenset[Fraction]:
    """Return the numbers of a text, in digits or in words, each part of "3 of 4" separately too."""
    return frozenset((*numbers_in(text), *(Fraction(found) for found in _DIGITS.findall(text))))
