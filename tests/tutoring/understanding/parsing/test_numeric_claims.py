"""What is claimed in numbers, and whether it holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tutoring.understanding.parsing.numeric_claims import find_numeric_claims, is_right_choice

ASKED = "Two pizzas, one in 4 and one in 8 slices. Which would you rather have, 1/4 or 1/8?"


@pytest.mark.parametrize(
    ("text", "asked", "statements"),
    [
        ("so 1/4 is bigger", ASKED, [("1/4 > 1/8", True)]),
        ("oh so 1/4 is bigger than 1/8", "", [("1/4 > 1/8", True)]),
        ("one quarter isn't smaller than one eighth", "", [("1/4 ≥ 1/8", True)]),
        ("1/8 is bigger because 8 is bigger than 4", ASKED, [("8 > 4", True), ("1/8 > 1/4", False)]),
        ("1/2 + 1/3 = 2/5", "", [("1/2 + 1/3 = 2/5", False)]),
        ("because a half is two quarters", "", [("1/2 = 2/4", True)]),
        ("4/9 - 4/9 leaves nothing at all", "", [("4/9 - 4/9 = 0", True)]),
        ("2/5 + 3/5 makes the whole thing.", "", [("2/5 + 3/5 = 1", True)]),
        ("2/6 and 2/6 is two thirds", "", [("2/6 + 2/6 = 2/3", True)]),
        ("two thirds and one third make the whole thing", "", [("2/3 + 1/3 = 1", True)]),
        ("one quarter and one quarter are 2/8", "", [("1/4 + 1/4 = 2/8", False)]),
        ("One half and one half make a whole.", "", [("1/2 + 1/2 = 1", True)]),
        ("1/3 and 1/3 is 2/6", "", [("1/3 + 1/3 = 2/6", False)]),
        ("7/7 equals exactly one.", "", [("7/7 = 1", True)]),
        ("3 sixths is half too", "", [("3/6 = 1/2", True)]),
        ("9/4 must be 2 and 4/9 then", "", [("9/4 = 2 and 4/9", False)]),
        ("So 3/4, 6/8 and 75/100 are all the same number.", "", [("3/4 = 6/8 = 75/100", True)]),
        ("1/2 and 2/3 aren't equal", "", [("1/2 ≠ 2/3", True)]),
        ("so 6/5 is between 1 and 2", "", [("1 < 6/5 < 2", True)]),
        ("6/5 isn't between 0 and 1", "", []),
        ("so 2/4 is between 3/4 and 1/4", "", [("1/4 < 2/4 < 3/4", True)]),
        ("0/4 and 0/5 are the same", "", [("0/4 = 0/5", True)]),
        ("1/2, 1/3 and 2/4 are not the same", "", []),
        ("5/5 is same like 1", "", [("5/5 = 1", True)]),
        ("half is one of two equal parts", "", []),
        ("one half is two pieces", "", []),
        ("there is nothing left and i ate the whole cake", "", []),
        ("bananas are bigger than apples", ASKED, []),
        ("i think 1/8 cuz 8", ASKED, []),
        ("4 is bigger", ASKED, []),
        ("the midpoint of 1/4 and 1/2 is 3/8", "", [("(1/4 + 1/2) / 2 = 3/8", True)]),
        ("half of 12 eggs is 6 eggs", "", [("1/2 × 12 = 6", True)]),
        ("Half from 30 tablet is 16 tablet", "", [("1/2 × 30 = 16", False)]),
        ("half of my 12 stickers are red", "", []),
        ("so 4/4 is just the whole thing", "", [("4/4 = 1", True)]),
        ("3/4 is a whole", "", [("3/4 = 1", False)]),
        ("a half is bigger than a whole", "", [("1/2 > 1", False)]),
        ("A whole is smaller than a half", "", [("1 < 1/2", False)]),
        ("one half is more than the whole one", "", [("1/2 > 1", False)]),
        ("a half is smaller than a whole", "", [("1/2 < 1", True)]),
        ("a whole is more than a third", "", [("1 > 1/3", True)]),
        ("a half is bigger than a whole pizza", "", []),
        ("the whole is bigger than the part", "", []),
    ],
)
def test_claims_are_computed(text: str, asked: str, statements: list[tuple[str, bool]]) -> None:
    assert [(each.statement, each.holds) for each in find_numeric_claims(text, asked=asked)] == statements


@pytest.mark.parametrize(
    ("text", "asked", "expected"),
    [
        ("1/4", "Which is bigger, 1/4 or 1/8?", True),
        ("i think 1/8", "Which is bigger, 1/4 or 1/8?", False),
        ("3/5", "Which is smaller: 3/5 or 4/5?", True),
        ("the first", "Which is bigger, 1/4 or 1/8?", None),
        ("1/4", "What is half of a half?", None),
    ],
)
def test_the_choice_between_numbers_is_decided_by_arithmetic(text: str, asked: str, expected: bool | None) -> None:
    assert is_right_choice(text, asked) is expected


@given(st.text(max_size=400))
def test_any_text_is_read(text: str) -> None:
    assert all(each.statement for each in find_numeric_claims(text, asked=ASKED))
