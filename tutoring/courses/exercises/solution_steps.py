"""Finds the calculation of a solution that has a given result: 56 in "4 × 14 = 56, 56 − 45 = 11"."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from tutoring.grading import numbers_in

_NUMBER: Final = r"[-−–]?\d+(?:[.,]\d+|/\d+)?"
# "3 × 8 = 24"; not the middle of a chain, "12 + 8 = 20 = …".
_CALCULATION: Final = re.compile(
    rf"(?<![\w=/.])(?<!= )\(?{_NUMBER}\)?(?:\s*[-−–+×·*:÷/]\s*\(?{_NUMBER}\)?)+\s=\s(?P<result>{_NUMBER})(?![\w/]|[.,]\d|\s*[-−–+×·*:÷/=])"
)
_CHECK: Final = re.compile(r"\bcheck\b", re.IGNORECASE)


def step_with_result(value: Fraction, *, solution: Sequence[str], question: str, answer: str) -> str:
    """Return the calculation of a solution that has this result, "4 × 14 = 56"; empty for none.

    The answer itself and the numbers of the question are no results on the way. `solution` is Markdown, line by line.
    """
    if value in numbers_in(answer) or value in numbers_in(question):
        return ""
    for line in solution:
        for found in _CALCULATION.finditer(_CHECK.split(line)[0]):
            if value in numbers_in(found["result"]):
                return found[0]
    return ""
