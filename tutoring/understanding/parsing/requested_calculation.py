"""Finds the calculation or comparison that a message asks for, as an expression: "1/2 + 1/3", "1/4 ? 1/8"."""

import re

from agents.tools.calculation_finder import find_calculation
from tutoring.grading.parsing.number_finder import numbers_in
from tutoring.output_checks.own_calculation import appears_in, is_own_calculation
from tutoring.output_checks.stated_calculations import calculations_in
from tutoring.understanding.context import Context

# "which is bigger 1/4 or 1/8", "is 1/4 more than 1/8"; 24 characters between the words, chosen by hand.
_ASKS_WHICH = re.compile(
    r"\b(?:which|what)\b.{0,24}\b(?:bigger|larger|more|greater|smaller|less|fewer|longer|shorter)\b"
    r"|\bis\b.{1,24}\b(?:bigger|larger|more|greater|smaller|less|the same|equal)\b",
    re.IGNORECASE,
)
# "3/4 of 12" is a product. A "/" counts only where it is not the bar of a fraction, see `_joins`.
_SIGN = re.compile(r"[-+*/×÷·]|\bof\b")


def find_requested_calculation(text: str) -> str:
    """Return the calculation that a message asks for; empty for none. A fraction alone is no calculation."""
    found, alone = [each for each in calculations_in(text) if _joins(each)], find_calculation(text) or ""
    if found:
        return alone if _unspaced(found[0]) in _unspaced(alone) else found[0]  # A function may be around it.
    numbers = tuple(dict.fromkeys(numbers_in(text)))
    if _ASKS_WHICH.search(text) and len(numbers) == 2:
        return f"{numbers[0]} ? {numbers[1]}"
    return alone if alone and _joins(alone) else ""


def is_open_calculation(wanted: str, context: Context) -> bool:
    """Tell whether a calculation is the one that the open prompt asks for."""
    waiting = context.prompts[0] if context.prompts and context.waits else None
    if waiting is None:
        return False
    if waiting.key is not None:
        return is_own_calculation(wanted, stem=waiting.text, key=waiting.key)
    return appears_in(wanted, waiting.text)


def _unspaced(text: str) -> str:
    return "".join(text.split())


def _joins(expression: str) -> bool:
    """Tell whether an expression joins numbers by an operation; a fraction counts as one number."""
    return bool(_SIGN.search(re.sub(r"\d+\s*/\s*\d+", "1", expression).strip().lstrip("-")))
