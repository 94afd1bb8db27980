"""Whether a sentence claims, asks, or answers."""

import pytest

from tutoring.understanding.parsing.assertions import is_asking, plain_text


@pytest.mark.parametrize(
    "reply",
    [
        "how big they are",
        "How big each piece is.",
        "how many equal pieces the bar has",
        "how many parts there are in all",
        "how many pieces make the whole",
        "how much you get",
        "which parts are bigger",
        "which piece has more",
        "what the knife did before anybody ate",
        "what size they are",
        "what number they share",
        "when the tops are the same the one with the smaller bottom wins",
        "when they match",
    ],
)
def test_a_noun_clause_replies_to_somebody_who_has_asked(reply: str):
    assert not is_asking(plain_text(reply), replying=True)


@pytest.mark.parametrize(
    "question",
    [
        "how big are they",
        "how big is the piece",
        "how many pieces are there",
        "how many parts does a half have",
        "how do i write it",
        "how can you tell",
        "how come",
        "how about the other one",
        "how to check it",
        "how big they are?",
        "which is bigger",
        "which one is right",
        "which number is the denominator",
        "which parts are bigger?",
        "what is a half",
        "what does equal mean",
        "what number goes on top",
        "what size are they",
        "what they are?",
        "when do we use it",
        "when is it a half",
        "why are they equal",
        "is it a half",
        "what",
        "when",
        "how",
    ],
)
def test_a_question_stays_one_even_to_somebody_who_has_asked(question: str):
    assert is_asking(plain_text(question), replying=True)


def test_without_anything_asked_a_noun_clause_asks():
    assert is_asking("how big they are")
    assert is_asking("which parts are bigger")


def test_a_clause_with_when_claims_whether_or_not_something_was_asked():
    assert not is_asking("when the bottom is bigger the fraction is bigger")
    assert is_asking("when is the bottom bigger")
