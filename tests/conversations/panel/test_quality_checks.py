"""Machine checks of an answer, and whether a passage says what a statement says."""

import pytest

from conversations.panel.quality_checks import agreeing_facts, check_answer, is_supported
from conversations.panel.results import QuotedFact, ResearchResult

PASSAGE = "The Transformer was introduced in 2017. It uses no recurrence, only attention."


def fact(statement: str, source: str = "a") -> QuotedFact:
    return QuotedFact(statement=statement, source_id=source)


@pytest.mark.parametrize(
    ("statement", "supported"),
    [
        ("The transformer was introduced in 2017.", True),
        ("The transformer was introduced in 2015.", False),
        ("Bananas were introduced in 2017.", False),
        ("The transformer does not use recurrence, only attention.", True),
        ("…", False),
    ],
)
def test_statement_needs_its_words_and_numbers_in_the_passage(statement: str, supported: bool) -> None:
    assert is_supported(statement, PASSAGE) is supported


def test_denial_needs_a_denial() -> None:
    assert not is_supported("Attention is not used in a transformer.", "A transformer uses attention.")


def test_good_answer_passes_all_checks() -> None:
    research = ResearchResult(facts=(fact(PASSAGE),))
    assert all(check_answer("It uses attention [1].", question="What is attention?", research=research).values())


@pytest.mark.parametrize(
    ("answer", "check"),
    [
        ("", "says_something"),
        ("Attention [2].", "cites_only_what_was_found"),
        ("Attention.", "cites_every_fact"),
        ("Attention [1]. Attention [1].", "says_nothing_twice"),
        ("attention " * 300 + "[1]", "is_short"),
        ("Bananas [1].", "is_about_the_question"),
    ],
)
def test_each_check_can_fail(answer: str, check: str) -> None:
    research = ResearchResult(facts=(fact(PASSAGE),))
    assert check_answer(answer, question="What is attention?", research=research)[check] is False


def test_sources_agree_if_they_share_terms_and_contradict_no_number() -> None:
    said = fact("The Transformer was introduced in 2017.")
    same, other_year = (
        fact("In 2017 the Transformer was introduced.", "b"),
        fact("The Transformer was introduced in 2018.", "c"),
    )
    own, denied = (
        fact("The Transformer was introduced in 2017."),
        fact("The Transformer was not introduced in 2017.", "d"),
    )
    assert agreeing_facts(said, [same, other_year, own, denied]) == [same]
