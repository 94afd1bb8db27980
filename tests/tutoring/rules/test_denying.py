"""What a learner denies, doubts or takes back is not said; what only sounds like it is."""

import pytest

from tutoring.rules.denying import held, is_only_taking_back
from tutoring.rules.own_words import own_claims


@pytest.mark.parametrize(
    "text",
    [
        "i dont think the two parts must be equal",
        "why should the pieces be the same size",
        "the parts are the same size, that cant be right",
        "supposedly they must be equal",
        "looking at the size does not help at all",
        "you keep telling me the parts must be equal",
        "no way it gets smaller when more people share it",
    ],
)
def test_what_is_denied_is_not_said(text):
    assert not held(text).strip(" ,")


@pytest.mark.parametrize(
    "text",
    [
        "i dont think you can add them if they are not the same size",
        "counting big ones and different ones in one go tells you nothing",
        "the size stays the same",
        "if one is bigger then thats wrong",
    ],
)
def test_what_only_sounds_denied_is_said(text):
    assert held(text) == text


def test_what_follows_a_denial_is_said():
    assert held("i dont think two is enough, they have to be equal").strip(" ,") == "they have to be equal"


def test_sentence_is_taken_back_by_the_next():
    assert is_only_taking_back("thats rubbish")
    assert own_claims("both parts must be the same size. thats rubbish", told=()) == ""


def test_saying_a_sentence_again_in_other_words_is_no_claim_of_ones_own():
    told = ("Every piece gets smaller when more people share the same cake.",)
    assert own_claims("each slice becomes smaller if more people share the same cake", told=told) == ""
    assert own_claims("with nine kids i only get a crumb and with two i get a big slice", told=told)
