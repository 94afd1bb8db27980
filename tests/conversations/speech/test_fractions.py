"""Fractions in words."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.speech.fractions import fraction_words, speak_fractions
from conversations.speech.number_words import number_words
from tutoring.grading.parsing.number_finder import numbers_in


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("3/4", "three quarters"),
        ("17/5", "seventeen fifths"),
        ("1/2", "one half"),
        ("3/2", "three halves"),
        ("3 1/2", "three and a half"),
        ("1 1/8", "one and one eighth"),
        ("2 3/4", "two and three quarters"),
        ("7/21", "seven over twenty-one"),
        ("5/100", "five hundredths"),
        ("123/456", "123 over 456"),
        ("n/8", "n over eight"),
        ("x/0", "x over zero"),
        ("3/0", "three over zero"),
        ("2/1", "two over one"),
        ("0/4", "zero quarters"),
        ("Cut 3/4, then 1/4.", "Cut three quarters, then one quarter."),
        ("One half is written 1/2.", "One half is written one over two."),
    ],
)
def test_fraction_is_read_as_people_say_it(written: str, said: str) -> None:
    assert speak_fractions(written) == said


@pytest.mark.parametrize("text", ["3/4/2026", "and/or", "km/h", "a/b/c", "1.5/2", "24/7/365", "path/3/4", "3/4.5"])
def test_what_is_no_fraction_stays_as_it_is(text: str) -> None:
    assert speak_fractions(text) == text


@given(top=st.integers(1, 99), bottom=st.integers(2, 99))
def test_spoken_fraction_is_heard_as_the_same_fraction(top: int, bottom: int) -> None:
    """What is read aloud, said back, is graded as the fraction that was written."""
    said = speak_fractions(f"{top}/{bottom}")
    assert "/" not in said
    assert numbers_in(said) == (Fraction(top, bottom),)


@given(whole=st.integers(1, 20), top=st.integers(1, 9), bottom=st.sampled_from([2, 3, 4, 5, 6, 7, 8, 9, 10, 12]))
def test_spoken_mixed_number_is_heard_as_the_same_number(whole: int, top: int, bottom: int) -> None:
    said = speak_fractions(f"{whole} {top}/{bottom}")
    assert said == fraction_words(top, bottom, whole=whole)
    assert numbers_in(said) == (whole + Fraction(top, bottom),)


@given(number=st.integers(2, 99))
def test_number_words_are_that_number(number: int) -> None:
    assert numbers_in(number_words(number)) == (number,)
