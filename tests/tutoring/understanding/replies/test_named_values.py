"""Values with names in a message, to a card that asks for them."""

from dataclasses import replace

import pytest

from tests.tutoring.halves_course import CHOICE
from tutoring.grading import SetKey
from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, Prompt

STEM = "What are the mean and the median of 5, 6, 7, 8 and 29? Write both numbers."
EXERCISE = replace(
    CHOICE, kind="set", stem=STEM, key=SetKey(values=("11", "7"), names=("mean", "median")), choices=(), wrong={}
)
CARD = Prompt(id="q1", kind="question", text=STEM, instance=EXERCISE)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("mean 11, median 7", "right"),
        ("the median is 7 and the mean is 11", "right"),
        ("i think the mean is 11 and the median is 7", "right"),
        ("mean is 55/5=11, median 7 coz its in the middle", "right"),
        ("11, 7", "right"),
        ("11 and 7", "right"),
        ("7 and 11", "wrong"),
        ("mean 7, median 11", "wrong"),
        ("mean: 11", "wrong"),
    ],
)
def test_a_message_with_the_values_answers_the_card(text: str, verdict: str) -> None:
    (given,) = analyse(text, Context(prompts=(CARD,))).answers
    assert (given.to, given.verdict) == ("q1", verdict)


@pytest.mark.parametrize(
    "text",
    ["why is the mean 11", "how do i find the median?", "i have to go in 5 minutes", "is the mean 11 because of 29?"],
)
def test_words_about_the_values_answer_nothing(text: str) -> None:
    assert analyse(text, Context(prompts=(CARD,))).answers == ()
