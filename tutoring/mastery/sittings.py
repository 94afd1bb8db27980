"""How much of what a learner answers in one go may look back at what was mastered before."""

from dataclasses import dataclass
from typing import Final

REVIEW_SHARE: Final = 0.20
"""Share of a sitting's questions that look back at most: reviews beside the way, and earlier concepts within lessons."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """Questions that a learner has answered without a long break, in lessons and reviews."""

    questions: int = 0
    reviews: int = 0
    """Those of them that looked back: in a review, or at an earlier concept within a lesson."""

    def may_ask_review(self, *, after: int = 0) -> bool:
        """Tell whether a question may look back, `after` more that do not: such ones stay within a fifth of all."""
        return self.reviews + 1 <= REVIEW_SHARE * (self.questions + after + 1)


EMPTY_SITTING: Final = Sitting()
