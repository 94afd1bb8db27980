"""Keyword routing: two words and a clear lead decide, and a word is worth what it tells one agent from the others."""

import pytest

from agents.routing.keywords import AgentWords, KeywordIndex

EXAMPLES = {
    "cook": ["cook the rice for lunch", "lunch with soup", "what is for lunch today", "bake a cake today", "rice and soup"],
    "guide": ["book the train to Rome", "a train to the sea today", "the hotel in Rome", "which train is it", "a map of Rome"],
    "none": ["what is it", "the sum of two", "is it the same today", "which one is it", "the map is a picture"],
}  # fmt: skip
WORDS: AgentWords = {
    "cook": {"lunch": 1, "soup": 1, "rice": 1, "bake*": 1, "for lunch": 2},
    "guide": {"train": 1, "hotel": 1, "rome": 1},
    "none": {"sum": 1, "picture": 1},
}


@pytest.fixture(scope="module")
def index() -> KeywordIndex:
    return KeywordIndex(WORDS, EXAMPLES)


def agent(index: KeywordIndex, text: str) -> str | None:
    decided = index.decide(text)
    return (decided.agent or "none") if decided else None


def test_two_words_and_a_clear_lead_decide(index: KeywordIndex) -> None:
    assert agent(index, "Soup, then RICE!") == "cook"
    assert agent(index, "the train to Rome") == "guide"
    assert agent(index, "a picture of the sum") == "none"


def test_one_word_decides_nothing(index: KeywordIndex) -> None:
    assert agent(index, "soup") is None
    assert agent(index, "soup soup soup") is None


def test_a_tie_decides_nothing(index: KeywordIndex) -> None:
    assert agent(index, "soup and rice on the train to Rome") is None


def test_the_longest_phrase_counts_once(index: KeywordIndex) -> None:
    decided = index.decide("soup for lunch")
    assert decided is not None
    assert decided.words == ("soup", "for lunch")


def test_an_asterisk_stands_for_any_ending_and_a_word_for_none(index: KeywordIndex) -> None:
    assert agent(index, "baked rice") == "cook"
    assert agent(index, "soups, rices") is None


def test_a_word_of_two_agents_counts_for_the_difference() -> None:
    tied = KeywordIndex({"cook": {"table": 1, "soup": 1}, "guide": {"table": 1}}, EXAMPLES)
    ahead = KeywordIndex({"cook": {"table": 3, "soup": 1}, "guide": {"table": 1}}, EXAMPLES)
    assert agent(tied, "soup on the table") is None
    assert agent(ahead, "soup on the table") == "cook"


def test_a_word_that_occurs_everywhere_counts_for_nothing() -> None:
    index = KeywordIndex({"cook": {"today": 1, "the": 5, "soup": 1, "is": 5}}, EXAMPLES)
    worth = {use.word: use.weight for use in index.uses}
    assert worth["soup"] == 1
    assert worth["the"] == worth["is"] == 0
    assert worth["today"] < 0.5
    (the,) = [use for use in index.uses if use.word == "the"]
    assert (the.own, the.others, the.other) == (1, 6, "guide")


def test_a_list_that_claims_everything_captures_nothing() -> None:
    """B: a keyword list that claims everything must not get all messages."""
    everything = {word: 5.0 for texts in EXAMPLES.values() for text in texts for word in text.lower().split()}
    index = KeywordIndex({**WORDS, "cook": everything}, EXAMPLES)
    wrong = [
        text for label, texts in EXAMPLES.items() if label != "cook" for text in texts if agent(index, text) == "cook"
    ]
    assert wrong == []
    assert agent(index, "the train to Rome") != "cook"


def test_a_list_that_still_claims_others_messages_is_not_used() -> None:
    """Rare words of others, two of which meet in each of their messages: no single one of them shows it."""
    examples = {"cook": ["soup rice"], "none": [f"odd{number} rare{number}" for number in range(4)]}
    rare = {f"{name}{number}": 5.0 for number in range(4) for name in ("odd", "rare")}
    index = KeywordIndex({"cook": {"soup": 1, "rice": 1} | rare}, examples)
    assert index.unused == ("cook",)
    assert agent(index, "soup rice") is None


@pytest.mark.parametrize("text", ["", "\ud800", "\x00", "soup " * 10_000, "🍕" * 500, "'", "’s"])
def test_any_text_has_an_answer(index: KeywordIndex, text: str) -> None:
    assert agent(index, text) in (None, "cook")


def test_confidence_is_the_share_of_examples_decided_right(index: KeywordIndex) -> None:
    decided = index.decide("soup and rice")
    assert decided is not None
    # Of the examples, "lunch with soup" and "rice and soup" and "cook the rice for lunch" are decided, all rightly.
    assert decided.confidence == pytest.approx(4 / 5)
