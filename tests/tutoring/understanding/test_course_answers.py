"""Questions about the subject are answered by the nearest wording of the course, in words that it does not have."""

import pytest

from tests.tutoring.understanding.contexts import course, lesson
from tutoring.understanding.analysis import analyse
from tutoring.understanding.course_answers import find_nearest_answer


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("could zero be a fraction too?", "0/4"),
        ("what does striped mean here?", "marked with stripes"),
        ("are negative fractions a thing?", "negative"),
        ("am I allowed to use a calculator?", "good for checking"),
        ("why should I learn fractions at all?", "half an hour"),
    ],
)
def test_it_is_answered_from_the_course(text: str, told: str) -> None:
    found = find_nearest_answer(text, course=course())
    assert found is not None
    concept, place, _likeness = found
    assert told in course().concept(concept).answers[place].says


@pytest.mark.parametrize("text", ["", "?", "what do you mean", "give me a hint", "the left one", "why?", "word " * 30])
def test_other_messages_ask_none_of_them(text: str) -> None:
    asks = analyse(text, lesson("one-half")).asks
    assert asks is None or not asks.likeness


def test_a_wording_of_the_course_counts_before_a_pattern() -> None:
    asks = analyse("can the bottom be zero?", lesson("add-like")).asks
    assert asks is not None
    assert asks.answer is not None
    assert "never be zero" in course().concept(asks.topic).answers[asks.answer].says
