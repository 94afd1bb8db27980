"""Commands: what a message wants in certain words, and words that only look like it."""

import pytest

from tutoring.understanding.parsing.commands import commands_in


@pytest.mark.parametrize(
    "words", ["next", "ok next one", "can we do the next one", "skip this", "next please", "move on"]
)
def test_words_that_leave_a_step(words: str) -> None:
    assert "leave_step" in commands_in(words)


@pytest.mark.parametrize(
    "words", ["my stop is next", "what should i do next time", "the one next to it", "let's go on"]
)
def test_words_that_leave_no_step(words: str) -> None:
    assert "leave_step" not in commands_in(words)


@pytest.mark.parametrize(("words", "looks"), [("look at my picture", True), ("i can't see the picture well", False)])
def test_who_cannot_see_the_picture_asks_for_no_look_at_a_drawing(words: str, looks: bool) -> None:
    assert ("look" in commands_in(words)) is looks
