"""The test of differences: known values, people as units, and how often it names a difference that is none."""

import random
from collections.abc import Sequence
from math import inf, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agents.rollout.ratio_test import FEWEST_PEOPLE, MOST_CHANCE, RatioSums, chance_of

type People = Sequence[tuple[float, float]]


def sums(people: People) -> RatioSums:
    return RatioSums(
        people=len(people),
        value=sum(value for value, _of in people),
        of=sum(of for _value, of in people),
        value_squares=sum(value * value for value, _of in people),
        of_squares=sum(of * of for _value, of in people),
        products=sum(value * of for value, of in people),
    )


def one_each(hits: int, of: int) -> RatioSums:
    """A group of people with one turn each."""
    return sums([(1, 1)] * hits + [(0, 1)] * (of - hits))


def test_with_one_turn_a_person_it_is_the_two_proportion_test():
    """The unpooled z-test: 40 of 200 against 60 of 200 is z = 2.3187, p = 0.0204."""
    assert chance_of(one_each(40, 200), one_each(60, 200)) == pytest.approx(0.0204, abs=0.0002)


def test_a_mean_has_the_variance_of_a_mean():
    values = [3.0, 5.0, 8.0, 1.0]
    mean = sum(values) / 4
    deviation = sum((value - mean) ** 2 for value in values) / 3
    group = sums([(value, 1) for value in values])
    assert group.ratio == mean
    assert group.variance == pytest.approx(deviation / 4)


def test_many_turns_of_few_people_are_no_more_evidence_than_the_people():
    """Forty people with a hundred like turns each vary as forty people with one turn do."""
    once = sums([(number % 2, 1) for number in range(40)])
    often = sums([(100 * (number % 2), 100) for number in range(40)])
    assert often.variance == pytest.approx(once.variance)


def test_too_few_people_are_no_answer():
    few, enough = one_each(1, FEWEST_PEOPLE - 1), one_each(20, FEWEST_PEOPLE)
    assert chance_of(few, enough) is None
    assert chance_of(enough, few) is None
    assert chance_of(enough, enough) == 1


def test_nothing_has_no_ratio_and_no_certainty():
    assert RatioSums().ratio is None
    assert RatioSums().variance == inf
    assert chance_of(RatioSums(people=100), one_each(20, 100)) is None


def test_sides_without_any_spread_differ_or_do_not():
    assert chance_of(one_each(0, 50), one_each(0, 50)) == 1
    assert chance_of(one_each(50, 50), one_each(0, 50)) == 0


people_of_a_side = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20)), min_size=FEWEST_PEOPLE, max_size=60)


@given(people_of_a_side, people_of_a_side)
def test_it_is_a_probability_and_does_not_depend_on_the_order(one: People, other: People):
    chance = chance_of(sums(one), sums(other))
    assert chance is not None
    assert 0 <= chance <= 1
    assert chance == chance_of(sums(other), sums(one))


def test_it_names_a_difference_that_is_none_about_as_often_as_it_says():
    """Two like groups, a thousand times: within four standard errors of one in twenty."""
    chance, trials = random.Random(1), 1000

    def group() -> RatioSums:
        turns = [chance.randint(1, 10) for _ in range(200)]
        rates = [chance.choice((0.05, 0.3)) for _ in range(200)]
        return sums(
            [(sum(chance.random() < rate for _ in range(of)), of) for of, rate in zip(turns, rates, strict=True)]
        )

    named = sum((chance_of(group(), group()) or 0) < MOST_CHANCE for _ in range(trials))
    assert abs(named / trials - MOST_CHANCE) < 4 * sqrt(MOST_CHANCE * (1 - MOST_CHANCE) / trials)


def test_it_finds_a_difference_that_is_there():
    chance = random.Random(2)

    def group(rate: float) -> RatioSums:
        return sums([(sum(chance.random() < rate for _ in range(5)), 5) for _ in range(300)])

    found = chance_of(group(0.05), group(0.15))
    assert found is not None
    assert found < 0.001
