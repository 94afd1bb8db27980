"""Speech as it was recognized, in the spelling that answers are read in."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.speech.heard_text import asks_again, normalize_heard, spoken_digits
from conversations.speech.number_words import SMALL, number_words
from tutoring.grading.parsing.number_finder import numbers_in


@pytest.mark.parametrize(
    ("heard", "message"),
    [
        ("One hundred and fifteen.", "115."),
        ("a hundred", "100"),
        ("two thousand and six", "2006"),
        ("zero point five", "0.5"),
        ("point seven five", "0.75"),
        ("three point one four", "3.14"),
        ("Be.", "B"),
        ("option see", "option C"),
        ("to", "2"),
        ("a\x00b\x07c", "a b c"),
    ],
)
def test_what_answers_do_not_read_is_respelled(heard: str, message: str) -> None:
    assert normalize_heard(heard) == message


@pytest.mark.parametrize(
    "heard",
    [
        "three quarters",
        "Three-quarters.",
        "option b",
        "I don't know",
        "I see what you mean",
        "that depends to some degree",
        "three hundredths",
        "the point is that five is more",
        "seventeen fifths",
    ],
)
def test_what_answers_read_anyway_stays_as_it_was_said(heard: str) -> None:
    assert normalize_heard(heard) == heard


def test_whole_number_before_a_fraction_keeps_its_fraction() -> None:
    assert numbers_in(normalize_heard("one hundred and three quarters")) == (100 + Fraction(3, 4),)


@pytest.mark.parametrize(
    "heard",
    [
        "one two three four five six seven eight",
        "12345678",
        "My code is 12 34 56 78.",
        "the code is 1234-5678",
        "twelve thirty four fifty-six seventy eight",
    ],
)
def test_code_is_read_however_it_is_said(heard: str) -> None:
    assert spoken_digits(heard) == "12345678"


@pytest.mark.parametrize("heard", ["three quarters", "teach me fractions", "", "one or two", "my code"])
def test_other_messages_are_no_digits(heard: str) -> None:
    assert spoken_digits(heard) == ""


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12))
def test_digits_said_one_by_one_are_those_digits(digits: list[int]) -> None:
    assert spoken_digits(" ".join(SMALL[each] for each in digits)) == "".join(map(str, digits))


@given(st.integers(100, 9_999))
def test_large_numbers_in_words_are_those_numbers(number: int) -> None:
    assert normalize_heard(_in_words(number)) == str(number)


@given(st.text())
def test_anything_heard_can_be_stored(heard: str) -> None:
    message = normalize_heard(heard)
    assert "\x00" not in message
    assert message.isprintable() or not message.isascii()


@pytest.mark.parametrize(
    ("heard", "asks"),
    [("Say that again?", True), ("Repeat.", True), ("Pardon?", True), ("again", False), ("repeat after me", False)],
)
def test_only_a_request_to_repeat_repeats(heard: str, asks: bool) -> None:
    assert asks_again(heard) is asks


def _in_words(number: int) -> str:
    thousands, rest = divmod(number, 1000)
    hundreds, small = divmod(rest, 100)
    words = [f"{SMALL[thousands]} thousand"] if thousands else []
    words += [f"{SMALL[hundreds]} hundred"] if hundreds else []
    words += [f"and {number_words(small)}"] if small else []
    return " ".join(words)
