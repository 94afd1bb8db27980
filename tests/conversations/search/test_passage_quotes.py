"""Sentences that answer a question: quoted as they stand, and none where nothing is about it."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.search.passage_quotes import (
    QuoteCandidate,
    compared_things,
    content_words,
    find_quotes_for,
    sentence_spans,
)

LISTS = (
    "A list is an ordered collection of items. Lists are written in square brackets. "
    "Unlike lists, dictionaries keep pairs: a value is found by its key and not by its place."
)
WEATHER = "It rained all day. Nobody went out."


def quoted(question: str, *candidates: QuoteCandidate) -> list[str]:
    return [candidates[each.candidate].text[each.start : each.end] for each in find_quotes_for(question, candidates)]


def test_sentence_that_holds_what_was_asked_is_quoted_whole() -> None:
    question = "How do dictionaries differ from lists?"
    (said,) = quoted(question, QuoteCandidate(text=LISTS, likeness=0.75), QuoteCandidate(text=WEATHER, likeness=0.45))
    assert said == "Unlike lists, dictionaries keep pairs: a value is found by its key and not by its place."


def test_nothing_is_quoted_that_is_about_something_else() -> None:
    assert quoted("Why is the sea salty?", QuoteCandidate(text=LISTS, likeness=0.5)) == []
    assert quoted("What is a dictionary key?", QuoteCandidate(text=WEATHER, likeness=0.9)) == []


def test_without_a_sentence_model_more_words_must_be_there() -> None:
    assert quoted("How do dictionaries differ from lists?", QuoteCandidate(text=LISTS)) != []
    assert quoted("How do dictionaries handle concurrent weather updates?", QuoteCandidate(text=LISTS)) == []


@pytest.mark.parametrize(
    ("question", "sides"),
    [
        ("how do dictionaries differ from lists?", ("dictionaries", "lists")),
        ("What is the difference between a class and an object?", ("a class", "an object")),
        ("lists vs tuples", ("lists", "tuples")),
        ("compare while loops with for loops", ("while loops", "for loops")),
        ("what is a list?", None),
    ],
)
def test_things_to_be_compared_are_named(question: str, sides: tuple[str, str] | None) -> None:
    assert compared_things(question) == sides


def test_what_a_thing_is_comes_before_what_it_does() -> None:
    first = QuoteCandidate(text="When a list stands in a list, it is a nested list. The list grows.", likeness=0.8)
    second = QuoteCandidate(text="Write a list. A list is an ordered collection of objects.", likeness=0.75)
    assert quoted("What is a list?", first, second) == ["A list is an ordered collection of objects."]


@pytest.mark.parametrize(
    "text", ["Baking bread", "Write a program that bakes bread.", "(An image of bread being baked.)", "Bread now."]
)
def test_titles_tasks_and_captions_say_nothing(text: str) -> None:
    assert quoted("How do I bake bread?", QuoteCandidate(text=text, likeness=0.9)) == []


def test_question_of_no_matter_finds_nothing() -> None:
    assert content_words("What do you mean by that?") == frozenset()
    assert quoted("What do you mean by that?", QuoteCandidate(text=LISTS, likeness=0.9)) == []


def test_heading_counts_for_what_stands_under_it() -> None:
    candidate = QuoteCandidate(
        text="It has no order. A key leads to each value.", heading="Dictionaries", likeness=0.68
    )
    assert quoted("What does a dictionary key do?", candidate) == ["A key leads to each value."]


@given(st.text(max_size=600))
def test_sentences_are_pieces_of_the_text_in_order(text: str) -> None:
    spans = sentence_spans(text)
    assert "".join("".join(text[a:b].split()) for a, b in spans) == "".join(text.split())
    assert all(one[1] <= other[0] for one, other in pairwise(spans))


@given(st.text(max_size=80), st.lists(st.text(max_size=200), max_size=5))
def test_quotes_are_places_in_what_was_found(question: str, texts: list[str]) -> None:
    for each in find_quotes_for(question, [QuoteCandidate(text=text, likeness=0.8) for text in texts]):
        assert texts[each.candidate][each.start : each.end].strip()
