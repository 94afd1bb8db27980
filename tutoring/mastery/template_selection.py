"""Which template of a concept to ask next: for practice the desirably difficult one, in a quiz the most telling one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

Purpose = Literal["practice", "quiz", "review"]

PRACTICE_TARGET = 0.75
"""Predicted correctness (0–1) at which practice is hard enough to teach and likely enough to succeed."""
QUIZ_RANGE = (0.4, 0.9)
"""Predicted correctness (0–1) outside which a quiz question discourages or tells nothing."""
NEARLY_AS_TELLING = 0.75
"""Share of the greatest information from which a quiz question will do, if the learner has met it less often."""
SPACING = 3
"""A template comes at most once in this many questions running."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TemplateCandidate:
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


def choose_template(candidates: Sequence[TemplateCandidate], *, recent: Sequence[str], purpose: Purpose) -> str:
    """Return the template to ask; `recent` are the templates asked before, oldest first.

    Practice takes the predicted correctness nearest .75 among the templates met least often; a quiz, among those
    predicted in .4–.9 or nearest to that range, what was met least of those about as informative as the best, and of
    equals the most informative; a review what
    was met least among those whose answer is made, and of equals the most medium one. No template comes twice in three
    questions unless there is no other. Further ties go by id, so that the choice is repeatable. Raises ValueError
    without candidates.
    """
    if not candidates:
        raise ValueError("there is no template to choose from")
    spaced = _without_recent(candidates, recent=recent)
    if purpose == "quiz":
        spaced = _most_informative(spaced)
    return min(spaced, key=_RANKS[purpose]).template


def _without_recent(candidates: Sequence[TemplateCandidate], *, recent: Sequence[str]) -> Sequence[TemplateCandidate]:
    """Leave out what was just asked; of a bank too small for that, keep what was asked longest ago."""
    barred = list(recent)[-(SPACING - 1) :]
    free = [candidate for candidate in candidates if candidate.template not in barred]
    if free:
        return free
    last_asked = {template: position for position, template in enumerate(barred)}
    longest_ago = min(last_asked[candidate.template] for candidate in candidates)
    return [candidate for candidate in candidates if last_asked[candidate.template] == longest_ago]


def _most_informative(candidates: Sequence[TemplateCandidate]) -> Sequence[TemplateCandidate]:
    """Return the candidates nearest to the range of a quiz whose answers tell about as much as the best one's."""
    nearest = min(map(_outside, candidates))
    inside = [candidate for candidate in candidates if _outside(candidate) == nearest]
    least = NEARLY_AS_TELLING * max(candidate.information for candidate in inside)
    return [candidate for candidate in inside if candidate.information >= least]


def _outside(candidate: TemplateCandidate) -> float:
    low, high = QUIZ_RANGE
    return round(max(low - candidate.predicted, candidate.predicted - high, 0.0), 6)


def _practice_rank(candidate: TemplateCandidate) -> tuple[int, float, str]:
    return candidate.answers, abs(candidate.predicted - PRACTICE_TARGET), candidate.template


def _quiz_rank(candidate: TemplateCandidate) -> tuple[int, float, str]:
    return candidate.answers, -round(candidate.information, 6), candidate.template


def _review_rank(candidate: TemplateCandidate) -> tuple[bool, int, float, str]:
    return not candidate.constructed, candidate.answers, abs(candidate.offset), candidate.template


_RANKS: dict[Purpose, Callable[[TemplateCandidate], tuple[float | str, ...]]] = {
    "practice": _practice_rank,
    "quiz": _quiz_rank,
    "review": _review_rank,
}
