"""What states the ideas of an answer in words, beside what was shown before."""

import pytest

from tutoring.grading import Idea, TextKey
from tutoring.output_checks.idea_statements import find_stated_answer

KEY = TextKey(ideas=(Idea(any=(r"\bwhole\b", "eaten .*left out"), name="every part counts"),))


@pytest.mark.parametrize(
    ("said", "shown", "found"),
    [
        ("The part that was eaten was left out.", "That is the whole bar.", "idea"),
        ("Look at the whole bar.", "", ""),
        ("It is about the whole bar.", "", "idea"),
        ("It is about the whole bar.", "That is the whole bar.", ""),
    ],
)
def test_idea_is_told_unless_it_was_shown_in_the_same_way(said: str, shown: str, found: str) -> None:
    assert find_stated_answer(said, KEY, shown=shown) == found
