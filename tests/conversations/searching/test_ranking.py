"""Several rankings made one, and the words that are worth weighing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.searching.keywords import rarest, terms_of
from conversations.searching.ranking import fused


def test_who_is_high_in_both_comes_first():
    assert fused([["a", "b", "c"], ["d", "b", "e"]])[0][0] == "b"


def test_first_everywhere_is_one():
    assert fused([["a"], ["a"]]) == [("a", 1.0)]
    assert fused([["a"], []]) == [("a", 0.5)]
    assert fused([]) == []


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), unique=True), max_size=3))
def test_nothing_is_lost_and_scores_are_shares(rankings):
    ranked = fused(rankings)
    assert {thing for thing, _score in ranked} == {thing for ranking in rankings for thing in ranking}
    scores = [score for _thing, score in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1.000001 for score in scores)


def test_common_words_are_left_out_where_there_are_rare_ones():
    assert rarest([("function", 30_000), ("lambda", 10), ("loop", 9_000)]) == ["lambda", "loop"]
    assert rarest([("function", 30_000)]) == ["function"]


def test_what_only_asks_is_looked_for_only_alone():
    assert [term.text for term in terms_of("What is a half?")] == ["half?"]
    assert [term.text for term in terms_of("to be")] == ["to", "be"]
    assert [term.text for term in terms_of("what -half")] == ["what", "half"]
