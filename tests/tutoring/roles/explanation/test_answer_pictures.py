"""The picture of an answer shows the fractions that were asked about."""

from dataclasses import replace

import pytest

from tests.tutoring.lessons.lesson_player import fractions
from tutoring.courses.exercises.generator import make_exercise
from tutoring.roles.explanation.answer_pictures import answer_picture

COURSE = fractions().course
ANSWER = next(each for each in COURSE.concept("compare-unit-fractions").answers if each.draws_asked)


@pytest.mark.parametrize(
    ("question", "shown"),
    [
        (
            "Can you explain why 1/3 is bigger than 1/4?",
            "Bar 1: 3 equal parts, 1 shaded. Bar 2: 4 equal parts, 1 shaded.",
        ),
        ("why is a fifth more than two twelfths", "Bar 1: 5 equal parts, 1 shaded. Bar 2: 12 equal parts, 2 shaded."),
        ("why is 1/3 less than 1/3?", "Bar 1: 4 equal parts, 1 shaded"),
        ("why is 1/100 less than 1/10?", "Bar 1: 4 equal parts, 1 shaded"),
        ("why is 7/3 more than 1/4?", "Bar 1: 4 equal parts, 1 shaded"),
        ("why is 1/0 more than 0/4?", "Bar 1: 4 equal parts, 1 shaded"),
        ("why are 1/3 and 1/4 less than 1/2?", "Bar 1: 4 equal parts, 1 shaded"),
        ("why does a bigger bottom number give smaller parts?", "Bar 1: 4 equal parts, 1 shaded"),
    ],
)
def test_two_fractions_of_the_question_are_drawn(question: str, shown: str) -> None:
    picture = answer_picture(ANSWER, question)
    assert picture is not None
    assert shown in picture.alt


def test_an_answer_about_numbers_of_its_own_keeps_its_picture() -> None:
    assert answer_picture(replace(ANSWER, draws_asked=False), "why is 1/3 bigger than 1/4?") == ANSWER.picture


def test_what_the_open_question_is_about_is_not_drawn() -> None:
    template = COURSE.concept("compare-unit-fractions").templates[0]
    exercise = replace(make_exercise(template, seed=1, course=COURSE), stem="Which is more, 1/3 or 1/4?")
    assert answer_picture(ANSWER, "why is a third bigger than 1/4?", beside=exercise) == ANSWER.picture
    assert answer_picture(ANSWER, "why is 1/3 bigger than 1/5?", beside=exercise) != ANSWER.picture
