"""Texts that answer an imported question letter by letter, up to case, spacing and quotation marks."""

import re

import pytest

from tutoring.course_imports.exercises import exercise_entry
from tutoring.course_imports.questions import ImportedQuestion


def is_accepted(answer: str, *accepted: str) -> bool:
    question = ImportedQuestion(name="a", kind="text", stem="What is it?", accepted=accepted)
    (idea,) = exercise_entry(question, exercise="one", concept="sums")["answer"]["ideas"]
    return any(re.search(pattern, answer, re.IGNORECASE) for pattern in idea["any"])


@pytest.mark.parametrize(
    ("answer", "key", "right"),
    [
        ("pi/3", "pi/3", True),
        ("PI / 3", "pi/3", True),
        ("-pi/3", "pi/3", False),
        ("-5, 1", "5, 1", False),
        ("(2, -1)", "(2,-1)", True),
        ("(2,1)", "(2,-1)", False),
        ("“warm air”.", "warm air", True),
        ("warmair", "warm air", False),
        ("sin-1(ln t)", r"sin\*-1(ln t)", False),
        ("sin * -1(ln t)", r"sin\*-1(ln t)", True),
        ("hot air", "hot*", True),
    ],
)
def test_an_exact_text_is_accepted_with_other_spacing_and_never_with_another_sign(
    answer: str, key: str, *, right: bool
) -> None:
    assert is_accepted(answer, key) is right
