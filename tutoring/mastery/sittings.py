"""The share of a sitting's questions that may be reviews."""

from dataclasses import dataclass
from typing import Final

# Enough to keep reviews from piling up, and few enough that a lesson stays about its topic. Chosen by hand.
REVIEW_SHARE: Final = 0.20
"""Maximum share of reviews in a sitting: separate reviews, and earlier concepts within lessons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """Questions answered without a long break, in lessons and reviews."""

    questions: int = 0
    reviews: int = 0
    """Those in a review, or on an earlier concept within a lesson."""

    def may_ask_review(self, *, after: int = 0) -> bool:
        """Tell whether one more question may be a review, after `after` others, within REVIEW_SHARE."""
        return self.reviews + 1 <= REVIEW_SHARE * (self.questions + after + 1)


EMPTY_SITTING: Final = Sitting()
