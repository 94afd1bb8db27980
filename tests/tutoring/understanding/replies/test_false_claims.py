"""False numeric claims in replies."""

import pytest

from tutoring.understanding.replies.signs import makes_false_claim


@pytest.mark.parametrize(
    ("text", "is_false"),
    [
        ("a half is bigger than a whole", True),
        ("A whole is smaller than a half", True),
        ("one half is more than the whole one", True),
        ("a half is smaller than a whole", False),
        ("a whole is more than a third", False),
        ("a half is bigger than a whole pizza", False),
        ("the whole is bigger than the part", False),
    ],
)
def test_a_whole_is_compared_as_a_number(text: str, is_false: bool) -> None:
    assert makes_false_claim(text) == is_false
