"""Figures of a question: how hard it is, and how well it tells learners apart."""

from statistics import correlation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutoring.mastery.item_statistics import FEWEST_ANSWERS, LearnerCount, discrimination, success_share


def learner(right, asked, rest):
    """Return a learner with so many right of these answers, and this rest score in percent."""
    return LearnerCount(asked=asked, right=right, rest_asked=100, rest_right=rest)


def answers_of(counts):
    """Return each answer by itself, and the rest score of its learner."""
    marks = [(mark, each.rest_score) for each in counts for mark in [1] * each.right + [0] * (each.asked - each.right)]
    return [mark for mark, _score in marks], [score for _mark, score in marks]


def test_those_who_know_more_answer_a_good_question_better():
    good = [learner(4, 4, 90), learner(4, 4, 80), learner(3, 4, 70), learner(1, 4, 30), learner(0, 4, 20)]
    assert discrimination(good) == pytest.approx(correlation(*answers_of(good)))
    assert discrimination(good) > 0.7
    broken = [learner(each.asked - each.right, each.asked, each.rest_right) for each in good]
    assert discrimination(broken) == pytest.approx(-discrimination(good))


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 100)), min_size=6, max_size=20))
def test_it_is_the_correlation_of_the_single_answers(drawn):
    counts = [learner(right, right + wrong, rest) for right, wrong, rest in drawn if right + wrong]
    found = discrimination(counts)
    if found is not None:
        assert found == pytest.approx(correlation(*answers_of(counts)), abs=1e-9)
        assert -1 - 1e-9 <= found <= 1 + 1e-9


@pytest.mark.parametrize(
    "counts",
    [
        [learner(1, 3, rest) for rest in (10, 20, 30, 40, 50, 60)],  # Fewer answers than needed.
        [learner(5, 10, rest) for rest in (10, 20, 30, 40)],  # Fewer learners than needed.
        [learner(4, 4, rest) for rest in (10, 20, 30, 40, 50)],  # Everybody was right.
        [learner(2, 4, 50)] * 5,  # Everybody knows as much.
        [LearnerCount(asked=9, right=3, rest_asked=0, rest_right=0)] * 9,  # Nobody answered anything else.
    ],
)
def test_it_is_unknown_where_it_would_be_chance(counts):
    assert discrimination(counts) is None


def test_share_is_of_all_answers():
    assert success_share([learner(1, 3, 50), learner(1, 1, 50)]) == 0.5
    assert success_share([]) is None
    assert FEWEST_ANSWERS > 10
