"""A short answer that a case offers, told in a sentence."""

import pytest

from tutoring.understanding.analysis import analyse
from tutoring.understanding.context import Context, Prompt

CASE = Prompt(
    id="quotes",
    kind="contrast",
    text="What does print(hello) show?",
    options={"an error": True, "hello": False, "nothing": False},
)


@pytest.mark.parametrize(
    ("text", "value", "verdict"),
    [
        ("hello", "hello", "wrong"),
        ("it shows hello i think", "hello", "wrong"),
        ("it would be an error because nobody gave hello a value", "an error", "right"),
        ("then an error", "an error", "right"),
    ],
)
def test_an_offered_answer_is_picked_by_a_sentence(text: str, value: str, verdict: str) -> None:
    (given,) = analyse(text, Context(prompts=(CASE,))).answers
    assert (given.value, given.verdict) == (value, verdict)


@pytest.mark.parametrize("text", ["does it show hello?", "i said hello to my dog", "why an error"])
def test_other_words_pick_none(text: str) -> None:
    assert all(each.value not in CASE.options for each in analyse(text, Context(prompts=(CASE,))).answers)
