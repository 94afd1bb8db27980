"""The picture of an answer, with the numbers of the question."""

import re
from typing import Final

from tutoring.courses.catalogue import Answer
from tutoring.courses.instances import Instance
from tutoring.courses.pictures import Picture
from tutoring.rules.claims import plain
from tutoring.rules.figures import FRACTION, Written, in_digits, number_in
from tutoring.rules.worked_sums import bars_of

MOST_PARTS: Final = 12
"""Narrower parts are not told apart at a glance."""
_FRACTION = re.compile(FRACTION)


def picture_of(answer: Answer, question: str, *, beside: Instance | None = None) -> Picture | None:
    """Return an answer's picture; of one that fits any two fractions, with the two that the question names.

    Two that the exercise `beside` it is about are left to the learner: bars would answer it.
    """
    asked = _proper_fractions(question)
    if not answer.draws_asked or len(asked) != 2 or (beside and set(asked) <= set(_proper_fractions(_text(beside)))):
        return answer.picture
    return bars_of(*asked)


def _proper_fractions(text: str) -> tuple[Written, ...]:
    """Return the fractions up to 1 that a text names and that can be drawn, each once."""
    found = (number_in(match.group()) for match in _FRACTION.finditer(in_digits(plain(text))))
    return tuple(dict.fromkeys(each for each in found if not each.whole and 0 < each.top <= each.bottom <= MOST_PARTS))


def _text(exercise: Instance) -> str:
    return " ".join((exercise.stem, *(choice.text for choice in exercise.choices)))
