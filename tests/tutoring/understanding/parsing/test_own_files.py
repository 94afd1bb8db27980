"""Requests for the learner's own files, and what they ask apart from naming them."""

import pytest

from tutoring.understanding.parsing.commands import commands_in
from tutoring.understanding.parsing.own_files import question_for_files


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("from my notes: what temperature?", "what temperature?"),
        ("OK, from my recipe, how much sugar do I need", "OK, how much sugar do I need"),
        ("what do my notes say about the oven?", "the oven?"),
        ("how long does it bake, from my notes", "how long does it bake"),
        ("search my documents for halves", "halves"),
        ("look in my class notes", ""),
        ("What does my recipe say", ""),
    ],
)
def test_request_is_found_and_its_question_is_what_is_left(text: str, question: str) -> None:
    assert "own_files" in commands_in(text.lower())
    assert question_for_files(text) == question


@pytest.mark.parametrize(
    "text",
    [
        "in my notes it says 1/2",
        "i left my notes at school",
        "can my teacher see my notes?",
        "delete my files",
        "what is a half?",
    ],
)
def test_other_words_about_files_are_no_request(text: str) -> None:
    assert "own_files" not in commands_in(text)
    assert question_for_files(text) == text
