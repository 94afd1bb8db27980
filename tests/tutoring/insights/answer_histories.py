"""Learners who have answered questions at known times."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.tutoring.review_helpers import quiz

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)
"""In a week that began on 2 March, after one that began on 23 February."""
LAST_WEDNESDAY = WEDNESDAY - timedelta(days=7)


def answer(person: Any, verdicts: str, *, at: datetime = WEDNESDAY, slug: str = "halves") -> None:
    """Answer a question for each letter, `r` for right and `w` for wrong, a minute apart."""
    for number, verdict in enumerate(verdicts):
        quiz(person, right=verdict == "r", at=at + timedelta(minutes=number), slug=slug)
