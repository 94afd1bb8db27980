"""Conversions that a message asks for, and messages that ask for none."""

import pytest

from tutoring.grading import ChoiceKey, NumericKey
from tutoring.grading.conversions import parse_conversion
from tutoring.output_checks.own_conversion import is_own_conversion
from tutoring.understanding.parsing.requested_calculation import find_requested_calculation
from tutoring.understanding.parsing.requested_conversion import find_requested_conversion, is_only_conversion

ASKED = [
    ("simplify 6/8", "simplest 6/8"),
    ("can you simplify 6 / 8 please", "simplest 6/8"),
    ("10/4 in simplest form", "simplest 10/4"),
    ("what is the simplest form of 6/8", "simplest 6/8"),
    ("can 6/8 be simplified?", "simplest 6/8"),
    ("7/4 as a mixed number", "mixed 7/4"),
    ("turn 1 3/4 into an improper fraction", "improper 1 3/4"),
    ("what is 2 1/2 as a fraction", "improper 2 1/2"),
    ("0.25 as a fraction", "fraction 0.25"),
    ("25% as a fraction", "fraction 25%"),
    ("3/4 as a decimal", "decimal 3/4"),
    ("three quarters as a decimal", "decimal 3/4"),
    ("3/4 in percent", "percent 3/4"),
    ("2/3 of 12", "2/3 of 12"),
    ("whats half of 12", "1/2 of 12"),
    ("a third of 12 apples", "1/3 of 12"),
    ("3/4 = ?/12", "3/4 = ?/12"),
    ("?/12 = 3/4", "3/4 = ?/12"),
    ("3/4 = x/12", "3/4 = ?/12"),
    ("6/8 = 3/?", "6/8 = 3/?"),
    ("3/4 with 12 at the bottom", "3/4 = ?/12"),
    ("how many twelfths is 3/4", "3/4 = ?/12"),
    ("is 3/4 bigger than 2/3", "3/4 ? 2/3"),
    ("which is bigger, 1/4 or 1/8", "1/4 ? 1/8"),
    ("is 3/4 the same as 6/8", "3/4 ? 6/8"),
    ("3/5 or 2/5 more?", "3/5 ? 2/5"),
    ("is 7/4 to the left or the right of 2?", "7/4 ? 2"),
    ("could you check whether 3 2/5 = 17/5?", "3 2/5 ? 17/5"),
    ("1/2 = what over 8", "1/2 = ?/8"),
    ("how do I write 2/3 with under number 12?", "2/3 = ?/12"),
    ("is 0.333... the same as 1/3?", "0.333... ? 1/3"),
    ("0.1666... as a fraction", "fraction 0.1666..."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "wanted"), ASKED)
def test_what_is_asked(text: str, wanted: str) -> None:
    assert find_requested_conversion(text) == wanted
    assert str(parse_conversion(wanted)) == wanted
    assert is_only_conversion(text)


@pytest.mark.parametrize(
    "text",
    [
        "3/4", "i think 3/4", "it is 6/8", "7/4 as a whole", "teach me mixed numbers", "how do i simplify fractions", "1/2 of the pizza",
        "3 of the 4 parts", "i got 2 and 3", "0.25", "2024/11/26 as a date", "3/4 as a fraction", "", "?", "3/4 = 6/8",
        "and if i only divide by 2 and then by 3, is that less good?", "is minus 3 bigger than minus 1", "is negative 3 more than 1",
    ],
)  # fmt: skip
def test_what_asks_for_none(text: str) -> None:
    assert find_requested_conversion(text) == ""


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("how much is 3/4 kg plus 1/8 kg?", "3/4 + 1/8"),
        ("2 cups + 1/3 cup", "2 + 1/3"),
        ("1/2 spoon and 1/4 spoon together", "1/2 + 1/4"),
        ("i have 1/2 cup and 3 eggs", ""),
    ],
)
def test_amounts_with_units_are_calculated(text: str, wanted: str) -> None:
    assert find_requested_calculation(text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "i know 2/3 of 12 is 8",
        "2/3 of 12 is 8 because 4 + 4",
        "i simplified 6/8 and got 3/4, is that ok",
        "3/4 is bigger than 2/3",
    ],
)
def test_what_says_more_is_no_bare_request(text: str) -> None:
    assert not is_only_conversion(text)


@pytest.mark.parametrize(
    ("asked", "stem", "answer", "own"),
    [
        ("simplest 6/8", "Write 6/8 in its simplest form.", "3/4", True),
        ("simplest 4/6", "Write 6/8 in its simplest form.", "3/4", False),
        ("simplest 6/8", "Add 6/8 and 1/8.", "7/8", False),
        ("3/4 = ?/12", "3/4 = ?/12. Which number is missing?", "9", True),
        ("3/4 = ?/12", "Write 3/4 with the bottom number 12.", "9/12", True),
        ("3/4 = ?/8", "Write 3/4 with the bottom number 12.", "9/12", True),
        ("mixed 7/4", "Write 7/4 as a mixed number.", "1 3/4", True),
        ("3/4 ? 2/3", "Which is bigger, 3/4 or 2/3?", "3/4", True),
        ("3/4 ? 2/3", "Add 3/4 and 2/3.", "17/12", False),
    ],
)
def test_the_conversion_of_a_question(asked: str, stem: str, answer: str, own: bool) -> None:
    assert is_own_conversion(asked, seen=stem, key=NumericKey(value=answer)) is own


def test_a_choice_between_the_two_numbers_is_compared_by_nobody_else() -> None:
    seen = "Who ate more? Leo, who ate 3/4. Mia, who ate 2/3."
    assert is_own_conversion("2/3 ? 3/4", seen=seen, key=ChoiceKey(right="a"))
    assert not is_own_conversion("1/2 ? 3/4", seen=seen, key=ChoiceKey(right="a"))
