"""The tutor's phrases where there is no page."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tutoring.pages.cards.page_words import without_page_words
from tutoring.roles.wording import phrases


def strings_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from strings_in(each)
    elif isinstance(value, list | tuple | set | frozenset):
        for each in value:
            yield from strings_in(each)


PHRASES = sorted({text for name, value in vars(phrases).items() if name.isupper() for text in strings_in(value)})


def test_no_phrase_of_the_tutor_speaks_of_the_card_or_of_pressing() -> None:
    said = {phrase: without_page_words(phrase) for phrase in PHRASES}
    assert [phrase for phrase in PHRASES if "the card" in phrase], "there is nothing to rewrite"
    assert {phrase: words for phrase, words in said.items() if re.search(r"\b(?:the card|[Pp]ress)\b", words)} == {}


def test_every_rewritten_phrase_is_still_sentences() -> None:
    for phrase in PHRASES:
        words = without_page_words(phrase).strip()
        assert words == "" or ((words[0].isupper() or words[0] in "“{") and words[-1] in ".?”}…:*"), (phrase, words)


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("There is a new hint on the card.", ""),
        ("I can’t tell which answer you mean. Could you choose it on the card?", "I can’t tell which answer you mean. Could you choose it?"),
        ("Not quite. I added a hint to the card. Read it, then try again.", "Not quite. Listen to the hint, then try again."),
        ("Deal the cards, five for each.", "Deal the cards, five for each."),
    ],
)  # fmt: skip
def test_phrase_says_what_holds_without_a_page(phrase: str, said: str) -> None:
    assert without_page_words(phrase) == said
