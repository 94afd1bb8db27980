"""The picture of an answer, with the numbers of the question."""

import re
from typing import Final

from tutoring.courses.catalogue import CourseAnswer
from tutoring.courses.exercises.exercise import Exercise
from tutoring.courses.pictures import Picture
from tutoring.roles.explanation.worked_calculations import comparison_bars
from tutoring.understanding.parsing.assertions import plain_text
from tutoring.understanding.parsing.written_numbers import FRACTION, WrittenNumber, numbers_to_digits, parse_number

MOST_PARTS: Final = 12
"""More parts than this cannot be told apart at a glance."""
_FRACTION = re.compile(FRACTION)


def answer_picture(answer: CourseAnswer, question: str, *, beside: Exercise | None = None) -> Picture | None:
    """Return an answer's picture; if it fits any two fractions, drawn with the two that the question names.

    Two fractions that the exercise `beside` it is about are left to the learner: bars would give the answer away.
    """
    asked = _proper_fractions(question)
    if not answer.draws_asked or len(asked) != 2 or (beside and set(asked) <= set(_proper_fractions(_text(beside)))):
        return answer.picture
    return comparison_bars(*asked)


def _proper_fractions(text: str) -> tuple[WrittenNumber, ...]:
    """Return the fractions up to 1 that a text names and that can be drawn, each once."""
    found = (parse_number(match.group()) for match in _FRACTION.finditer(numbers_to_digits(plain_text(text))))
    return tuple(dict.fromkeys(each for each in found if not each.whole and 0 < each.top <= each.bottom <= MOST_PARTS))


def _text(exercise: Exercise) -> str:
    return " ".join((exercise.stem, *(choice.text for choice in exercise.choices)))
