"""The panel's scores are computed from counts; what is not known is None."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.panel import scores

SHARE = st.floats(0, 1)


def test_methods_that_agree_are_surer_than_each_of_them() -> None:
    both = scores.agreement(["term", "focus"])
    assert both is not None
    assert both > max(scores.RELIABILITY["term"], scores.RELIABILITY["focus"])
    assert scores.agreement(["term", "term"]) == scores.RELIABILITY["term"]
    assert scores.agreement([]) is None


@pytest.mark.parametrize(
    ("mentions", "most", "in_focus", "expected"), [(2, 2, True, 1.0), (1, 2, True, 0.5), (1, 2, False, 0.25)]
)
def test_importance(mentions: int, most: int, in_focus: bool, expected: float) -> None:
    assert scores.importance(mentions, most=most, in_focus=in_focus) == expected


@pytest.mark.parametrize(
    ("together", "one", "other", "expected"), [(1, 1, 1, 1.0), (1, 2, 2, 0.333), (0, 2, 1, 0.0), (0, 0, 0, None)]
)
def test_link_strength(together: int, one: int, other: int, expected: float | None) -> None:
    assert scores.link_strength(together, one=one, other=other) == expected


def test_fact_of_an_unrated_source_has_no_confidence() -> None:
    assert scores.fact_confidence(None) is None
    assert scores.fact_confidence(0.7) == 0.7
    assert scores.fact_confidence(0.7, agreeing=[0.6, None]) == 0.88


@given(st.lists(st.tuples(SHARE, SHARE), min_size=1))
def test_weighted_mean_lies_between_its_values(pairs: list[tuple[float, float]]) -> None:
    found = scores.weighted_mean(pairs)
    known = [value for value, weight in pairs if weight]
    if not known:
        assert found is None
    else:
        assert found is not None
        assert min(known) - 0.001 <= found <= max(known) + 0.001


def test_unknown_values_do_not_count() -> None:
    assert scores.weighted_mean([(None, 1.0), (0.5, 1.0)]) == 0.5
    assert scores.weighted_mean([(None, 1.0)]) is None
    assert scores.coverage(0, of=0) is None
