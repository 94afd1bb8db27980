"""Counting tries, whatever the clock does meanwhile."""

import time

import pytest

from learnagent.accounts.authentication.rate_limits import Throttle

TWO = Throttle(name="test", limit=2, window_s=600)
DAY_S = 86_400


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands until it is set."""

    class Clock:
        now = time.time()

    monkeypatch.setattr(time, "time", lambda: Clock.now)
    return Clock


def tries(number, who="ada"):
    return [TWO.count_try(who) for _ in range(number)]


def test_a_window_ends_so_long_after_its_first_try(clock):
    assert tries(3) == [True, True, False]
    clock.now += TWO.window_s - 1
    assert tries(1) == [False]
    clock.now += 2
    assert tries(3) == [True, True, False]


def test_a_clock_that_jumped_ahead_and_back_locks_nobody_out(clock):
    clock.now += 5 * DAY_S
    assert tries(3) == [True, True, False]
    clock.now -= 5 * DAY_S
    assert tries(3) == [True, True, False]


def test_a_clock_that_was_behind_locks_nobody_out(clock):
    clock.now -= 5 * DAY_S
    assert tries(3) == [True, True, False]
    clock.now += 5 * DAY_S
    assert tries(1) == [True]


def test_a_try_that_is_given_back_counts_no_more():
    TWO.count_try("ada")
    TWO.count_try("ada")
    TWO.refund("ada")
    assert tries(2) == [True, False]
    TWO.refund("nobody")
    assert tries(1, "nobody") == [True]


def test_who_is_forgotten_begins_anew():
    tries(3)
    TWO.forget("ada")
    assert tries(3) == [True, True, False]
