"""Quotes of a learner's words: lists stay, links and marks do not."""

import pytest

from tutoring.understanding.parsing.quoting import quote_words


@pytest.mark.parametrize(
    ("said", "quoted"),
    [
        ("what is the [3, 4] thing", "what is the [3, 4] thing"),
        ("look [here](http://a.example)", "look here(http://a.example)"),
        ("**bold** and `code`", "bold and code"),
    ],
)
def test_what_markdown_would_read_is_left_out(said: str, quoted: str) -> None:
    assert quote_words(said) == quoted
