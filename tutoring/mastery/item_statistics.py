"""Figures of a question from the first answers to it: how hard it is, and how well it tells learners apart."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

FEWEST_ANSWERS = 20
"""First answers below which no discrimination is given: it would mostly be chance."""
FEWEST_LEARNERS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerCount:
    """A learner's first answers to one question, and to all other questions."""

    asked: int
    right: int
    rest_asked: int
    rest_right: int

    @property
    def rest_score(self) -> float | None:
        """The share (0–1) of right first answers to other questions; None without any."""
        return self.rest_right / self.rest_asked if self.rest_asked else None


def success_share(counts: Sequence[LearnerCount]) -> float | None:
    """Return the share (0–1) of right first answers; None without any."""
    asked = sum(each.asked for each in counts)
    return sum(each.right for each in counts) / asked if asked else None


def discrimination(counts: Sequence[LearnerCount]) -> float | None:
    """Return the point-biserial correlation (−1 to 1) of a right first answer with the learner's rest score.

    The rest score is the share of right first answers to the other questions: with the question itself in it, the
    correlation would be too high. A learner who answered the question several times, with other numbers, counts as
    often. None with too few answers or learners, and where all answers or all rest scores are the same.
    """
    known = [(each, each.rest_score) for each in counts if each.asked and each.rest_score is not None]
    asked = sum(each.asked for each, _score in known)
    right = sum(each.right for each, _score in known)
    if asked < FEWEST_ANSWERS or len(known) < FEWEST_LEARNERS or right in (0, asked):
        return None
    mean = sum(each.asked * score for each, score in known if score is not None) / asked
    variance = sum(each.asked * (score - mean) ** 2 for each, score in known if score is not None) / asked
    if variance < 1e-12:
        return None
    mean_right = sum(each.right * score for each, score in known if score is not None) / right
    mean_wrong = sum((each.asked - each.right) * score for each, score in known if score is not None) / (asked - right)
    share = right / asked
    return (mean_right - mean_wrong) / sqrt(variance) * sqrt(share * (1 - share))
