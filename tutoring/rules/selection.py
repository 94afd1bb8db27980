"""Which template of a concept to ask next: for practice the desirably difficult one, in a quiz the most telling one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Purpose = Literal["practice", "quiz", "review"]

PRACTICE_TARGET = 0.75
"""Predicted correctness (0–1) at which practice is hard enough to teach and likely enough to succeed."""
QUIZ_RANGE = (0.4, 0.9)
"""Predicted correctness (0–1) outside which a quiz question discourages or tells nothing."""
SPACING = 3
"""A template comes at most once in this many questions running."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A template that could be asked, and what is expected of asking it."""

    template: str
    answers: int
    """How often this learner has answered it."""
    predicted: float = 0.0
    """Predicted correctness (0–1); a review does not look at it."""
    information: float = 0.0
    """Expected information of the answer, as `mastery.expectation` gives it."""
    offset: float = 0.0
    """How much easier (+) or harder (−) than medium it has proved, in logits."""
    constructed: bool = True
    """Whether the answer is made, not picked, and measures something."""


def choose_template(candidates: Sequence[Candidate], *, recent: Sequence[str], purpose: Purpose) -> str:
    """Return the template to ask; `recent` are the templates asked before, oldest first.

    Practice takes the predicted correctness nearest .75 among the templates met least often; a quiz the greatest
    information among those predicted in .4–.9, or nearest to that range, and of equals what was met least; a review what
    was met least among those whose answer is made, and of equals the most medium one. No template comes twice in three
    questions unless there is no other. Further ties go by id, so that the choice is repeatable. Raises ValueError
    without candidates.
    """
    if not candidates:
        raise ValueError("there is no template to choose from")
    spaced = _spaced(candidates, recent=recent)
    return min(spaced, key=_RANKS[purpose]).template


def _spaced(candidates: Sequence[Candidate], *, recent: Sequence[str]) -> Sequence[Candidate]:
    """Leave out what was just asked; of a bank too small for that, keep what was asked longest ago."""
    barred = list(recent)[-(SPACING - 1) :]
    free = [candidate for candidate in candidates if candidate.template not in barred]
    if free:
        return free
    last_asked = {template: position for position, template in enumerate(barred)}
    longest_ago = min(last_asked[candidate.template] for candidate in candidates)
    return [candidate for candidate in candidates if last_asked[candidate.template] == longest_ago]


def _practice_rank(candidate: Candidate) -> tuple[int, float, str]:
    return candidate.answers, abs(candidate.predicted - PRACTICE_TARGET), candidate.template


def _quiz_rank(candidate: Candidate) -> tuple[float, float, int, str]:
    low, high = QUIZ_RANGE
    outside = max(low - candidate.predicted, candidate.predicted - high, 0.0)
    return round(outside, 6), -round(candidate.information, 6), candidate.answers, candidate.template


def _review_rank(candidate: Candidate) -> tuple[bool, int, float, str]:
    return not candidate.constructed, candidate.answers, abs(candidate.offset), candidate.template


_RANKS: dict[Purpose, Callable[[Candidate], tuple[float | str, ...]]] = {
    "practice": _practice_rank,
    "quiz": _quiz_rank,
    "review": _review_rank,
}
