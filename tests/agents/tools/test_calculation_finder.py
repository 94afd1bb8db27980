"""The calculation inside a sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agents.tools.calculation_finder import find_calculation
from agents.tools.calculator import MAX_CHARACTERS


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what is (3+4)*2^5?", "(3+4)*2^5"),
        ("What is 15% of 80?", "15% of 80"),
        ("Is 0.1+0.2=0.3?", "0.1+0.2"),
        ("what is -3+4?", "-3+4"),
        ("How much is 3 x 4?", "3 x 4"),
        ("It's 3+4!", "3+4"),
        ("what is 5!?", "5!"),
        ("gcd(12, 18)?", "gcd(12, 18)"),
        ("3+4, 5+6", "3+4"),
        ("(what is 3+4)", "3+4"),
        ("x = 3+4", "3+4"),
        ("a) 3*4 is what?", "3*4"),
        ("- 3+4", "3+4"),
        ("٣+٤ ؟", "٣+٤"),
        ("1/0", "1/0"),
        ("1/2 is a half", "1/2"),
        ("pages 3-5", "3-5"),
    ],
)
def test_calculation_is_found(text: str, found: str) -> None:
    assert find_calculation(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what is a half?",
        "I have 3 apples and 4 pears",
        "I got 50% right",
        "3 of 4 people",
        "-5",
        "it is 20° now",
        "2x + 3*4 = 7",
        "x - 2*5",
        "2^x",
        "3 + ? = 7",
        "3 + 4 + ? = 10",
        "print(3+4)",
        "a[1+2]",
        "0x10+1",
        "10,000 + 5",
        "1.2.3",
        "2026-11-22",
        "22/11/2026",
        "1999-2003",
        "555-123-4567",
        "covid-19",
        "a 3-year-old",
        "8-)",
        "(" * 9_000,
    ],
)
def test_none_is_found(text: str) -> None:
    assert find_calculation(text) is None


@given(st.text(alphabet="0123456789+-*/^%()!,.= xaof?\n", max_size=60))
@settings(max_examples=150, deadline=None)
def test_what_is_found_stands_in_the_text(text: str) -> None:
    found = find_calculation(text)
    assert found is None or (found in text and 0 < len(found) <= MAX_CHARACTERS)
