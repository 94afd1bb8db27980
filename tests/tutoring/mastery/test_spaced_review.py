"""When a mastered concept comes back."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tutoring.mastery import spaced_review
from tutoring.mastery.spaced_review import ReviewResult, rate_review

AT = datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
DAY = timedelta(days=1)


def card(stability: float) -> spaced_review.Card:
    return {**spaced_review.first_card(AT), "stability": stability}


def test_intervals_are_those_of_the_paper_run():
    """Good, Good, Good, Again, Good, each when it is due."""
    at, held = AT, spaced_review.first_card(AT)
    days = [(spaced_review.due_at(held) - at).days]
    for rated in ("good", "good", "again", "good"):
        at = spaced_review.due_at(held)
        held = spaced_review.card_after_review(held, rated, at=at)
        days.append((spaced_review.due_at(held) - at).days)
    assert days == [2, 11, 46, 3, 8]
    # Thirty days late, that is, after it fell due.
    assert spaced_review.recall(held, at + 38 * DAY) == pytest.approx(0.76, abs=0.005)


def test_recall_is_whole_at_the_look_and_before_it_and_ninety_percent_after_the_stability():
    assert spaced_review.recall(card(7.0), AT) == 1.0
    assert spaced_review.recall(card(7.0), AT - 400 * DAY) == 1.0
    assert spaced_review.recall(card(7.0), AT + 7 * DAY) == pytest.approx(0.9)


@settings(max_examples=40)
@given(low=st.floats(0.001, 4000), more=st.floats(0, 4000), goals=st.integers(0, 4))
def test_what_is_held_better_is_never_due_earlier(low: float, more: float, goals: int):
    desired = spaced_review.desired_retention(goals)
    early, late = spaced_review.due_at(card(low), desired), spaced_review.due_at(card(low + more), desired)
    assert AT + DAY <= early <= late
    assert spaced_review.recall(card(low), AT + 9 * DAY) <= spaced_review.recall(card(low + more), AT + 9 * DAY)


@settings(max_examples=40)
@given(
    ratings=st.lists(st.sampled_from(["again", "hard", "good", "easy"]), max_size=8),
    steps=st.lists(st.floats(-30, 90), min_size=8, max_size=8),
)
def test_no_clock_leaves_a_card_without_a_day(ratings, steps):
    """A clock may be set back between looks: there is always a next day, and recall stays a chance."""
    at, held = AT, spaced_review.first_card(AT)
    for rated, step in zip(ratings, steps, strict=False):
        at += step * DAY
        held = spaced_review.card_after_review(held, rated, at=at)
        assert held["last_review"] == at.isoformat()
        assert spaced_review.due_at(held) >= at + DAY
        assert 0 < spaced_review.recall(held, at + 40 * DAY) < 1


@pytest.mark.parametrize(
    ("look", "rated"),
    [
        (ReviewResult(right=True, tries=1, hints=0), "good"),
        (ReviewResult(right=True, tries=1, hints=0, seconds=5, usual_s=20, offset=-0.1), "easy"),
        (ReviewResult(right=True, tries=1, hints=0, seconds=5, usual_s=20, offset=0.3), "good"),
        (ReviewResult(right=True, tries=1, hints=0, seconds=5, usual_s=None, offset=-1), "good"),
        (ReviewResult(right=True, tries=1, hints=0, seconds=41, usual_s=20, offset=-1), "hard"),
        (ReviewResult(right=True, tries=1, hints=0, seconds=40, usual_s=20), "good"),
        (ReviewResult(right=True, tries=1, hints=0, seconds=9000, usual_s=20), "good"),
        (ReviewResult(right=True, tries=2, hints=1), "hard"),
        (ReviewResult(right=True, tries=2, hints=0), "hard"),
        (ReviewResult(right=True, tries=2, hints=0, ruled_out=True), "again"),
        (ReviewResult(right=True, tries=5, hints=5), "again"),
        (ReviewResult(right=False, tries=1, hints=0), "again"),
    ],
)
def test_rating_says_how_well_it_was_still_known(look: ReviewResult, rated: str):
    assert rate_review(look) == rated


def test_effective_mastery_is_what_was_known_and_is_recalled():
    assert spaced_review.effective_probability(0.95, 0.8) == pytest.approx(0.76)
    assert [spaced_review.desired_retention(goals) for goals in (0, 1, 2, 5)] == [0.9, 0.9, 0.95, 0.95]
