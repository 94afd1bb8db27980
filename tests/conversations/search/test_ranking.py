"""Several rankings made one, and the words that are worth weighing."""

from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.search.keywords import content_terms, rarest_phrases
from conversations.search.ranking import fuse_rankings


def test_who_is_high_in_both_comes_first():
    assert fuse_rankings([["a", "b", "c"], ["d", "b", "e"]])[0][0] == "b"


def test_first_everywhere_is_one():
    assert fuse_rankings([["a"], ["a"]]) == [("a", 1.0)]
    assert fuse_rankings([["a"], []]) == [("a", 0.5)]
    assert fuse_rankings([]) == []


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.integers(0, 9), unique=True), max_size=3))
def test_nothing_is_lost_and_scores_are_shares(rankings):
    ranked = fuse_rankings(rankings)
    assert {thing for thing, _score in ranked} == {thing for ranking in rankings for thing in ranking}
    scores = [score for _thing, score in ranked]
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1.000001 for score in scores)


def test_common_words_are_left_out_where_there_are_rare_ones():
    assert rarest_phrases([("function", 30_000), ("lambda", 10), ("loop", 9_000)]) == ["lambda", "loop"]
    assert rarest_phrases([("function", 30_000)]) == ["function"]


def test_what_only_asks_is_looked_for_only_alone():
    assert [term.text for term in content_terms("What is a half?")] == ["half?"]
    assert [term.text for term in content_terms("to be")] == ["to", "be"]
    assert [term.text for term in content_terms("what -half")] == ["what", "half"]
