"""Choosing the next template."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutoring.mastery.template_selection import TemplateCandidate, choose_template


def candidate(template: str, predicted: float, *, answers: int = 0, information: float = 0.0) -> TemplateCandidate:
    return TemplateCandidate(template=template, predicted=predicted, answers=answers, information=information)


def test_practice_takes_the_desirably_difficult_one():
    bank = [candidate("a", 0.5), candidate("b", 0.78), candidate("c", 0.95)]
    assert choose_template(bank, recent=[], purpose="practice") == "b"


def test_practice_prefers_what_was_not_met_yet():
    bank = [candidate("a", 0.75, answers=2), candidate("b", 0.5)]
    assert choose_template(bank, recent=[], purpose="practice") == "b"


def test_a_quiz_takes_the_most_telling_one_in_range():
    bank = [
        candidate("a", 0.95, information=0.9),
        candidate("b", 0.6, information=0.3),
        candidate("c", 0.5, information=0.2),
    ]
    assert choose_template(bank, recent=[], purpose="quiz") == "b"


def test_a_quiz_takes_what_was_not_met_of_what_tells_about_as_much():
    bank = [
        candidate("met", 0.5, answers=1, information=0.4),
        candidate("new", 0.6, information=0.35),
        candidate("dull", 0.8, information=0.1),
    ]
    assert choose_template(bank, recent=[], purpose="quiz") == "new"


def test_out_of_range_the_nearest_is_taken():
    bank = [candidate("a", 0.97, information=0.3), candidate("b", 0.92, information=0.1)]
    assert choose_template(bank, recent=[], purpose="quiz") == "b"


def test_a_tiny_bank_repeats_what_was_asked_longest_ago():
    bank = [candidate("a", 0.75), candidate("b", 0.75)]
    assert choose_template(bank, recent=["a", "b"], purpose="practice") == "a"
    assert choose_template(bank[:1], recent=["a", "a"], purpose="quiz") == "a"


def test_an_empty_bank_is_an_error():
    with pytest.raises(ValueError, match="no template"):
        choose_template([], recent=[], purpose="quiz")


@given(
    predictions=st.lists(st.floats(0, 1), min_size=3, max_size=8),
    purposes=st.lists(st.sampled_from(["practice", "quiz"]), max_size=20),
)
def test_no_template_comes_twice_in_three(predictions: list[float], purposes: list[str]):
    bank = [candidate(str(number), predicted) for number, predicted in enumerate(predictions)]
    recent: list[str] = []
    for purpose in purposes:
        recent.append(choose_template(bank, recent=recent, purpose=purpose))
        assert len(set(recent[-3:])) == len(recent[-3:])


def test_a_review_takes_what_was_met_least_of_what_is_made_and_then_the_most_medium_one():
    bank = [
        TemplateCandidate(template="picked", answers=0, constructed=False),
        TemplateCandidate(template="often", answers=4),
        TemplateCandidate(template="hard", answers=1, offset=-0.9),
        TemplateCandidate(template="medium", answers=1, offset=0.2),
    ]
    assert choose_template(bank, recent=[], purpose="review") == "medium"
    assert choose_template(bank, recent=["medium"], purpose="review") == "hard"
    assert choose_template(bank[:1], recent=[], purpose="review") == "picked"
